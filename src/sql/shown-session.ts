import { isSessionQueryError } from '../core/errors.ts'
import type { FoldedLog } from '../core/log-reads.ts'
import type { LogAtHand } from '../core/session-reads.ts'
import type { SessionEvent, SessionHeader } from '../core/session.ts'
import { SurfaceFold } from '../core/surface.ts'
import { titleOf, type SessionTitle } from '../core/title.ts'

/** A session that is open in a page and is not stored as it is there. */
export class ShownSession implements LogAtHand {
  /** Its number; below 0, so that it is no stored session's. */
  readonly session: number
  readonly header: SessionHeader
  /** Its documents, by seq, each with all its pieces. */
  readonly docs = new Map<number, readonly number[]>()
  readonly fold = new SurfaceFold((seq) => this.#events[seq])
  readonly #events: SessionEvent[] = []
  #title: SessionTitle | undefined
  #refusal: unknown

  /** Whose page has it open. */
  readonly user: string

  constructor(session: number, header: SessionHeader, user: string) {
    this.session = session
    this.header = header
    this.user = user
  }

  get events(): readonly SessionEvent[] {
    return this.#events
  }

  get title(): SessionTitle | undefined {
    return this.#title
  }

  get folds(): boolean {
    return this.#refusal === undefined
  }

  /**
   * Takes in the next event.
   *
   * @returns the seqs of the events that it took off the surface; undefined from the first event on that does not fold
   */
  add(event: SessionEvent): readonly number[] | undefined {
    this.#events.push(event)
    this.#title = titleOf(event) ?? this.#title
    if (this.#refusal !== undefined) return undefined
    try {
      return this.fold.append(event)
    } catch (error) {
      if (!isSessionQueryError(error)) throw error
      this.#refusal = error
      return undefined
    }
  }

  folded(): FoldedLog {
    if (this.#refusal !== undefined) throw this.#refusal
    return this
  }
}
