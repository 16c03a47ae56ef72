/// <reference lib="esnext.disposable" preserve="true" />
import type { SessionQueryError, SessionQueryErrorCode } from './errors.ts'
import type { EventTrace } from './event-trace.ts'
import type { EventFilter, EventMetadataFilter, SessionFilter } from './filter.ts'
import type { SessionTrace } from './lineage.ts'
import type { Moving, MovingStore } from './moving.ts'
import type { EventDataOf, SessionEvent, SessionHeader, SessionLog, SurfaceOp } from './session.ts'
import type { Matched } from './snippet.ts'
import type { Span } from './word-places.ts'
import type { SurfaceState } from './surface.ts'
import type { SessionTitle } from './title.ts'

/** Goes with every call. */
export interface CallOptions {
  /** Ends the call: it rejects with the signal's own reason, and no work starts after that. */
  readonly signal?: AbortSignalLike | undefined
}

/** What is used of an `AbortSignal`, so that this file needs no DOM. */
export interface AbortSignalLike {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** Reads of a corpus of agent sessions. Every result is a detached copy. */
export interface SessionQuery {
  /** All sessions, newest `createdAt` first, ties by id in code point order. */
  listSessions(request?: NoRequest, options?: CallOptions): Promise<readonly SessionRecord[]>

  /**
   * The sessions that pass every filter, in the same order.
   *
   * @throws SessionQueryError `INVALID_FILTER`
   */
  filterSessions(
    request: FilterSessionsRequest,
    options?: CallOptions,
  ): Promise<readonly SessionRecord[]>

  /**
   * A whole log, checked: it folds, and its messages are messages.
   *
   * @throws SessionQueryError `SESSION_NOT_FOUND`, `INVALID_SURFACE`, `CORRUPT_SESSION`
   */
  readSession(request: SessionRequest, options?: CallOptions): Promise<SessionContent>

  /**
   * What the model sees at the end of the log, in model order.
   *
   * @throws SessionQueryError `SESSION_NOT_FOUND`, `INVALID_SURFACE`, `CORRUPT_SESSION`
   */
  readSurface(request: SessionRequest, options?: CallOptions): Promise<SessionSurface>

  /**
   * The latest title of a session, or undefined when it has none. A malformed title is passed over.
   *
   * @throws SessionQueryError `SESSION_NOT_FOUND`
   */
  readTitle(request: SessionRequest, options?: CallOptions): Promise<SessionTitle | undefined>

  /** One result for each distinct id, in order of first occurrence; one bad session spoils only its own. */
  readTitles(request: TitlesRequest, options?: CallOptions): Promise<readonly TitleResult[]>

  /**
   * Every event of a session, without its data.
   *
   * @throws SessionQueryError `SESSION_NOT_FOUND`, `INVALID_SURFACE`
   */
  listEvents(request: SessionRequest, options?: CallOptions): Promise<readonly EventRecord[]>

  /**
   * The events with searchable text that pass every filter, ascending by seq, with that text.
   *
   * @throws SessionQueryError `SESSION_NOT_FOUND`, `INVALID_FILTER`, `INVALID_SURFACE`
   */
  filterEvents(request: FilterEventsRequest, options?: CallOptions): Promise<readonly EventText[]>

  /**
   * One event exactly as it was recorded, and its neighbours.
   *
   * @throws SessionQueryError `SESSION_NOT_FOUND`, `EVENT_NOT_FOUND`, `INVALID_WINDOW`
   */
  readEvent(request: EventRequest, options?: CallOptions): Promise<EventWindow>

  /**
   * Where a session comes from and what came from it.
   *
   * @throws SessionQueryError `SESSION_NOT_FOUND`, `SOURCE_CONFLICT`, `INVALID_LINEAGE`
   */
  traceSession(request: SessionRequest, options?: CallOptions): Promise<SessionTrace>

  /**
   * What replaced an event, what it replaced, what it was made from and what was made from it.
   *
   * @throws SessionQueryError `SESSION_NOT_FOUND`, `EVENT_NOT_FOUND`, `INVALID_SURFACE`
   */
  traceEvent(request: EventSeqRequest, options?: CallOptions): Promise<EventTrace>

  /**
   * Sessions in which something was said, each with its strongest event.
   *
   * @throws SessionQueryError `INVALID_FILTER`, `INVALID_QUERY`, `INVALID_LIMIT`, `INVALID_CURSOR`,
   *   `STALE_CURSOR`, `TIMEOUT`, `SEARCH_DISABLED`, `INDEX_FAILED`
   */
  searchSessions(request: SearchSessionsRequest, options?: CallOptions): Promise<SessionPage>

  /**
   * Events in which something was said, of one session or of the whole corpus.
   *
   * @throws SessionQueryError as `searchSessions`, and `SESSION_NOT_FOUND`
   */
  searchEvents(request: SearchEventsRequest, options?: CallOptions): Promise<EventPage>
}

/**
 * The stored half of a corpus. What needs both halves is not here: whoever puts the two together traces
 * lineages, and lays live sessions over stored ones.
 */
export interface SessionStore extends Omit<SessionQuery, 'traceSession'>, MovingStore {
  /**
   * A log as it is, for going on with it. It is not checked: it may not fold.
   *
   * @throws SessionQueryError `SESSION_NOT_FOUND`
   */
  readLog(request: SessionRequest, options?: CallOptions): Promise<SessionLog>

  /**
   * Stores a whole log. A session that is there already is continued when the log begins with what
   * is stored, and left alone when it says no more than that; so storing a log twice changes
   * nothing. Durable when the promise resolves; all of it or nothing is written.
   *
   * @throws SessionQueryError `CORRUPT_SESSION` for a header or event that is not one,
   *   `INVALID_SURFACE` for a log that does not fold, `SOURCE_CONFLICT` when another log is stored
   *   under this id, `PERSISTENCE_FAILED`
   */
  putSession(request: SessionLog, options?: CallOptions): Promise<WriteResult>

  /**
   * Continues a stored log. Events that are stored already are recognised by their seq and skipped
   * when they are the same. Durable when the promise resolves; all of it or nothing is written.
   *
   * @throws SessionQueryError as `putSession`, and `SESSION_NOT_FOUND`
   */
  appendEvents(request: AppendRequest, options?: CallOptions): Promise<WriteResult>

  /**
   * Removes a log and all that was derived from it.
   *
   * @throws SessionQueryError `SESSION_NOT_FOUND`, `PERSISTENCE_FAILED`
   */
  deleteSession(request: SessionRequest, options?: CallOptions): Promise<void>

  /**
   * Lets a session be found that is open in a page and is not stored as it is there, until it is hidden; it
   * hides the stored session of its id meanwhile.
   */
  showLive(request: LiveSessionEvents, options?: CallOptions): Promise<void>

  /** Ends {@link showLive}. */
  hideLive(request: SessionRequest, options?: CallOptions): Promise<void>

  /** Where the corpus is kept and how much it holds. */
  status(request?: NoRequest, options?: CallOptions): Promise<CorpusStatus>

  /**
   * Stores what open sessions have gained and ends it; later calls reject with
   * `SESSION_QUERY_WORKER_FAILED`. Closing twice is harmless.
   *
   * @throws SessionQueryError `PERSISTENCE_FAILED`, `SOURCE_CONFLICT` when something of an open session
   *   could not be stored; it is ended all the same
   */
  close(): Promise<void>
}

/** One corpus of live and stored sessions, which can also be written. */
export interface SessionCorpus
  extends
    SessionQuery,
    Moving,
    Omit<SessionStore, 'readLog' | 'showLive' | 'hideLive' | keyof MovingStore> {
  /** Sessions open in this page. */
  readonly sessions: Sessions

  /**
   * Tells of every change, until the function that it returns is called. A listener that throws does not
   * keep others from being called.
   */
  subscribe(listener: (change: CorpusChange) => void): () => void

  /**
   * Asks the browser to keep the storage of this origin until its user removes it, also when room gets short. The
   * browser may ask the user, or decide by itself.
   *
   * @returns whether it will; false where there is nothing to keep
   */
  requestPersistence(): Promise<boolean>

  /**
   * Opens the store again after its worker has ended. Open sessions go on, and what they could not store is
   * stored. Does nothing where there is no worker.
   *
   * @throws SessionQueryError as `openCorpus`; `INVALID_CONFIG` when the worker was given and cannot be made anew
   */
  reopen(): Promise<void>

  [Symbol.asyncDispose](): Promise<void>
}

/** The write side for agents: sessions that are being had right now. */
export interface Sessions {
  /**
   * Begins a session.
   *
   * @param header what the header shall hold; an id and the present time are filled in
   * @throws SessionQueryError `SOURCE_CONFLICT` when the id is taken, `CORRUPT_SESSION` for a header that
   *   is none
   */
  create(header?: NewSessionHeader, options?: LiveOptions): Promise<LiveSession>

  /**
   * Begins a session that starts with the events of another one; its header names that one as parent.
   *
   * @param source id of a live or stored session
   * @param throughSeq last event to take; all of them when absent
   * @throws SessionQueryError `SESSION_NOT_FOUND`, `EVENT_NOT_FOUND`, and as `create`
   */
  fork(
    source: string,
    throughSeq?: number,
    header?: NewSessionHeader,
    options?: LiveOptions,
  ): Promise<LiveSession>

  /**
   * Opens a stored session again, to go on with it.
   *
   * @throws SessionQueryError `SESSION_NOT_FOUND`, `SOURCE_CONFLICT` when it is open already,
   *   `INVALID_SURFACE` when its log does not fold
   */
  resume(sessionId: string): Promise<LiveSession>

  /** The sessions that are open now, in the order in which they were opened. */
  list(): readonly LiveSession[]
}

/** A header of which the id, the version and the time may be left to be filled in. */
export type NewSessionHeader = Partial<SessionHeader>

export interface LiveOptions {
  /** False for a session that is never stored and gone when it is closed. Default true. */
  readonly persist?: boolean
}

/** A session that is open for writing. */
export interface LiveSession {
  readonly id: string
  readonly header: SessionHeader
  /** How many events there are so far; the seq of the next one. */
  readonly length: number
  /** Every event so far, frozen; a list of its own each time. */
  readonly events: readonly SessionEvent[]

  /**
   * Adds an event, at once and in order; it is stored within `writeBatchMs`.
   *
   * @param data lossless JSON; copied
   * @returns the event, frozen
   * @throws SessionQueryError `INVALID_SURFACE` for what the fold refuses, `CORRUPT_SESSION` for what is not
   *   lossless JSON, naming the type and the path, `WORKER_FAILED` for a session that is closed
   */
  append<Type extends string>(
    type: Type,
    data: EventDataOf<Type>,
    options?: AppendOptions,
  ): SessionEvent

  /**
   * Resolves when every event so far is durable. Of a session that is not stored, at once.
   *
   * @throws SessionQueryError `PERSISTENCE_FAILED` with its reason, `SOURCE_CONFLICT` when the stored log is
   *   another one; the events are kept, and tried again with the next append or flush
   */
  flush(): Promise<void>

  /** Flushes and ends the session; it is then read from where it is stored. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface AppendOptions {
  readonly surfaceOp?: SurfaceOp | undefined
  readonly sourceEventSeqs?: readonly number[] | undefined
  readonly ignorable?: true | undefined
}

/** A change that subscribers hear of. */
export interface CorpusChange {
  /**
   * A session came (`added`), gained events (`appended`), is gone (`removed`) or is no longer open
   * (`closed`), in this tab or another; something about the search `index` or the `storage` changed.
   */
  readonly kind: 'added' | 'appended' | 'removed' | 'closed' | 'index' | 'storage'
  readonly sessionId?: string
  /** Why writing failed, or the worker was started again, with `storage`. */
  readonly error?: SessionQueryError
  /** Where the corpus is kept, with `storage`, when it was opened elsewhere than was asked for first. */
  readonly storage?: StoragePlace
  /** How the index stands, with `index`. */
  readonly index?: IndexStatus
}

/** For calls that need no values. */
export type NoRequest = Readonly<Record<string, never>>

export interface SessionRequest {
  readonly sessionId: string
}

export interface TitlesRequest {
  readonly sessionIds: readonly string[]
}

export interface FilterSessionsRequest {
  readonly filters: readonly SessionFilter[]
}

export interface FilterEventsRequest extends SessionRequest {
  readonly filters: readonly EventFilter[]
}

export interface EventSeqRequest extends SessionRequest {
  readonly seq: number
}

export interface EventRequest extends EventSeqRequest {
  /** How many events before the target to read as well, at most `readWindowMax`. Default 0. */
  readonly before?: number | undefined
  /** How many events after the target to read as well, at most `readWindowMax`. Default 0. */
  readonly after?: number | undefined
}

export interface AppendRequest extends SessionRequest {
  readonly events: readonly SessionEvent[]
}

/** Events of a live session, from one on. */
export interface LiveSessionEvents {
  readonly header: SessionHeader
  /** Seq of the first; 0 begins anew, and what is known already from another one on is passed over. */
  readonly from: number
  readonly events: readonly SessionEvent[]
}

/**
 * How the words of a query must occur. `phrase`: all of them, adjacent and in order. `all`: all of them,
 * anywhere in the event. `any`: at least one. `auto`: events with the phrase first, then those with all
 * words, then every event with at least one word that decides; very common words do not decide where rarer
 * ones are there, and inflected forms match.
 */
export type Match = 'auto' | 'phrase' | 'all' | 'any'

/**
 * `relevance`: by BM25, neighbours and session counting a little. `occurrences`: by how often the words
 * occur, then the shorter text. `recent`: the newest first.
 */
export type Rank = 'relevance' | 'occurrences' | 'recent'

interface SearchRequest {
  /** Plain text; nothing in it acts as search syntax. */
  readonly query: string
  /** Default `auto`. */
  readonly match?: Match | undefined
  /** Default `relevance`. */
  readonly rank?: Rank | undefined
  /** Let the last word be the beginning of a longer one, for search as you type. Default false. */
  readonly prefixLast?: boolean | undefined
  /** Conditions on sessions, applied before ranking. */
  readonly sessionFilters?: readonly SessionFilter[] | undefined
  /** Hits on the page, 1 to `maxLimit`. Default `defaultLimit`. */
  readonly limit?: number | undefined
  /** `nextCursor` of the page before, with the same request otherwise. */
  readonly cursor?: string | undefined
  /** How long the search may take, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined
}

export interface SearchSessionsRequest extends SearchRequest {
  /** Conditions on events, applied before ranking and grouping. */
  readonly eventFilters?: readonly EventMetadataFilter[] | undefined
}

export interface SearchEventsRequest extends SearchRequest {
  /** Search this session alone. */
  readonly sessionId?: string | undefined
  /** Conditions on events, applied before ranking. */
  readonly filters?: readonly EventMetadataFilter[] | undefined
}

/** A session as lists and hits show it. */
export interface SessionRecord {
  readonly header: SessionHeader
  /** Open in a page right now. */
  readonly live: boolean
  /** Stored in the corpus. */
  readonly persisted: boolean
  /** Open in a page with another header than the one that is stored; this is the open one. */
  readonly conflict?: true
}

export interface SessionContent {
  readonly session: SessionHeader
  readonly events: readonly SessionEvent[]
}

/** The current surface of a session. */
export interface SessionSurface {
  readonly session: SessionHeader
  /** Seq of the last event that was taken into account; null for an empty log. */
  readonly capturedThroughSeq: number | null
  /** In model order. */
  readonly events: readonly SessionEvent[]
}

export type TitleResult =
  | {
      readonly sessionId: string
      readonly status: 'fulfilled'
      readonly session: SessionHeader
      readonly title?: SessionTitle
    }
  | { readonly sessionId: string; readonly status: 'rejected'; readonly error: SessionQueryError }

/** An event without its data. */
export interface EventRecord {
  readonly sessionId: string
  readonly seq: number
  readonly type: string
  readonly time: number
  readonly surface: SurfaceState
}

/** An event with its searchable text. */
export interface EventText extends EventRecord {
  readonly text: string
}

/** An event between its neighbours, the target among `events`. */
export interface EventWindow {
  readonly session: SessionHeader
  readonly target: SessionEvent
  readonly events: readonly SessionEvent[]
  readonly startSeq: number
  readonly endSeq: number
}

/** An event that matched. */
export interface EventHit extends EventRecord {
  /** White-space-normalised text around the best match, at most `snippetChars` code points. */
  readonly snippet: string
  /** `[start, end)` offsets into `snippet`, in UTF-16 units. */
  readonly highlights: readonly Span[]
  readonly matched: Matched
}

/** A session that matched, by its strongest event. */
export interface SessionHit extends SessionRecord {
  readonly bestMatch: EventHit
}

export interface SessionPage {
  readonly items: readonly SessionHit[]
  /** Present when more follows. */
  readonly nextCursor?: string
  /** False when the query holds no word (a letter, digit or emoji) to look for. */
  readonly searchable: boolean
  /** Present when the index had not come by every event yet, so that there may be more to find. */
  readonly index?: IndexStatus
}

export interface EventPage {
  /** Each hit with the header of its session. */
  readonly items: readonly (EventHit & { readonly header: SessionHeader })[]
  /** Present when more follows. */
  readonly nextCursor?: string
  readonly searchable: boolean
  /** The session that was searched, when the request named one. */
  readonly session?: SessionHeader
  /** Present when the index had not come by every event yet, so that there may be more to find. */
  readonly index?: IndexStatus
}

export interface WriteResult {
  readonly sessionId: string
  /** Whether this call added the session. */
  readonly created: boolean
  /** How many events this call added. */
  readonly appended: number
  /** How many events are stored now. */
  readonly length: number
}

/** `none` where no store is mounted: the corpus is the live sessions alone. */
export type StorageKind = 'opfs' | 'memory' | 'durable-object' | 'none'

/** Where a corpus is kept. */
export interface StoragePlace {
  readonly kind: StorageKind
  /** Why it is not the kind that was asked for first; absent when it is. */
  readonly because?: string
}

/**
 * `owner`: this page's worker has the databases open. `follower`: that of another tab has, and answers this one; when
 * it goes, this one or another takes over.
 */
export type TabRole = 'owner' | 'follower'

/** How the search index stands. */
export interface IndexStatus {
  /**
   * `closed`: not needed so far. `building`: being brought in step with the log; searches wait for it, reads do
   * not. `behind`: there is no room for what came last; searches do without it, and try again. `failed`: the next
   * search builds it anew. `disabled`: by `openIndexAt: 'never'`.
   */
  readonly state: 'closed' | 'building' | 'ready' | 'behind' | 'failed' | 'disabled'
  /** How many events can be searched. */
  readonly documents: number
  /** While it is `building` or `behind`: how many of the stored events it has come by. */
  readonly progress?: { readonly eventsDone: number; readonly eventsTotal: number }
}

export interface CorpusStatus {
  readonly storage: StoragePlace & {
    /** Size of the log database, in bytes. */
    readonly logBytes: number
    /** Size of the search index, in bytes; it can be rebuilt from the log at any time. */
    readonly indexBytes: number
    /**
     * Present when the log database is damaged: what can be read of it is read, `exportDatabase` saves that, and
     * nothing is removed.
     */
    readonly damaged?: true
    /** Whether the browser has promised to keep it until the user removes it; see `requestPersistence`. */
    readonly persistent: boolean
  }
  /** Who has the databases open, among the tabs that share the corpus. */
  readonly role: TabRole
  /** Stored ones. */
  readonly sessions: number
  /** Stored ones. */
  readonly events: number
  /** Sessions that are open in this page. */
  readonly live: number
  readonly index: IndexStatus
  /** Sessions that cannot be used in full, each with the error that says why. */
  readonly issues: readonly { readonly sessionId: string; readonly code: SessionQueryErrorCode }[]
}
