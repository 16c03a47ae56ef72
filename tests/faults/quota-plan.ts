import type { SessionQueryErrorCode } from '../../src/index.ts'

/** How a call in the page ended. */
export type Outcome =
  | { readonly done: true }
  | { readonly code: SessionQueryErrorCode; readonly reason?: string; readonly message: string }

/** What a tab reads and finds of a session. */
export interface SessionView {
  readonly length: number
  /** Events that are not what was appended at their place. */
  readonly wrong: number
  /** The first and the last event, and where the word that only this one has is found. */
  readonly found: readonly { readonly seq: number; readonly at: readonly number[] }[]
}

/** What a tab was told of storage. */
export interface TabFailure {
  readonly sessionId?: string
  readonly reason?: string
}
