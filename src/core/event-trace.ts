import type { EventRecord } from './corpus.ts'
import type { SessionEvent, SessionHeader } from './session.ts'
import type { SurfaceFold } from './surface.ts'

/** How an event is tied to others of its session. Only direct ties, never transitive ones. */
export interface EventTrace {
  readonly session: SessionHeader
  readonly target: EventRecord
  /** The event that removed the target from the surface. */
  readonly replacedBy?: number
  /** Its replacer, the replacer of that one, and so on to the last. */
  readonly replacementChain: readonly number[]
  /** What the target removed from the surface, in model order. */
  readonly replacedEventSeqs: readonly number[]
  /** What the target was made from, as recorded. */
  readonly sourceEventSeqs: readonly number[]
  /** Later events that name the target as a source, ascending. */
  readonly derivedEventSeqs: readonly number[]
}

/** The ties of an event of a log that has been folded. */
export function traceEvent(session: SessionHeader, event: SessionEvent, fold: SurfaceFold): EventTrace {
  const replacementChain: number[] = []
  let replacer = fold.replacerOf(event.seq)
  while (replacer !== undefined) {
    replacementChain.push(replacer)
    replacer = fold.replacerOf(replacer)
  }
  const [replacedBy] = replacementChain
  return {
    session,
    target: eventRecord(session.id, event, fold),
    ...(replacedBy === undefined ? {} : { replacedBy }),
    replacementChain,
    replacedEventSeqs: fold.removedBy(event.seq).slice(),
    sourceEventSeqs: event.sourceEventSeqs ?? [],
    derivedEventSeqs: fold.citedBy(event.seq).slice(),
  }
}

/** An event without its data. */
export function eventRecord(sessionId: string, event: SessionEvent, fold: SurfaceFold): EventRecord {
  const { seq, type, time } = event
  return { sessionId, seq, type, time, surface: fold.stateOf(seq) }
}
