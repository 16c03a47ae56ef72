import type { SessionFilter } from '../core/filter.ts'
import type { SessionHeader } from '../core/session.ts'
import { visibleAmong, type Viewer } from './access.ts'
import { valuesFilter } from './ranges.ts'
import { name } from './text.ts'
import type { ToolCall } from './tool-call.ts'

/**
 * A filter that lets the children of visible parents through, and sessions without a parent where they are asked for.
 *
 * @returns why nothing can pass, too, where that is so
 */
export async function parentFilter(
  call: ToolCall,
  viewer: Viewer,
  asked: readonly string[] | undefined,
  withRoots: boolean,
): Promise<{ readonly filters: readonly SessionFilter[]; readonly impossible?: string }> {
  const roots = withRoots ? [null] : []
  if (asked === undefined)
    return { filters: valuesFilter('parent', roots.length === 0 ? undefined : roots) }
  const visible = await visibleAmong(call, viewer, asked)
  const values = [...asked.filter((id) => visible.has(id)), ...roots]
  return values.length === 0
    ? { filters: [], impossible: 'None of parent_session_ids is a session that is visible to you.' }
    : { filters: valuesFilter('parent', values) }
}

/** What to call the parents of hits: a marker for those that are hidden or cannot be looked up. */
export async function parentsOf(
  call: ToolCall,
  viewer: Viewer,
  headers: readonly SessionHeader[],
): Promise<(parent: string | undefined) => string> {
  const parents = new Set(headers.flatMap(({ parentSession }) => parentSession ?? []))
  const visible = await call.spare('Parents', () => visibleAmong(call, viewer, [...parents]))
  return (parent) => {
    if (parent === undefined) return 'none'
    if (parent === viewer.id) return `${name(parent)} (your own session)`
    if (visible === undefined) return 'unavailable'
    return visible.has(parent) ? name(parent) : 'not visible'
  }
}
