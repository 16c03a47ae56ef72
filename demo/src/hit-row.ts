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

export function hitRow({ key, hit, title }: HitRow, open: () => void): HTMLLIElement {
  const row = button(
    { class: 'row hit', 'data-key': key },
    [
      title !== undefined && h('span', { class: 'title' }, title),
      h('span', { class: 'excerpt' }, ...markedText(hit)),
      h(
        'span',
        { class: 'meta' },
        h('span', { class: 'place' }, surfaceMark(hit.surface), `${hit.type} #${hit.seq}`),
        h('span', {}, formatMoment(hit.time)),
      ),
      title !== undefined && h('span', { class: 'id' }, hit.sessionId),
    ],
    open,
  )
  return h('li', {}, row)
}
