import { SurfaceFold } from '../core/surface.ts'
import type { StoredSession, StoredSessions } from './sessions.ts'

/** How many folds are kept at hand. */
const kept = 256

/** The folded surfaces of stored logs; those used last are kept and grow with their logs. */
export class StoredSurfaces {
  readonly #sessions: StoredSessions
  readonly #folds = new Map<number, SurfaceFold>()

  constructor(sessions: StoredSessions) {
    this.#sessions = sessions
  }

  /**
   * The fold of a session's whole log. One that a failed write left ahead of its log has another
   * length than the log, and is made anew.
   *
   * @throws SessionQueryError `SESSION_QUERY_INVALID_SURFACE`
   */
  of({ session, length }: Pick<StoredSession, 'session' | 'length'>): SurfaceFold {
    const known = this.#folds.get(session)
    this.#folds.delete(session)
    const fold = known?.length === length ? known : this.#folded(session)
    this.#folds.set(session, fold)
    for (const oldest of this.#folds.keys()) {
      if (this.#folds.size <= kept) break
      this.#folds.delete(oldest)
    }
    return fold
  }

  /** Lets go of the fold of a session that is gone. */
  forget(session: number): void {
    this.#folds.delete(session)
  }

  /** Lets go of all. */
  forgetAll(): void {
    this.#folds.clear()
  }

  #folded(session: number): SurfaceFold {
    const fold = new SurfaceFold((seq) => this.#sessions.event(session, seq))
    for (const event of this.#sessions.eachEvent(session)) fold.append(event)
    return fold
  }
}
