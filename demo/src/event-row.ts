import type { EventRecord } from 'session-query'

import { button, h } from './dom.ts'
import { isBoundary } from './event-text.ts'
import { formatClock } from './format.ts'
import { surfaceMark } from './surface-mark.ts'

/** A row of the event list: an event, or a run of streamed chunks that opens on demand. */
export type EventItem = { readonly kind: 'event'; readonly record: EventRecord } | ChunkRun

export interface ChunkRun {
  readonly kind: 'run'
  readonly first: number
  readonly last: number
  readonly records: readonly EventRecord[]
}

const chunkType = 'assistant/chunk'

/** Chunks are most of a log and say little one by one: neighbours share a row. */
export function groupChunks(records: readonly EventRecord[]): EventItem[] {
  const items: EventItem[] = []
  for (let at = 0; at < records.length;) {
    const run = runAt(records, at)
    if (run.length > 1) items.push({ kind: 'run', first: at, last: at + run.length - 1, records: run })
    else
      items.push(...records.slice(at, at + 1).map((record): EventItem => ({ kind: 'event', record })))
    at += Math.max(run.length, 1)
  }
  return items
}

export function eventRow(record: EventRecord, brief: string, open: () => void): HTMLLIElement {
  const detail = [
    h('span', { class: 'clock' }, formatClock(record.time)),
    h('span', { class: 'brief' }, brief),
  ]
  const row = button(
    {
      class: `row event ${record.surface}${isShort(record.type) ? ' inline' : ''}`,
      'data-key': record.seq,
    },
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

export function runRow(run: ChunkRun, rowOf: (record: EventRecord) => HTMLLIElement): HTMLLIElement {
  const inner = h('ul', { class: 'rows', hidden: true })
  const toggle = button(
    { class: 'row run', 'data-key': `run ${run.first}`, 'aria-expanded': 'false' },
    [
      h('span', { class: 'seq' }, String(run.first)),
      h('span', { class: 'chevron', 'aria-hidden': 'true' }, '›'),
      h('span', {}, `${run.records.length} streamed chunks`),
    ],
    () => {
      expand(toggle.getAttribute('aria-expanded') === 'false')
    },
  )

  function expand(open: boolean): void {
    if (open && inner.childElementCount === 0) {
      inner.append(...run.records.map(rowOf))
      for (const row of inner.querySelectorAll<HTMLElement>('.row')) row.tabIndex = -1
    }
    inner.hidden = !open
    toggle.setAttribute('aria-expanded', String(open))
  }

  return h('li', {}, toggle, inner)
}

/** What an event of this type says fits beside its name. */
function isShort(type: string): boolean {
  return isBoundary(type) || type === chunkType
}

function runAt(records: readonly EventRecord[], start: number): readonly EventRecord[] {
  let end = start
  while (records[end]?.type === chunkType) end += 1
  return records.slice(start, end)
}
