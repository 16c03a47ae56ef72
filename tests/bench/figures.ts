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

/** How a page was kept busy while something was measured. */
export interface Busy {
  /** The longest time between two turns of the page's event loop, in milliseconds. */
  readonly longestGapMs: number
}

export interface OpenFigures extends Busy {
  /** From the call of `openCorpus` to the corpus, in milliseconds. */
  readonly openMs: number
  /** From the same call to the first answer of a search. */
  readonly firstAnswerMs: number
  readonly events: number
  readonly found: number
}

export interface AppendFigures extends Busy {
  /** From an append to the end of its flush, one by one, in milliseconds. */
  readonly durableMs: readonly number[]
}
