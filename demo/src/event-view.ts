import type { EventWindow, SessionCorpus, SessionEvent } from 'session-query'

import type { AppState } from './app-state.ts'
import type { Catalog } from './catalog.ts'
import { button, fill, h, part } from './dom.ts'
import { briefOf, textOf } from './event-text.ts'
import { formatMoment } from './format.ts'
import { jsonView } from './json-view.ts'
import { createLatest } from './latest.ts'
import { errorNote, showError } from './notices.ts'

export interface EventView {
  step(by: 1 | -1): void
}

const neighbours = 3

/** One event exactly as it was recorded, between its neighbours. */
export function createEventView(corpus: SessionCorpus, state: AppState, catalog: Catalog): EventView {
  const body = part('event-body', HTMLDivElement)
  const previous = part('event-previous', HTMLButtonElement)
  const next = part('event-next', HTMLButtonElement)
  const latest = createLatest()
  let shown: EventWindow | undefined

  function load(): void {
    const { session: sessionId, seq } = state.view()
    if (sessionId === undefined || seq === undefined) {
      shown = undefined
      latest.cancel()
      return
    }
    const request = { sessionId, seq, before: neighbours, after: neighbours }
    latest.run(
      (signal) => corpus.readEvent(request, { signal }),
      show,
      (error) => {
        shown = undefined
        showHead('Event', seq, '')
        fill(body, errorNote('This event cannot be read.', error))
      },
    )
  }

  function show(window: EventWindow): void {
    shown = window
    const { target, events } = window
    showHead(target.type, target.seq, formatMoment(target.time))
    const text = textOf(target)
    fill(
      body,
      neighbourRows(
        events.filter(({ seq }) => seq < target.seq),
        'Before',
      ),
      h(
        'article',
        { class: 'target' },
        text !== '' && h('p', { class: target.type.startsWith('tool/') ? 'said code' : 'said' }, text),
        h('div', { class: 'json-head' }, h('h3', {}, 'Exact event'), copyButton(target)),
        jsonView(target),
      ),
      neighbourRows(
        events.filter(({ seq }) => seq > target.seq),
        'After',
      ),
    )
    body.scrollTop = 0
  }

  function showHead(title: string, seq: number, facts: string): void {
    fill(part('event-title', HTMLHeadingElement), title, h('span', { class: 'seq' }, `#${seq}`))
    part('event-facts', HTMLParagraphElement).textContent = facts
    previous.disabled = shown === undefined || shown.target.seq === 0
    next.disabled = shown === undefined || shown.endSeq === shown.target.seq
  }

  function neighbourRows(events: readonly SessionEvent[], label: string): HTMLElement | false {
    if (events.length === 0) return false
    return h('ul', { class: 'neighbours', 'aria-label': label }, ...events.map(neighbourRow))
  }

  function neighbourRow(event: SessionEvent): HTMLLIElement {
    const row = button(
      { class: 'neighbour' },
      [
        h('span', { class: 'seq' }, String(event.seq)),
        h('span', { class: 'type' }, event.type),
        h('span', { class: 'brief' }, briefOf(event)),
      ],
      () => {
        state.go({ seq: event.seq }, 'replace')
      },
    )
    return h('li', {}, row)
  }

  function step(by: 1 | -1): void {
    if (shown === undefined) return
    // From the event that was asked for last: a key that is held runs ahead of what is shown.
    const seq = (state.view().seq ?? shown.target.seq) + by
    if (seq >= shown.startSeq && seq <= shown.endSeq) state.go({ seq }, 'replace')
  }

  previous.addEventListener('click', () => {
    step(-1)
  })
  next.addEventListener('click', () => {
    step(1)
  })
  catalog.onChange(load)
  state.onChange((view, before) => {
    if (view.session !== before.session || view.seq !== before.seq) load()
  })
  return { step }
}

function copyButton(event: SessionEvent): HTMLButtonElement {
  const copy = button({ class: 'text-button', 'aria-live': 'polite' }, ['Copy JSON'], () => {
    void copyEvent()
  })

  async function copyEvent(): Promise<void> {
    try {
      await navigator.clipboard.writeText(JSON.stringify(event))
      copy.textContent = 'Copied'
    } catch (error) {
      showError('The event could not be copied.', error)
    }
  }

  return copy
}
