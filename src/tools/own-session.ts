import { isIndex } from '../core/json.ts'
import type { Viewer } from './access.ts'
import type { ToolHost } from './tool-call.ts'

/**
 * Where in the caller's own session that begins which the caller is doing right now: searches of it end before.
 *
 * @returns a seq: what the host says, or else the last `step/start`; undefined where there is neither
 */
export function ownBoundary({ boundarySeq }: ToolHost, viewer: Viewer): number | undefined {
  const given = typeof boundarySeq === 'function' ? boundarySeq() : boundarySeq
  if (isIndex(given)) return given
  return viewer.events().findLast(({ type }) => type === 'step/start')?.seq
}
