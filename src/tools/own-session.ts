import type { EventRecord } from '../core/corpus.ts'
import { quoted } from '../core/errors.ts'
import { isIndex } from '../core/json.ts'
import { invalidConfig } from '../core/options.ts'
import type { SessionHeader } from '../core/session.ts'
import type { Viewer } from './access.ts'
import type { ToolHost } from './tool-call.ts'

/** What the caller is doing right now: it began when the call was judged, and goes on. */
export interface OwnStep {
  /**
   * Seq in the caller's session at which it begins: what the host says, or else the last `step/start`; undefined where
   * there is neither.
   */
  readonly boundary: number | undefined
  /** Whether an event of another session is a copy of a part of it: a fork begins with the events of its parent. */
  readonly has: (header: SessionHeader, event: EventRecord) => boolean
}

/**
 * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG` for a boundary that is none; what the host's function throws
 */
export function ownStep({ boundarySeq }: ToolHost, viewer: Viewer): OwnStep {
  const given: unknown = typeof boundarySeq === 'function' ? boundarySeq() : boundarySeq
  const boundary =
    given === undefined
      ? viewer.events().findLast(({ type }) => type === 'step/start')?.seq
      : checkedBoundary(given)
  return {
    boundary,
    has(header, { seq, time, type }) {
      if (boundary === undefined || seq < boundary || !isInherited(header, seq)) return false
      const own = viewer.events()[seq]
      return own?.time === time && own.type === type
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
