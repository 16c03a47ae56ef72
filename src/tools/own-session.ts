import type { EventRecord } from '../core/corpus.ts'
import { quoted } from '../core/errors.ts'
import { isIndex } from '../core/json.ts'
import { invalidConfig } from '../core/options.ts'
import type { SessionHeader } from '../core/session.ts'
import type { Viewer } from './access.ts'
import type { ToolHost } from './tool-call.ts'

/** What the caller is doing right now, as it was when the call was judged: what comes later is a part of it. */
export interface OwnStep {
  /**
   * Seq in the caller's session at which it begins: what the host says, or else the last `step/start`; undefined where
   * there is neither.
   */
  readonly boundary: number | undefined
  /** Whether an event of another session is a copy of a part of it: a fork begins with the events of its parent. */
  readonly has: (header: SessionHeader, event: EventRecord) => boolean
}

export function ownStep({ boundarySeq }: ToolHost, viewer: Viewer): OwnStep {
  const given: unknown = typeof boundarySeq === 'function' ? boundarySeq() : boundarySeq
  const events = viewer.events()
  const boundary =
    given === undefined
      ? events.findLast(({ type }) => type === 'step/start')?.seq
      : checkedBoundary(given)
  return {
    boundary,
    has(header, { seq, time, type }) {
      if (boundary === undefined || seq < boundary || !isInherited(header, seq)) return false
      return events[seq]?.time === time && events[seq]?.type === type
    },
  }
}

/** Whether an event came with the fork. */
export function isInherited({ seedLength = 0 }: SessionHeader, seq: number): boolean {
  return seq < seedLength
}

/**
 * A boundary that a host gives.
 *
 * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG`
 */
export function checkedBoundary(given: unknown): number {
  if (isIndex(given)) return given
  throw invalidConfig(
    `boundarySeq is ${quoted(given)}; it has to be a seq, or a function that gives one.`,
  )
}
