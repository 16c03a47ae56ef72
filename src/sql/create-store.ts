import { throwIfAborted } from '../core/abort.ts'
import type {
  CallOptions,
  CorpusStatus,
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
import {
  eventFiltersOf,
  sessionFiltersOf,
  sessionPredicate,
  type SessionFilter,
} from '../core/filter.ts'
import {
  contentOf,
  eventRecords,
  eventWindow,
  filteredEvents,
  surfaceOf,
  type FoldedLog,
} from '../core/log-reads.ts'
import type { ResolvedOptions } from '../core/options.ts'
import { headersConflict, inListOrder } from '../core/records.ts'
import {
  checkedEvents,
  checkedLog,
  distinctIds,
  noEvent,
  openScope,
  sessionIdOf,
} from '../core/request.ts'
import { sessionReads, type LogAtHand, type SessionReads } from '../core/session-reads.ts'
import type { SessionHeader } from '../core/session.ts'
import { checkedWindow } from '../core/window.ts'
import { checkedSearch } from './checked-search.ts'
import { emptyJournal, firstValue, textOf, type SqlDatabase } from './database.ts'
import { Deadline } from './deadline.ts'
import { Moves } from './moving.ts'
import { logSchema, openSchema } from './schema.ts'
import type { ScratchDatabase } from './scratch.ts'
import { unlessDamaged } from './salvage.ts'
import { SearchIndex } from './search-index.ts'
import { IndexSearch } from './search.ts'
import { StoredSessions } from './sessions.ts'
import type { ShownSession } from './shown-session.ts'
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

/** The stored half of a corpus, for several who use it with options of their own. */
export interface StoreEngine {
  /**
   * The store as one of them sees it. Closing it closes the engine.
   *
   * @param user a name of his own: what he shows is read by the others, since he reads it himself
   */
  view(options: ResolvedOptions, user?: string): SessionStore
  /**
   * What a user showed is seen by nobody any more.
   *
   * @returns his sessions, and whether they are stored
   */
  forget(user: string): readonly { readonly sessionId: string; readonly persisted: boolean }[]
}

/**
 * The stored half of a corpus over two SQLite databases, which it owns from now on.
 *
 * @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` when the log database is not ours to use
 */
export function createStore(parts: StoreParts): SessionStore {
  return createEngine(parts).view(parts.options)
}

/** As {@link createStore}, for several users; `options` say when the index is opened. */
export function createEngine({
  log,
  index,
  storage,
  options: { openIndexAt },
  thread: { openMemory, openScratch, now, pause },
  onIndexChange,
  onClose,
}: StoreParts): StoreEngine {
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
    openAt: openIndexAt,
    pause,
    changed: (state) => onIndexChange?.(state),
  })
  const search = new IndexSearch({
    db: index,
    sessions,
    documents: searchIndex.documents,
    live: searchIndex.live,
    instance: textOf(firstValue(log.query('SELECT lower(hex(randomblob(8)))'))),
  })
  let closed = false
  /** Whether something of the log was found damaged. */
  let damaged = false
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
    try {
      return await body()
    } catch (error) {
      damaged ||= isSessionQueryError(error) && error.reason === 'corrupt'
      throw error
    }
  }

  /** The sessions that pass every filter; what is open in a page hides what is stored of it. */
  function records(
    filters: readonly SessionFilter[],
    open: readonly string[],
    user: string,
  ): SessionRecord[] {
    const shown = shownTo(user).map(({ header }) => shownRecord(header))
    if (open.length === 0 && shown.length === 0) {
      return inListOrder(sessions.filtered(filters).map(({ header }) => storedRecord(header, false)))
    }
    const live = new Set(open)
    const hidden = new Set(shown.map(({ header }) => header.id))
    // By availability they are judged as records: the database does not know what is open.
    const stored = sessions
      .filtered(filters.filter(({ kind }) => kind !== 'availability'))
      .filter(({ header }) => !hidden.has(header.id))
      .map(({ header }) => storedRecord(header, live.has(header.id)))
    return inListOrder([...stored, ...shown].filter(sessionPredicate(filters)))
  }

  /** What others have open and have not stored as it is there. */
  function shownTo(user: string): readonly ShownSession[] {
    return searchIndex.live.list().filter((shown) => shown.user !== user)
  }

  function shownRecord(header: SessionHeader): SessionRecord {
    const stored = sessions.find(header.id)
    return {
      header,
      live: true,
      persisted: stored !== undefined,
      ...(stored !== undefined && headersConflict(header, stored.header) ? { conflict: true } : {}),
    }
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

  function storedReads(options: ResolvedOptions): SessionReads {
    return {
      readSession: async (request) => contentOf(folded(request)),
      readSurface: async (request) => surfaceOf(folded(request)),
      readTitle: async (request) => sessions.title(sessions.get(sessionIdOf(request)).session),
      listEvents: async (request) => eventRecords(folded(request)),
      filterEvents: async (request) => {
        const filters = eventFiltersOf(request)
        const stored = sessions.get(sessionIdOf(request))
        const events = sessions.filteredEvents(stored.session, filters)
        return filteredEvents({ header: stored.header, events, fold: surfaces.of(stored) }, filters)
      },
      readEvent: async (request) => {
        const window = checkedWindow(request, options.readWindowMax)
        const { session, header, length } = sessions.get(sessionIdOf(request))
        const range = (from: number, to: number) => sessions.range(session, from, to)
        return eventWindow(header, length, request.seq, window, range)
      },
      traceEvent: async (request) => {
        const stored = sessions.get(sessionIdOf(request))
        const event = Number.isSafeInteger(request.seq)
          ? sessions.event(stored.session, request.seq)
          : undefined
        if (event === undefined) throw noEvent(stored.header.id, request.seq, stored.length)
        return traceEvent(stored.header, event, surfaces.of(stored))
      },
    }
  }

  function view(options: ResolvedOptions, user = ''): SessionStore {
    const find = (sessionId: string): ShownSession | undefined => {
      const shown = searchIndex.live.find(sessionId)
      return shown?.user === user ? undefined : shown
    }
    return {
      ...moves.calls,
      ...sessionReads({
        find,
        readWindowMax: options.readWindowMax,
        answer,
        store: () => storedReads(options),
      }),
      listSessions: (request, call) => answer(call, () => records([], openIn(request), user)),
      filterSessions: (request, call) =>
        answer(call, () => records(sessionFiltersOf(request), openIn(request), user)),
      readLog: (request, call) =>
        answer(call, () => {
          const sessionId = sessionIdOf(request)
          const shown = find(sessionId)
          if (shown !== undefined) return { header: shown.header, events: shown.events }
          const { header, session } = sessions.get(sessionId)
          return { header, events: sessions.events(session) }
        }),
      readTitles: (request, call) =>
        answer(call, () => distinctIds(request).map((id) => titleResult(find(id), sessions, id))),
      searchSessions: (request, call) =>
        answer(call, () => {
          refuseIfDisabled(options)
          const checked = checkedSearch(request, options, 'sessions')
          const { cursor } = request
          const { snippetChars } = options
          const deadline = new Deadline(now, checked.timeoutMs, call?.signal)
          return searchIndex.use(() => {
            const page = search.sessions({ search: checked, cursor, deadline, snippetChars })
            return { ...page, ...searchIndex.shortfall() }
          }, deadline)
        }),
      searchEvents: (request, call) =>
        answer(call, () => {
          refuseIfDisabled(options)
          const checked = checkedSearch(request, options, 'events')
          const { sessionId, cursor } = request
          const { snippetChars } = options
          const deadline = new Deadline(now, checked.timeoutMs, call?.signal)
          return searchIndex.use(() => {
            const where = sessionId === undefined ? {} : { within: search.searched(sessionId, checked) }
            const page = search.events({ search: checked, cursor, ...where, deadline, snippetChars })
            return { ...page, ...searchIndex.shortfall() }
          }, deadline)
        }),
      showLive: (request, call) => answer(call, () => searchIndex.show(user, request)),
      hideLive: (request, call) => answer(call, () => searchIndex.hide(sessionIdOf(request))),
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
        answer(call, () => {
          const counts = unlessDamaged(() => sessions.count())
          damaged ||= counts === undefined
          return {
            storage: {
              ...storage,
              logBytes: log.size(),
              indexBytes: index.size(),
              ...(damaged ? { damaged: true as const } : {}),
              persistent: false,
            },
            role: 'owner' as const,
            ...(counts ?? { sessions: 0, events: 0 }),
            live: 0,
            index: indexStatus(options),
            issues: unlessDamaged(issues) ?? [],
          }
        }),
      close,
    }
  }

  function indexStatus({ openIndexAt: at }: ResolvedOptions): IndexStatus {
    if (at === 'never') return { state: 'disabled', documents: 0 }
    return unlessDamaged(() => searchIndex.status()) ?? { state: 'failed', documents: 0 }
  }

  function issues(): CorpusStatus['issues'] {
    return searchIndex.issues().flatMap(({ session, code }) => {
      const sessionId = sessions.byNumber(session)?.header.id
      return sessionId === undefined ? [] : [{ sessionId, code }]
    })
  }

  function forget(user: string): { sessionId: string; persisted: boolean }[] {
    return searchIndex.live
      .list()
      .filter((shown) => shown.user === user)
      .map(({ header: { id: sessionId } }) => {
        searchIndex.hide(sessionId)
        return { sessionId, persisted: sessions.find(sessionId) !== undefined }
      })
  }

  return { view, forget }
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

function storedRecord(header: SessionHeader, live: boolean): SessionRecord {
  return { header, live, persisted: true }
}

/** The sessions that the corpus says are open in some page. */
function openIn(request: object | undefined): readonly string[] {
  const scoped: { readonly [openScope]?: readonly string[] } | undefined = request
  return scoped?.[openScope] ?? []
}

/** @throws SessionQueryError `SESSION_QUERY_SEARCH_DISABLED` where search was ruled out */
function refuseIfDisabled({ openIndexAt }: ResolvedOptions): void {
  if (openIndexAt !== 'never') return
  throw new SessionQueryError(
    'SESSION_QUERY_SEARCH_DISABLED',
    'Search is disabled: the corpus was opened with openIndexAt "never".',
  )
}

function titleResult(
  shown: LogAtHand | undefined,
  sessions: StoredSessions,
  sessionId: string,
): TitleResult {
  try {
    const { header, title } = shown ?? titled(sessions, sessionId)
    return { sessionId, status: 'fulfilled', session: header, ...(title && { title }) }
  } catch (error) {
    if (!isSessionQueryError(error)) throw error
    return { sessionId, status: 'rejected', error }
  }
}

function titled(sessions: StoredSessions, sessionId: string): Pick<LogAtHand, 'header' | 'title'> {
  const { session, header } = sessions.get(sessionId)
  return { header, title: sessions.title(session) }
}
