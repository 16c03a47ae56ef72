import type { EventHit } from 'session-query'

import { h, type Child } from './dom.ts'

/** The excerpt of a hit, what matched in `mark` elements. */
export function markedText({ snippet, highlights }: Pick<EventHit, 'snippet' | 'highlights'>): Child[] {
  const nodes: Child[] = []
  let at = 0
  for (const [start, end] of highlights) {
    nodes.push(snippet.slice(at, start), h('mark', {}, snippet.slice(start, end)))
    at = end
  }
  nodes.push(snippet.slice(at))
  return nodes
}
