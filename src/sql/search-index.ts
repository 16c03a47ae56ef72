import { isSessionQueryError, SessionQueryError } from '../core/errors.ts'
import type { SqlDatabase } from './database.ts'
import { DocumentIndex } from './index-documents.ts'
import { openIndexSchema } from './schema.ts'
import type { StoredSession, StoredSessions } from './sessions.ts'
import type { StoredSurfaces } from './surfaces.ts'

/**
 * The life of the index: opened when it is first needed, kept in step with the log, built anew when it
 * is found damaged. What fails here never fails a write or an exact read.
 */
export class SearchIndex {
  readonly documents: DocumentIndex
  readonly #db: SqlDatabase
  readonly #identity: string
  #state: 'closed' | 'ready' | 'failed' = 'closed'

  /** @param identity of the log that the index belongs to */
  constructor(db: SqlDatabase, identity: string, sessions: StoredSessions, surfaces: StoredSurfaces) {
    this.#db = db
    this.#identity = identity
    this.documents = new DocumentIndex(db, sessions, surfaces)
  }

  /**
   * Runs `body` on an index that is in step with the log.
   *
   * @throws SessionQueryError `SESSION_QUERY_INDEX_FAILED` when it can be neither used nor built anew
   */
  use<Result>(body: () => Result): Result {
    try {
      if (this.#state !== 'failed') return this.#opened(body)
    } catch (cause) {
      // No other index would help against a full disk or a fault of ours.
      if (!mayBeDamage(cause)) throw indexFailed(cause)
    }
    this.#state = 'failed'
    try {
      openIndexSchema(this.#db, this.#identity, true)
      return this.#opened(body)
    } catch (cause) {
      throw indexFailed(cause)
    }
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
      if (this.#state !== 'failed') this.#opened(body)
    } catch (error) {
      this.#state = mayBeDamage(error) ? 'failed' : 'closed'
    }
  }

  #opened<Result>(body: () => Result): Result {
    if (this.#state !== 'ready') {
      openIndexSchema(this.#db, this.#identity)
      this.documents.catchUp()
      this.#state = 'ready'
    }
    return body()
  }
}

/** Whether an index made anew could do what this one could not. */
function mayBeDamage(error: unknown): boolean {
  return isSessionQueryError(error) && (error.reason === 'corrupt' || error.reason === 'failed')
}

function indexFailed(cause: unknown): SessionQueryError {
  return new SessionQueryError(
    'SESSION_QUERY_INDEX_FAILED',
    'The search index can be neither used nor built anew; exact reads are not affected.',
    { cause },
  )
}
