import { throwIfAborted } from '../core/abort.ts'
import type {
  CallOptions,
  IndexStatus,
  SessionRecord,
  SessionRequest,
  SessionStore,
  StorageKind,
  TitleResult,
  WriteResult,
} from '../core/corpus.ts'
import { isSessionQueryError, SessionQueryError } from '../core/errors.ts'
import { traceEvent } from '../core/event-trace.ts'
import { eventFiltersOf, sessionFiltersOf } from '../core/filter.ts'
import {
  contentOf,
  eventRecords,
  eventWindow,
  filteredEvents,
  surfaceOf,
  type FoldedLog,
} from '../core/log-reads.ts'
import type { ResolvedOptions } from '../core/options.ts'
import { inListOrder } from '../core/records.ts'
import { checkedEvents, checkedLog, distinctIds, noEvent, sessionIdOf } from '../core/request.ts'
import { checkedWindow } from '../core/window.ts'
import { checkedSearch } from './checked-search.ts'
import { emptyJournal, firstValue, textOf, type SqlDatabase } from './database.ts'
import { Deadline } from './deadline.ts'
import { Moves } from './moving.ts'
import { logSchema, openSchema } from './schema.ts'
import type { ScratchDatabase } from './scratch.ts'
import { SearchIndex } from './search-index.ts'
import { IndexSearch } from './search.ts'
import { StoredSessions, type StoredSession } from './sessions.ts'
import { StoredSurfaces } from './surfaces.ts'
import { LogWriter } from './write-log.ts'

/** What a store needs of the thread it runs in. */
export interface StoreThread {
  /** Makes a database in memory, for what is live and not stored. */
  readonly openMemory: () => SqlDatabase
  /** Makes a database beside the log, for work that copies it. */
  readonly openScratch: () => Promise<ScratchDatabase>
  /** Milliseconds since some moment; for deadlines. */
  readonly now: () => number
  /** Lets other calls have their turn, in the middle of long work. */
  readonly pause: () => Promise<void>
}

/** What a store is made from. */
export interface StoreParts {
  /** Holds the sessions. */
  readonly log: SqlDatabase
  /** Holds what search needs; may be empty, outdated or of another log. */
  readonly index: SqlDatabase
  readonly storage: { readonly kind: StorageKind; readonly because?: string }
  readonly options: ResolvedOptions
  readonly thread: StoreThread
  /** Told how the index stands when that changes, and how the building of it gets on. */
  readonly onIndexChange?: ((index: IndexStatus) => void) | undefined
  /** Called once, when the store ends or cannot be opened; the databases are closed by then. */
  readonly onClose?: () => void
}

/**
 * The stored half of a corpus over two SQLite databases, which it owns from now on.
 *
 * @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` when the log database is not ours to use
 */
export function createStore({
  log,
  index,
  storage,
  options,
  thread: { openMemory, openScratch, now, pause },
  onIndexChange,
  onClose,
}: StoreParts): SessionStore {
  const identity = owned(() => openSchema(log, logSchema), release)
  const sessions = new StoredSessions(log)
  const surfaces = new StoredSurfaces(sessions)
  const writer = new LogWriter(log, sessions, surfaces)
  const searchIndex = new SearchIndex({
    db: index,
    identity,
    sessions,
    surfaces,
    openMemory,
    openAt: options.openIndexAt,
    pause,
    changed: (state) => onIndexChange?.(state),
  })
  const search = new IndexSearch({
    db: index,
    sessions,
    documents: searchIndex.documents,
    live: searchIndex.live,
    snippetChars: options.snippetChars,
    instance: textOf(firstValue(log.query('SELECT lower(hex(randomblob(8)))'))),
  })
  let closed = false
  const moves = new Moves({
    log,
    index,
    surfaces,
    searchIndex,
    openScratch,
    pause,
    answer,
    target: {
      log,
      sessions,
      writer,
      changed: (sessionId) => searchIndex.follow(sessions.get(sessionId)),
    },
  })
  void moves.resume()

  /** One call: judged before anything else is whether it may still run. */
  async function answer<Result>(
    call: CallOptions | undefined,
    body: () => Result | Promise<Result>,
  ): Promise<Result> {
    throwIfAborted(call?.signal)
    if (closed) throw new SessionQueryError('SESSION_QUERY_WORKER_FAILED', 'The corpus is closed.')
    return body()
  }

  /** A log with its fold; `INVALID_SURFACE` when there is none. */
  function folded(request: SessionRequest): FoldedLog {
    const stored = sessions.get(sessionIdOf(request))
    const fold = surfaces.of(stored)
    return { header: stored.header, events: sessions.events(stored.session), fold }
  }

  /** What a write reports, once the index has followed it. */
  function indexed(result: WriteResult): WriteResult {
    if (result.created || result.appended > 0) searchIndex.follow(sessions.get(result.sessionId))
    return result
  }

  function release(): void {
    try {
      index.close()
    } finally {
      try {
        log.close()
      } finally {
        onClose?.()
      }
    }
  }

  async function close(): Promise<void> {
    if (closed) return
    closed = true
    searchIndex.stop()
    moves.stop()
    release()
  }

  return {
    ...moves.calls,
    listSessions: (_request, call) => answer(call, () => listed(sessions.filtered([]))),
    filterSessions: (request, call) =>
      answer(call, () => listed(sessions.filtered(sessionFiltersOf(request)))),
    readLog: (request, call) =>
      answer(call, () => {
        const { header, session } = sessions.get(sessionIdOf(request))
        return { header, events: sessions.events(session) }
      }),
    readSession: (request, call) => answer(call, () => contentOf(folded(request))),
    readSurface: (request, call) => answer(call, () => surfaceOf(folded(request))),
    readTitle: (request, call) =>
      answer(call, () => sessions.title(sessions.get(sessionIdOf(request)).session)),
    readTitles: (request, call) =>
      answer(call, () => distinctIds(request).map((id) => titleResult(sessions, id))),
    listEvents: (request, call) => answer(call, () => eventRecords(folded(request))),
    filterEvents: (request, call) =>
      answer(call, () => {
        const filters = eventFiltersOf(request)
        const stored = sessions.get(sessionIdOf(request))
        const events = sessions.filteredEvents(stored.session, filters)
        return filteredEvents({ header: stored.header, events, fold: surfaces.of(stored) }, filters)
      }),
    readEvent: (request, call) =>
      answer(call, () => {
        const window = checkedWindow(request, options.readWindowMax)
        const { session, header, length } = sessions.get(sessionIdOf(request))
        const range = (from: number, to: number) => sessions.range(session, from, to)
        return eventWindow(header, length, request.seq, window, range)
      }),
    traceEvent: (request, call) =>
      answer(call, () => {
        const stored = sessions.get(sessionIdOf(request))
        const event = Number.isSafeInteger(request.seq)
          ? sessions.event(stored.session, request.seq)
          : undefined
        if (event === undefined) throw noEvent(stored.header.id, request.seq, stored.length)
        return traceEvent(stored.header, event, surfaces.of(stored))
      }),
    searchSessions: (request, call) =>
      answer(call, () => {
        searchIndex.refuseIfDisabled()
        const checked = checkedSearch(request, options, 'sessions')
        const { cursor } = request
        const deadline = new Deadline(now, checked.timeoutMs, call?.signal)
        return searchIndex.use(() => {
          const page = search.sessions({ search: checked, cursor, deadline })
          return { ...page, ...searchIndex.shortfall() }
        }, deadline)
      }),
    searchEvents: (request, call) =>
      answer(call, () => {
        searchIndex.refuseIfDisabled()
        const checked = checkedSearch(request, options, 'events')
        const { sessionId, cursor } = request
        const deadline = new Deadline(now, checked.timeoutMs, call?.signal)
        return searchIndex.use(() => {
          const where = sessionId === undefined ? {} : { within: search.searched(sessionId, checked) }
          const page = search.events({ search: checked, cursor, ...where, deadline })
          return { ...page, ...searchIndex.shortfall() }
        }, deadline)
      }),
    showLive: ({ header, from, events }, call) =>
      answer(call, () =>
        searchIndex.use(() => {
          if (!searchIndex.live.show(searchIndex.documents.table, header, from, events)) return
          const shown = searchIndex.live.find(header.id)
          if (shown !== undefined) searchIndex.documents.name(shown.session, header.id)
        }),
      ),
    hideLive: ({ sessionId }, call) =>
      answer(call, () =>
        searchIndex.use(() => {
          const shown = searchIndex.live.find(sessionId)
          if (shown === undefined) return
          searchIndex.live.hide(searchIndex.documents.table, sessionId)
          searchIndex.documents.changed(shown.session)
        }),
      ),
    putSession: (request, call) => answer(call, () => indexed(writer.put(checkedLog(request)))),
    appendEvents: (request, call) =>
      answer(call, () => indexed(writer.append(sessionIdOf(request), checkedEvents(request)))),
    deleteSession: (request, call) =>
      answer(call, async () => {
        const session = writer.remove(sessionIdOf(request))
        searchIndex.drop(session)
        moves.dropped(session)
        emptyJournal(log)
        await searchIndex.scrub()
      }),
    status: (_request, call) =>
      answer(call, () => ({
        storage: { ...storage, logBytes: log.size(), indexBytes: index.size() },
        ...sessions.count(),
        live: 0,
        index: searchIndex.status(),
        issues: searchIndex.issues().flatMap(({ session, code }) => {
          const sessionId = sessions.byNumber(session)?.header.id
          return sessionId === undefined ? [] : [{ sessionId, code }]
        }),
      })),
    close,
  }
}

/** What `body` gives; when it throws, what was acquired before is let go. */
function owned<Result>(body: () => Result, release: () => void): Result {
  try {
    return body()
  } catch (error) {
    release()
    throw error
  }
}

function listed(stored: readonly StoredSession[]): SessionRecord[] {
  return inListOrder(stored.map(({ header }) => ({ header, live: false, persisted: true })))
}

function titleResult(sessions: StoredSessions, sessionId: string): TitleResult {
  try {
    const { session, header } = sessions.get(sessionId)
    const title = sessions.title(session)
    return {
      sessionId,
      status: 'fulfilled',
      session: header,
      ...(title === undefined ? {} : { title }),
    }
  } catch (error) {
    if (!isSessionQueryError(error)) throw error
    return { sessionId, status: 'rejected', error }
  }
}
