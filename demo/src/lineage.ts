import type { SessionHeader } from 'session-query'

import type { Catalog } from './catalog.ts'
import { h } from './dom.ts'

/** How a session came from another, in a few words; undefined for one that stands alone. */
export function lineageOf(header: SessionHeader, catalog: Catalog): HTMLElement | undefined {
  if (header.parentSession === undefined) return undefined
  const parent = catalog.find(header.parentSession)?.title ?? header.parentSession
  return h('span', { title: parent }, `${relationOf(header)} `, h('bdi', {}, parent))
}

export function relationOf(header: SessionHeader): string {
  return header.origin === 'subagent' ? 'delegated by' : 'forked from'
}
