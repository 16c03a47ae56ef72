import type { IndexStatus, LiveSessionEvents } from '../core/corpus.ts'
import { isSessionQueryError, SessionQueryError } from '../core/errors.ts'
import type { OpenIndexAt } from '../core/options.ts'
import { emptyJournal, type SqlDatabase } from './database.ts'
import type { Deadline } from './deadline.ts'
import type { DocumentTable } from './documents.ts'
import { DocumentIndex, type SessionIssue } from './index-documents.ts'
import { LiveDocuments } from './live-documents.ts'
import { rewriteWords } from './rewrite-words.ts'
import { openIndexSchema } from './schema.ts'
import type { StoredSession, StoredSessions } from './sessions.ts'
import type { StoredSurfaces } from './surfaces.ts'

export interface SearchIndexOptions {
  readonly db: SqlDatabase
  /** Of the log that the index belongs to. */
  readonly identity: string
  readonly sessions: StoredSessions
  readonly surfaces: StoredSurfaces
  /** Makes a database in memory. */
  readonly openMemory: () => SqlDatabase
  readonly openAt: OpenIndexAt
  /** Lets other calls have their turn. */
  readonly pause: () => Promise<void>
  /** Told how the index stands when that changes, and how the building of it gets on. */
  readonly changed: (index: IndexStatus) => void
  /** Told of each write where the index does not follow at once, but when it is {@link SearchIndex.advance}d or searched. */
  readonly behind?: (() => void) | undefined
}

/**
 * The life of the index: opened and brought in step with the log in the background, a slice at a time, while
 * exact reads go on; built anew when it is found damaged. What fails here never fails a write or a read.
 */
export class SearchIndex {
  readonly documents: DocumentIndex
  readonly live: LiveDocuments
  readonly #options: SearchIndexOptions
  #identity: string
  #state: Exclude<IndexStatus['state'], 'disabled'> = 'closed'
  #building: Promise<void> | undefined
  #scrubbing: Promise<void> | undefined
  /** Whether words of documents that are gone may still be in the database. */
  #unclean = false
  /** Whether the index that is being built has to be built again. */
  #spoiled = false
  #stopped = false
  /** Whether what the database holds has been read. */
  #loaded = false

  constructor(options: SearchIndexOptions) {
    const { db, sessions, surfaces, openMemory, openAt } = options
    this.#options = options
    this.#identity = options.identity
    this.documents = new DocumentIndex(db, sessions, surfaces)
    this.live = new LiveDocuments(openMemory)
    // Whoever searches first is told of a failure.
    if (openAt === 'startup') this.#ready().catch(() => undefined)
  }

  status(): IndexStatus {
    const state = this.#state
    if (!usable.has(state)) return { state, documents: 0 }
    const documents = this.documents.count()
    if (state === 'ready') return { state, documents }
    const eventsTotal = this.#options.sessions.count().events
    const eventsDone = Math.min(this.documents.eventsDone(), eventsTotal)
    return { state, documents, progress: { eventsDone, eventsTotal } }
  }

  /** Lets a session be read and found that is open in a page; found from when the index is open. */
  show(user: string, request: LiveSessionEvents): void {
    if (!this.live.show(user, this.#table(), request)) return
    const { header } = request
    const shown = this.live.find(header.id)
    if (shown !== undefined) this.documents.name(shown.session, header.id)
  }

  /** Ends {@link show}; of a session that somebody else shows by now it does nothing. */
  hide(user: string, sessionId: string): void {
    const shown = this.live.find(sessionId)
    if (shown?.user !== user) return
    this.live.hide(this.#table(), sessionId)
    this.documents.changed(shown.session)
  }

  /** For a page that was found in an index that has not come by every event. */
  shortfall(): { index?: IndexStatus } {
    return this.#state === 'ready' ? {} : { index: this.status() }
  }

  /** What is wrong with sessions, as far as it is known. */
  issues(): SessionIssue[] {
    return usable.has(this.#state) ? this.documents.issues() : []
  }

  /**
   * Runs `body` on an index that is in step with the log, when it is. When the index turns out to be damaged it
   * is made anew and `body` runs again; what else `body` throws is thrown.
   *
   * @param deadline ends the wait for the index; the building goes on
   * @throws SessionQueryError `SESSION_QUERY_INDEX_FAILED` when the index can be neither used nor built anew
   */
  async use<Result>(body: () => Result, deadline?: Deadline): Promise<Result> {
    try {
      await this.#ready(deadline)
      return body()
    } catch (error) {
      if (!isStorageFailure(error)) throw error
      // No other index would help against a full disk.
      if (!mayBeDamage(error)) throw indexFailed(error)
      this.#state = 'failed'
    }
    await this.#ready(deadline)
    try {
      return body()
    } catch (error) {
      throw isStorageFailure(error) ? indexFailed(error) : error
    }
  }

  /** Brings in what a session has gained. A failure shows at the next search. */
  follow(stored: StoredSession): void {
    const { behind } = this.#options
    if (behind === undefined) return this.#quietly(() => this.documents.follow(stored))
    if (this.#options.openAt === 'never') return
    if (this.#state === 'ready') this.#state = 'building'
    behind()
  }

  /**
   * Brings the index some events further.
   *
   * @param most how many; a long one counts as several
   * @returns whether it has come by all
   * @throws SessionQueryError `SESSION_QUERY_INDEX_FAILED`
   */
  async advance(most: number): Promise<boolean> {
    if (this.#state === 'ready' || this.#options.openAt === 'never') return true
    await this.#building
    this.#building ??= this.#build(this.#state === 'failed', most).finally(() => {
      this.#building = undefined
    })
    await this.#building
    return this.#state !== 'building'
  }

  /** Takes out a session that is gone. A failure shows at the next search. */
  drop(session: number): void {
    if (this.#state === 'ready') return this.#quietly(() => this.documents.drop(session))
    try {
      // What was indexed some other time must not stay where no index is opened.
      this.documents.drop(session)
    } catch {
      // An index that cannot be written is made anew before it is searched.
    }
  }

  /**
   * Writes the index anew without the words of documents that are gone, which FTS5 only marks as such: a slice at a
   * time, and once for all who ask meanwhile. An index that cannot be written so is given up, and built again by the
   * next search.
   */
  async scrub(): Promise<void> {
    this.#unclean = true
    this.#scrubbing ??= this.#merge().finally(() => {
      this.#scrubbing = undefined
    })
    await this.#scrubbing
  }

  /**
   * Makes the index anew, for a log that was made anew. A failure shows at the next search.
   *
   * @param identity of that log
   */
  async renew(identity: string): Promise<void> {
    const { db } = this.#options
    this.#identity = identity
    this.#spoiled = true
    await this.#building?.catch(() => undefined)
    try {
      if (!usable.has(this.#state) && this.#state !== 'failed') openIndexSchema(db, identity, true)
      else {
        this.#state = 'failed'
        await this.#ready()
      }
      emptyJournal(db)
    } catch {
      // One that cannot be made anew now is made anew by the next search, because it is of another log.
    }
  }

  /** Ends the building; the database is about to be closed. */
  stop(): void {
    this.#stopped = true
    this.live.close()
  }

  async #merge(): Promise<void> {
    const { db, pause } = this.#options
    try {
      while (this.#unclean && !this.#stopped) {
        this.#unclean = false
        await rewriteWords(db, pause, () => this.#stopped)
      }
      if (!this.#stopped) emptyJournal(db)
    } catch {
      if (this.#state === 'building') this.#spoiled = true
      else this.#state = 'failed'
    }
  }

  /** While the index is being built, the builder comes by what has changed. */
  #quietly(body: () => void): void {
    if (this.#state !== 'ready') return
    try {
      body()
    } catch (error) {
      this.#state = mayBeDamage(error) ? 'failed' : 'closed'
      this.#loaded = false
    }
  }

  /** The documents of an index that is open. */
  #table(): DocumentTable | undefined {
    return usable.has(this.#state) ? this.documents.table : undefined
  }

  /** Reads what the database holds; what is live is not in it. */
  #load(): void {
    this.#loaded = true
    this.documents.load()
    this.live.rejoin(this.documents.table)
    for (const { session, header } of this.live.list()) this.documents.name(session, header.id)
  }

  async #ready(deadline?: Deadline): Promise<void> {
    // Where others write into the same database, they may have taken back what was written here, too.
    if (this.#state === 'ready' && !this.#options.db.ownsFile && !this.documents.isInStep()) {
      this.#state = 'building'
      this.#loaded = false
    }
    // One that was found damaged as soon as it was built is built again.
    while (this.#state !== 'ready') {
      if (this.#stopped) {
        throw new SessionQueryError('SESSION_QUERY_WORKER_FAILED', 'The corpus is closed.')
      }
      this.#building ??= this.#build(this.#state === 'failed').finally(() => {
        this.#building = undefined
      })
      await (deadline === undefined ? this.#building : this.#built(deadline, this.#building))
      if (this.#state === 'behind') return
    }
  }

  /** Looks at the deadline whenever the building pauses. */
  async #built(deadline: Deadline, building: Promise<void>): Promise<void> {
    const end = building.then(() => true)
    // When the deadline ends the wait, nobody else may hear of a failure.
    end.catch(() => undefined)
    while (!(await Promise.race([end, this.#options.pause().then(() => false)]))) deadline.check()
  }

  /** @param most how many events to come by, of which a long one counts as several */
  async #build(anew: boolean, most = Infinity): Promise<void> {
    const { db } = this.#options
    this.#state = 'building'
    this.#spoiled = false
    try {
      if (anew || !this.#loaded) {
        this.#loaded = false
        openIndexSchema(db, this.#identity, anew)
        this.#load()
      }
      await this.#catchUp(most)
    } catch (error) {
      if (this.#stopped) return
      if (!anew && isFull(error)) {
        // What it has can be searched; the table in memory may be ahead of what could be written.
        this.#load()
        this.#state = 'behind'
        return
      }
      // Waited for: what is told at the end may fail over a log that is damaged itself.
      if (!anew && mayBeDamage(error)) return await this.#build(true, most)
      this.#state = 'failed'
      throw isStorageFailure(error) ? indexFailed(error) : error
    } finally {
      if (!this.#stopped) this.#tell()
    }
  }

  #tell(): void {
    try {
      this.#options.changed(this.status())
    } catch {
      // The log cannot be counted; who searches is told why.
    }
  }

  async #catchUp(most: number): Promise<void> {
    const { pause } = this.#options
    let left = slice
    let rest = most
    for (
      let lagging = this.documents.lagging();
      lagging.length > 0;
      lagging = this.documents.lagging()
    ) {
      for (const session of lagging) {
        for (let done = false; !done;) {
          const advance = this.documents.advance(session, left)
          done = advance.done
          left -= advance.effort
          rest -= advance.effort
          if (left > 0) continue
          this.#tell()
          if (rest <= 0) return
          await pause()
          if (this.#stopped) return
          if (this.#spoiled) {
            this.#state = 'failed'
            return
          }
          left = slice
        }
      }
    }
    // In the same turn in which nothing lagged: a write that comes from now on is followed.
    this.#state = this.#spoiled ? 'failed' : 'ready'
  }
}

/** Events, or what long ones count as, that are indexed before others have their turn: some tens of milliseconds. */
const slice = 500

function isStorageFailure(error: unknown): error is SessionQueryError {
  return isSessionQueryError(error) && error.code === 'SESSION_QUERY_PERSISTENCE_FAILED'
}

/** In which an index can be asked. */
const usable: ReadonlySet<IndexStatus['state']> = new Set(['ready', 'building', 'behind'])

function isFull(error: unknown): boolean {
  return isStorageFailure(error) && error.reason === 'full'
}

/** Whether an index made anew could do what this one could not. */
function mayBeDamage(error: unknown): boolean {
  return isStorageFailure(error) && (error.reason === 'corrupt' || error.reason === 'failed')
}

function indexFailed(cause: unknown): SessionQueryError {
  return new SessionQueryError(
    'SESSION_QUERY_INDEX_FAILED',
    'The search index can be neither used nor built anew; exact reads are not affected.',
    { cause },
  )
}
