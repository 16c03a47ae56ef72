/** How long a worker may give no sign of life after it was asked for one, in milliseconds. */
const patience = 2400

/** A look that comes later than this after the last one says nothing: the page itself stood still. */
const longestGap = 2000

/** How often to look while an answer is waited for, in milliseconds. */
export const lookEvery = 500

/**
 * Notices that a worker hangs. It looks only when it is told to, by whoever waits for an answer, so that a page whose
 * timers are slowed down notices through those that wait in other tabs.
 */
export class Watchdog {
  readonly #ask: () => void
  readonly #hung: () => void
  #asked: number | undefined
  #looks = 0
  #lastLook = 0

  /**
   * @param ask has the worker give a sign of life
   * @param hung called when it gave none
   */
  constructor(ask: () => void, hung: () => void) {
    this.#ask = ask
    this.#hung = hung
  }

  /** A sign of life. */
  heard(): void {
    this.#asked = undefined
  }

  look(): void {
    const now = performance.now()
    const stoodStill = now - this.#lastLook > longestGap
    this.#lastLook = now
    if (this.#asked === undefined || stoodStill) {
      this.#asked = now
      this.#looks = 0
      this.#ask()
      return
    }
    this.#looks += 1
    if (now - this.#asked < patience || this.#looks < 3) return
    this.#asked = undefined
    this.#hung()
  }
}
