import type { SurfaceState } from 'session-query'

import { h } from './dom.ts'

const marks: Record<SurfaceState, { readonly sign: string; readonly meaning: string }> = {
  current: { sign: '●', meaning: 'current: the model sees it' },
  shadowed: { sign: '◐', meaning: 'shadowed: replaced by a later event' },
  'log-only': { sign: '○', meaning: 'log-only: recorded, never seen by the model' },
}

/** Where an event stands, as a sign with its meaning for those who do not see it. */
export function surfaceMark(state: SurfaceState): HTMLElement {
  const { sign, meaning } = marks[state]
  return h(
    'span',
    { class: `surface ${state}`, title: meaning },
    h('span', { 'aria-hidden': 'true' }, sign),
    h('span', { class: 'unseen' }, state),
  )
}
