import { isIndex, isObject, type JsonObject } from './json.ts'
import type { SessionEvent } from './session.ts'

/** What a session is called. */
export interface SessionTitle {
  readonly title: string
  /** The messages that the title was made from. */
  readonly messageSeqs: readonly number[]
  readonly source: JsonObject & { readonly kind: string }
  /** Seq of the `session/title` event. */
  readonly eventSeq: number
  /** Its time, in milliseconds since the epoch. */
  readonly updatedAt: number
}

/** The event type that names a session; the latest well-formed one counts. */
export const titleType = 'session/title'

/** The title that an event gives; undefined for other events and for a malformed one. */
export function titleOf(event: SessionEvent): SessionTitle | undefined {
  if (event.type !== titleType || !isObject(event.data)) return undefined
  const { title, messageSeqs, source } = event.data
  if (typeof title !== 'string' || !isTitleSource(source)) return undefined
  if (!Array.isArray(messageSeqs) || !messageSeqs.every(isIndex)) return undefined
  return { title, messageSeqs, source, eventSeq: event.seq, updatedAt: event.time }
}

/** The title of a session whose events these are, in the order of their seqs. */
export function latestTitle(events: readonly SessionEvent[]): SessionTitle | undefined {
  for (const event of events.toReversed()) {
    const title = titleOf(event)
    if (title !== undefined) return title
  }
  return undefined
}

function isTitleSource(source: unknown): source is SessionTitle['source'] {
  return isObject(source) && ['fallback', 'provider', 'user'].includes(source['kind'] as string)
}
