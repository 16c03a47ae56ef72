/** What came of searches that were ended, and how long each took, in milliseconds. */
export interface EndedSearches {
  readonly isolated: boolean
  readonly wholeMs: number
  readonly abortedMs: number
  readonly timedOutMs: number
  readonly abortedWith: unknown
  readonly timedOutWith: string
  readonly hitsBefore: number
  readonly hitsAfter: number
}
