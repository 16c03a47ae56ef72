import { quoted, SessionQueryError } from '../core/errors.ts'
import { frozenCopy, lossOf } from '../core/json.ts'
import type { FoldedLog } from '../core/log-reads.ts'
import type { AppendOptions } from '../core/corpus.ts'
import type { SessionEvent, SessionHeader } from '../core/session.ts'
import { SurfaceFold } from '../core/surface.ts'
import { titleOf, type SessionTitle } from '../core/title.ts'

/** A log in this page's memory: it grows at its end, and what is in it does not change. */
export class LiveLog {
  readonly header: SessionHeader
  readonly #events: SessionEvent[] = []
  /** Length of each event as JSON. */
  readonly #sizes: number[] = []
  readonly #fold = new SurfaceFold((seq) => this.#events[seq])
  #title: SessionTitle | undefined
  #refusal: unknown

  /** @param events recorded before; if they do not fold, the log can be read event by event only */
  constructor(header: SessionHeader, events: readonly SessionEvent[]) {
    this.header = frozenCopy(header).kept
    for (const event of events) this.record(event)
  }

  get events(): readonly SessionEvent[] {
    return this.#events
  }

  /** Whether the log folds. */
  get folds(): boolean {
    return this.#refusal === undefined
  }

  get title(): SessionTitle | undefined {
    return this.#title
  }

  /** The next events from a seq on that may be written at once. */
  batch(from: number): SessionEvent[] {
    let to = from
    for (let size = 0; to < this.#events.length && to - from < batchEvents; to += 1) {
      size += this.#sizes[to] ?? 0
      if (size > batchLength && to > from) break
    }
    return this.#events.slice(from, to)
  }

  /**
   * Adds an event that was made elsewhere, as it is.
   *
   * @returns it, copied and frozen
   */
  record(event: SessionEvent): SessionEvent {
    const { kept, size } = frozenCopy(event)
    if (this.#refusal === undefined) {
      try {
        this.#fold.append(kept)
      } catch (error) {
        this.#refusal = error
      }
    }
    return this.#keep(kept, size)
  }

  /**
   * Adds the next event, if the fold takes it and it is lossless JSON.
   *
   * @throws SessionQueryError `CORRUPT_SESSION` or `INVALID_SURFACE`; the log is as it was
   */
  append(type: string, data: unknown, time: number, options: AppendOptions): SessionEvent {
    this.folded()
    const { surfaceOp, sourceEventSeqs, ignorable } = options
    const event = {
      type,
      seq: this.#events.length,
      time,
      data,
      ...(ignorable === undefined ? {} : { ignorable }),
      ...(surfaceOp === undefined ? {} : { surfaceOp }),
      ...(sourceEventSeqs === undefined ? {} : { sourceEventSeqs }),
    }
    const problem = typeof type !== 'string' || type === '' ? noType(type) : lossOf(event)
    if (problem !== undefined) {
      throw new SessionQueryError(
        'SESSION_QUERY_CORRUPT_SESSION',
        `The event of type ${quoted(type)} cannot be appended: ${problem}.`,
      )
    }
    // Lossless JSON all through, as was just seen.
    const { kept, size } = frozenCopy(event as SessionEvent)
    this.#fold.append(kept)
    return this.#keep(kept, size)
  }

  /**
   * The log with its fold.
   *
   * @throws SessionQueryError `INVALID_SURFACE` when it does not fold
   */
  folded(): FoldedLog {
    if (this.#refusal !== undefined) throw this.#refusal
    return { header: this.header, events: this.#events, fold: this.#fold }
  }

  #keep(event: SessionEvent, size: number): SessionEvent {
    this.#events.push(event)
    this.#sizes.push(size)
    this.#title = titleOf(event) ?? this.#title
    return event
  }
}

/** What is written at once at most: events, and UTF-16 units of JSON. */
const batchEvents = 500
const batchLength = 1 << 20

function noType(type: unknown): string {
  return `its type is ${quoted(type)}; it has to be a string that is not empty`
}
