import { throwIfAborted } from '../core/abort.ts'
import type {
  CallOptions,
  CorpusStatus,
  IndexStatus,
  SessionStore,
  StoragePlace,
  WriteResult,
} from '../core/corpus.ts'
import { isSessionQueryError, SessionQueryError } from '../core/errors.ts'
import { sessionFiltersOf } from '../core/filter.ts'
import type { ResolvedOptions } from '../core/options.ts'
import { checkedEvents, checkedLog, distinctIds, openScope, sessionIdOf } from '../core/request.ts'
import { sessionReads } from '../core/session-reads.ts'
import { checkedSearch } from './checked-search.ts'
import { emptyJournal, firstValue, textOf, type SqlDatabase } from './database.ts'
import { Deadline } from './deadline.ts'
import type { FileRoom } from './log-file.ts'
import { Moves } from './moving.ts'
import { unlessDamaged } from './salvage.ts'
import { logSchema, openSchema } from './schema.ts'
import { SearchIndex } from './search-index.ts'
import { IndexSearch } from './search.ts'
import { StoredSessions } from './sessions.ts'
import { storedReads } from './stored-reads.ts'
import { StoredSurfaces } from './surfaces.ts'
import { VisibleSessions } from './visible-sessions.ts'
import { LogWriter } from './write-log.ts'

/** What a store needs of the thread it runs in. */
export interface StoreThread {
  /** Makes a database in memory, for what is live and not stored. */
  readonly openMemory: () => SqlDatabase
  /** Makes room for a file of the log, which goes out or comes in. */
  readonly openRoom: () => Promise<FileRoom>
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
  readonly storage: StoragePlace
  readonly options: ResolvedOptions
  readonly thread: StoreThread
  /** Told how the index stands when that changes, and how the building of it gets on. */
  readonly onIndexChange?: ((index: IndexStatus) => void) | undefined
  /**
   * Where every row that is written has its price, writes are not indexed one by one: this is told of them, and
   * {@link StoreEngine.advanceIndex} or the next search comes by all at once.
   */
  readonly onIndexBehind?: (() => void) | undefined
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
  /**
   * Brings the index some events further.
   *
   * @param mostEvents how many; a long one counts as several
   * @returns whether it has come by all
   */
  advanceIndex(mostEvents: number): Promise<boolean>
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
  thread: { openMemory, openRoom, now, pause },
  onIndexChange,
  onIndexBehind,
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
    behind: onIndexBehind,
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
    openRoom,
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

  /**
   * One call: judged before anything else is whether it may still run.
   *
   * @param about what is damaged when it finds damage
   */
  async function answer<Result>(
    call: CallOptions | undefined,
    body: () => Result | Promise<Result>,
    about: 'the log' | 'a file' = 'the log',
  ): Promise<Result> {
    throwIfAborted(call?.signal)
    if (closed) throw new SessionQueryError('SESSION_QUERY_WORKER_FAILED', 'The corpus is closed.')
    try {
      return await body()
    } catch (error) {
      damaged ||= about === 'the log' && isSessionQueryError(error) && error.reason === 'corrupt'
      throw error
    }
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

  function view(options: ResolvedOptions, user = ''): SessionStore {
    const visible = new VisibleSessions(sessions, searchIndex.live, user)
    const { readWindowMax } = options
    return {
      ...moves.calls,
      ...sessionReads({
        find: (sessionId) => visible.shown(sessionId),
        readWindowMax,
        answer,
        store: () => storedReads(sessions, surfaces, readWindowMax),
      }),
      listSessions: (request, call) => answer(call, () => visible.records([], openIn(request))),
      filterSessions: (request, call) =>
        answer(call, () => visible.records(sessionFiltersOf(request), openIn(request))),
      readLog: (request, call) => answer(call, () => visible.log(sessionIdOf(request))),
      readTitles: (request, call) =>
        answer(call, () => distinctIds(request).map((id) => visible.title(id))),
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
      hideLive: (request, call) => answer(call, () => searchIndex.hide(user, sessionIdOf(request))),
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
        searchIndex.hide(user, sessionId)
        return { sessionId, persisted: sessions.find(sessionId) !== undefined }
      })
  }

  return { view, forget, advanceIndex: (most) => answer(undefined, () => searchIndex.advance(most)) }
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
