import type { AppendOptions, LiveSession } from '../core/corpus.ts'
import { quoted, SessionQueryError } from '../core/errors.ts'
import type { SessionEvent, SessionHeader } from '../core/session.ts'
import type { LiveLog } from './live-log.ts'
import type { WriteBehind } from './write-behind.ts'

/** What an open session reports to the page's live sessions. */
export interface SessionOwner {
  now(): number
  appended(sessionId: string): void
  closed(sessionId: string): void
}

/** The session that its user holds: a log that grows, and is written behind. */
export class OpenSession implements LiveSession {
  readonly log: LiveLog
  /** Undefined for a session that is never stored. */
  readonly writing: WriteBehind | undefined
  readonly #owner: SessionOwner
  #closing: Promise<void> | undefined
  #refusing = false
  #closed = false

  constructor(log: LiveLog, writing: WriteBehind | undefined, owner: SessionOwner) {
    this.log = log
    this.writing = writing
    this.#owner = owner
  }

  get id(): string {
    return this.log.header.id
  }

  get header(): SessionHeader {
    return this.log.header
  }

  get length(): number {
    return this.log.events.length
  }

  get events(): readonly SessionEvent[] {
    return this.log.events.slice()
  }

  append(type: string, data: unknown, options: AppendOptions = {}): SessionEvent {
    if (this.#closed || this.#refusing || this.#closing !== undefined) throw this.#ended()
    const event = this.log.append(type, data, this.#owner.now(), options)
    this.writing?.wake()
    this.#owner.appended(this.id)
    return event
  }

  async flush(): Promise<void> {
    if (this.#closed) throw this.#ended()
    await this.writing?.flush()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closing ??= this.#end()
    try {
      await this.#closing
    } finally {
      this.#closing = undefined
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Takes no events any more. */
  refuse(): void {
    this.#refusing = true
  }

  /** Ends it at once, whatever is stored. */
  end(): void {
    this.#closed = true
    this.#owner.closed(this.id)
  }

  async #end(): Promise<void> {
    await this.writing?.flush()
    this.end()
  }

  #ended(): SessionQueryError {
    return new SessionQueryError(
      'SESSION_QUERY_WORKER_FAILED',
      `Session ${quoted(this.id)} is closed; resume it to go on with it.`,
    )
  }
}
