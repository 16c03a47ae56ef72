import { throwIfAborted } from '../core/abort.ts'
import type { AbortSignalLike } from '../core/corpus.ts'
import { isSessionQueryError, SessionQueryError } from '../core/errors.ts'
import type { SqlDatabase } from './database.ts'

/** When a search has to end: after so long, or as soon as nobody waits for it any more. */
export class Deadline {
  readonly #now: () => number
  readonly #timeoutMs: number
  readonly #end: number
  readonly #signal: AbortSignalLike | undefined

  /** @param now milliseconds since some moment */
  constructor(now: () => number, timeoutMs: number, signal: AbortSignalLike | undefined) {
    this.#now = now
    this.#timeoutMs = timeoutMs
    this.#end = now() + timeoutMs
    this.#signal = signal
  }

  /** @throws SessionQueryError `SESSION_QUERY_TIMEOUT`; the signal's own reason */
  check(): void {
    throwIfAborted(this.#signal)
    if (this.#now() >= this.#end) throw this.#passed()
  }

  /**
   * Runs `body`, and ends it also inside a statement.
   *
   * @throws SessionQueryError as {@link check}
   */
  within<Result>(databases: readonly SqlDatabase[], body: () => Result): Result {
    const due = (): boolean => this.#signal?.aborted === true || this.#now() >= this.#end
    try {
      return databases.reduce((run, db) => () => db.interruptible(due, run), body)()
    } catch (error) {
      throwIfAborted(this.#signal)
      if (!isSessionQueryError(error) || error.code !== 'SESSION_QUERY_TIMEOUT') throw error
      throw this.#passed(error.cause)
    }
  }

  #passed(cause?: unknown): SessionQueryError {
    return new SessionQueryError(
      'SESSION_QUERY_TIMEOUT',
      `The search took longer than timeoutMs, which is ${this.#timeoutMs}.`,
      cause === undefined ? {} : { cause },
    )
  }
}
