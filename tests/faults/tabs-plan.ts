/** How a tab got on. */
export interface TabReport {
  /** Events in its own session. */
  readonly appended: number
  readonly searches: number
  /** In milliseconds. */
  readonly longestCall: number
  readonly failures: readonly string[]
  /** When calls were answered again by somebody else, in milliseconds since the epoch. */
  readonly regained: readonly number[]
}

/** What a tab sees of sessions, by id. */
export type TabView = Record<
  string,
  {
    readonly length: number
    /** Events that are not what was appended at their place. */
    readonly wrong: number
    /** Where a word of the last event is found. */
    readonly found: number | undefined
  }
>
