import type { EventHit } from 'session-query'

import { button, h } from './dom.ts'
import { formatMoment } from './format.ts'
import { markedText } from './marked-text.ts'
import { surfaceMark } from './surface-mark.ts'

export interface HitRow {
  readonly key: string
  readonly hit: EventHit
  /** Absent where all hits are of one session. */
  readonly title?: string
}

export function hitRow({ hit, title }: HitRow, open: () => void): HTMLLIElement {
  const row = button(
    { class: 'row hit' },
    [
      title !== undefined && h('span', { class: 'title', dir: 'auto', title }, title),
      h('span', { class: 'excerpt', dir: 'auto' }, ...markedText(hit)),
      h(
        'span',
        { class: 'meta' },
        h('span', { class: 'place' }, surfaceMark(hit.surface), `${hit.type} #${hit.seq}`),
        h('span', {}, formatMoment(hit.time)),
      ),
      title !== undefined &&
        title !== hit.sessionId &&
        h('span', { class: 'id', title: hit.sessionId }, h('bdi', {}, hit.sessionId)),
    ],
    open,
  )
  return h('li', {}, row)
}
