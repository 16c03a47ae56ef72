import { quoted } from '../core/errors.ts'
import { isIndex } from '../core/json.ts'
import { invalidConfig } from '../core/options.ts'
import type { Viewer } from './access.ts'
import type { ToolHost } from './tool-call.ts'

/**
 * Where in the caller's own session that begins which the caller is doing right now: searches of it end before.
 *
 * @returns a seq: what the host says, or else the last `step/start`; undefined where there is neither
 */
export function ownBoundary({ boundarySeq }: ToolHost, viewer: Viewer): number | undefined {
  const given: unknown = typeof boundarySeq === 'function' ? boundarySeq() : boundarySeq
  if (given !== undefined) return checkedBoundary(given)
  return viewer.events().findLast(({ type }) => type === 'step/start')?.seq
}

/**
 * A boundary that a host gives.
 *
 * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG`
 */
export function checkedBoundary(given: unknown): number {
  if (isIndex(given)) return given
  throw invalidConfig(
    `boundarySeq is ${quoted(given)}; it has to be a seq, or a function that gives one or undefined.`,
  )
}
