import type { SessionStore } from '../core/corpus.ts'
import { isSessionQueryError, persistenceFailed, SessionQueryError } from '../core/errors.ts'
import type { LiveLog } from './live-log.ts'

/** What a live log needs to be stored. */
export interface WriteTarget {
  /** The store that is mounted now; undefined where there is none. */
  store(): Pick<SessionStore, 'putSession' | 'appendEvents'> | undefined
  /** Runs something after this many milliseconds. */
  later(milliseconds: number, run: () => void): void
  /** Told once of each failure, not of each attempt. */
  failed(error: SessionQueryError): void
}

/**
 * Stores a live log behind its writer's back: in order, in batches, each all or nothing. What could not be
 * stored is kept and tried again with the next append or flush; the store recognises events that it has
 * already by their seq, so a batch whose answer was lost can be sent again.
 */
export class WriteBehind {
  readonly #log: LiveLog
  readonly #target: WriteTarget
  readonly #delay: number
  #begun: boolean
  #length: number
  #due = false
  /** Counts how often it began anew: an answer to an earlier beginning says nothing. */
  #round = 0
  #writing: Promise<void> | undefined
  #failing = false

  /**
   * @param stored how many events are stored already; undefined for a session that is not
   * @param delay the longest time that an event waits, in milliseconds
   */
  constructor(log: LiveLog, target: WriteTarget, stored: number | undefined, delay: number) {
    this.#log = log
    this.#target = target
    this.#delay = delay
    this.#begun = stored !== undefined
    this.#length = stored ?? 0
  }

  /** Whether everything is stored. */
  get done(): boolean {
    return this.#begun && this.#length === this.#log.events.length
  }

  /** Whether the session is stored with its first so many events. */
  hasStored(length: number): boolean {
    return this.#begun && this.#length >= length
  }

  /** Whether the last attempt to store something failed. */
  get failing(): boolean {
    return this.#failing
  }

  /** Whether the session has come to the store. */
  get begun(): boolean {
    return this.#begun
  }

  /** Takes nothing for stored any more; what is, the store recognises. */
  startAnew(): void {
    this.#begun = false
    this.#length = 0
    this.#round += 1
    this.wake()
  }

  /** Says that the log has grown. */
  wake(): void {
    if (this.#due) return
    this.#due = true
    this.#target.later(this.#delay, () => {
      this.#due = false
      // Who appends is told by the target; who flushes, by the promise.
      this.flush().catch(() => undefined)
    })
  }

  /**
   * Stores what is there now.
   *
   * @throws SessionQueryError `PERSISTENCE_FAILED`, `SOURCE_CONFLICT`
   */
  async flush(): Promise<void> {
    const upTo = this.#log.events.length
    while (!this.#begun || this.#length < upTo) {
      this.#writing ??= this.#write().finally(() => {
        this.#writing = undefined
      })
      await this.#writing
    }
  }

  async #write(): Promise<void> {
    const { header } = this.#log
    const batch = this.#log.batch(this.#length)
    const round = this.#round
    try {
      const store = this.#target.store()
      if (store === undefined)
        throw persistenceFailed('unavailable', 'No store is mounted to write to.')
      if (this.#begun) await store.appendEvents({ sessionId: header.id, events: batch })
      else await store.putSession({ header, events: batch })
      if (round !== this.#round) return
      this.#begun = true
      this.#length += batch.length
      this.#failing = false
    } catch (error) {
      // What it was told of is not what is to be stored now.
      if (round !== this.#round) return
      const failure = failureOf(error)
      if (!this.#failing) this.#target.failed(failure)
      this.#failing = true
      throw failure
    }
  }
}

/** What kept a batch from being stored, as the writer of the session is told. */
function failureOf(error: unknown): SessionQueryError {
  if (isSessionQueryError(error) && error.code !== 'SESSION_QUERY_WORKER_FAILED') {
    // The log folds: if the store refuses to go on with it, it has another one.
    const refused = ['SESSION_QUERY_SESSION_NOT_FOUND', 'SESSION_QUERY_INVALID_SURFACE']
    return refused.includes(error.code) ? changedBelow(error) : error
  }
  return persistenceFailed(
    'unavailable',
    'The store cannot be reached; the events are kept and tried again with the next append or flush.',
    error,
  )
}

function changedBelow(cause: SessionQueryError): SessionQueryError {
  return new SessionQueryError(
    'SESSION_QUERY_SOURCE_CONFLICT',
    'The stored session was deleted or cut short while it was open here.',
    { cause },
  )
}
