/** What one import in the page took. */
export interface ImportFigures {
  readonly sessions: number
  readonly events: number
  readonly seconds: number
  /** Main-thread tasks over 50 ms, in milliseconds. */
  readonly longTasks: readonly number[]
  /** The longest time between two turns of the event loop. */
  readonly longestGapMs: number
  readonly found: number
}
