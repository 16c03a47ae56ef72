import { isSessionQueryError, SessionQueryError } from '../core/errors.ts'
import type { OpenIndexAt } from '../core/options.ts'
import type { SqlDatabase } from './database.ts'
import { DocumentIndex } from './index-documents.ts'
import { LiveDocuments } from './live-documents.ts'
import { openIndexSchema } from './schema.ts'
import type { StoredSession, StoredSessions } from './sessions.ts'
import type { StoredSurfaces } from './surfaces.ts'

/**
 * The life of the index: opened when it is first needed, kept in step with the log, built anew when it
 * is found damaged. What fails here never fails a write or an exact read.
 */
export class SearchIndex {
  readonly documents: DocumentIndex
  readonly live: LiveDocuments
  readonly #db: SqlDatabase
  readonly #identity: string
  readonly #openAt: OpenIndexAt
  #state: 'closed' | 'ready' | 'failed' = 'closed'

  /**
   * @param identity of the log that the index belongs to
   * @param openMemory makes a database in memory
   */
  constructor(
    db: SqlDatabase,
    identity: string,
    sessions: StoredSessions,
    surfaces: StoredSurfaces,
    openMemory: () => SqlDatabase,
    openAt: OpenIndexAt,
  ) {
    this.#db = db
    this.#identity = identity
    this.documents = new DocumentIndex(db, sessions, surfaces)
    this.live = new LiveDocuments(openMemory)
    this.#openAt = openAt
    if (openAt === 'startup') this.#quietly(() => undefined)
  }

  /**
   * Runs `body` on an index that is in step with the log. When the index turns out to be damaged it is made
   * anew and `body` runs again; what else `body` throws is thrown.
   *
   * @throws SessionQueryError `SESSION_QUERY_SEARCH_DISABLED`; `SESSION_QUERY_INDEX_FAILED` when the index can
   *   be neither used nor built anew
   */
  use<Result>(body: () => Result): Result {
    this.refuseIfDisabled()
    try {
      if (this.#state !== 'failed') return this.#opened(body)
    } catch (error) {
      if (!isStorageFailure(error)) throw error
      // No other index would help against a full disk.
      if (!mayBeDamage(error)) throw indexFailed(error)
    }
    this.#state = 'failed'
    try {
      openIndexSchema(this.#db, this.#identity, true)
      return this.#opened(body)
    } catch (error) {
      throw isStorageFailure(error) ? indexFailed(error) : error
    }
  }

  /** @throws SessionQueryError `SESSION_QUERY_SEARCH_DISABLED` where search was ruled out */
  refuseIfDisabled(): void {
    if (this.#openAt !== 'never') return
    throw new SessionQueryError(
      'SESSION_QUERY_SEARCH_DISABLED',
      'Search is disabled: the corpus was opened with openIndexAt "never".',
    )
  }

  /** Brings in what a session has gained. A failure shows at the next search. */
  follow(stored: StoredSession): void {
    this.#quietly(() => this.documents.follow(stored))
  }

  /** Takes out a session that is gone. A failure shows at the next search. */
  drop(session: number): void {
    this.#quietly(() => this.documents.drop(session))
  }

  #quietly(body: () => void): void {
    try {
      const waits = this.#openAt !== 'startup' && this.#state === 'closed'
      if (!waits && this.#state !== 'failed') this.#opened(body)
    } catch (error) {
      this.#state = mayBeDamage(error) ? 'failed' : 'closed'
    }
  }

  #opened<Result>(body: () => Result): Result {
    if (this.#state !== 'ready') {
      openIndexSchema(this.#db, this.#identity)
      this.documents.catchUp()
      this.live.rejoin(this.documents.table)
      this.#state = 'ready'
    }
    return body()
  }
}

function isStorageFailure(error: unknown): error is SessionQueryError {
  return isSessionQueryError(error) && error.code === 'SESSION_QUERY_PERSISTENCE_FAILED'
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
