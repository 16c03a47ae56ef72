import type { SessionQueryError } from '../core/errors.ts'
import { refusal } from './failure.ts'
import { jsonLine } from './text.ts'

/** A text that was put away, to be read in answers of at most `maxInlineBytes`. */
export interface Spilled {
  readonly locator: string
  /** How long it is, in bytes. */
  readonly size: number
  readonly maxInlineBytes: number
  /**
   * These bytes of it, and no others.
   *
   * @throws SessionQueryError where it is not kept; Error where the store does not give what it has to
   */
  readonly read: (from: number, to: number) => Promise<Uint8Array>
}

/** The tool that reads what was put away. */
export const spillReadName = 'spill_read'

/** What an `offset` counts, in bytes: small numbers are copied without mistakes. */
export const blockBytes = 1024

/**
 * A line of ours. Nobody knew the locator when the text was written, so the text has no such line, and what stands
 * between two of them needs no other mark.
 */
export function line(locator: string, words: string): string {
  return `[spill ${locator}: ${words}]`
}

/** A call of `spill_read`, as a model is to make it. */
export function call(args: { locator: string; find?: string; offset?: number }): string {
  return `${spillReadName} ${jsonLine(args)}`
}

/** Where the first code point begins that begins at `at` or after it, in bytes. */
export function boundary(bytes: Uint8Array, at: number): number {
  let start = at
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1
  return start
}

export function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/**
 * The text, with a byte-order mark at its beginning as well.
 *
 * @throws TypeError where it is not UTF-8
 */
export function decoded(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

/** The error for an offset at which there is nothing. */
export function pastTheEnd(offset: number, last: number): SessionQueryError {
  return refusal(
    'SESSION_QUERY_INVALID_FILTER',
    `offset is ${offset}; here it has to be a whole number from 0 to ${last}.`,
  )
}
