import type { EventRecord } from 'session-query'

import { button, h } from './dom.ts'
import { chunkType, type ChunkRun } from './event-items.ts'
import { isBoundary } from './event-text.ts'
import { formatClock, formatCount } from './format.ts'
import { surfaceMark } from './surface-mark.ts'

export function eventRow(record: EventRecord, brief: string, open: () => void): HTMLLIElement {
  const detail = [
    h('span', { class: 'clock' }, formatClock(record.time)),
    h('span', { class: 'brief', dir: 'auto' }, brief),
  ]
  const row = button(
    { class: `row event ${record.surface}${isShort(record.type) ? ' inline' : ''}` },
    [
      h('span', { class: 'seq' }, String(record.seq)),
      surfaceMark(record.surface),
      h('span', { class: 'type' }, record.type),
      ...(isShort(record.type) ? detail.toReversed() : detail),
    ],
    open,
  )
  return h('li', {}, row)
}

export function runRow(run: ChunkRun, toggle: () => void): HTMLLIElement {
  const row = button(
    { class: 'row run', 'aria-expanded': String(run.open) },
    [
      h('span', { class: 'seq' }, String(run.first)),
      h('span', { class: 'chevron', 'aria-hidden': 'true' }, '›'),
      h('span', {}, formatCount(run.last - run.first + 1, 'streamed chunk')),
    ],
    toggle,
  )
  return h('li', {}, row)
}

/** What an event of this type says fits beside its name. */
function isShort(type: string): boolean {
  return isBoundary(type) || type === chunkType
}
