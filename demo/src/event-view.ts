import type { EventWindow, SessionCorpus, SessionEvent } from 'session-query'

import type { AppState } from './app-state.ts'
import type { Catalog } from './catalog.ts'
import { button, fill, h, part } from './dom.ts'
import { briefOf, textOf } from './event-text.ts'
import { formatMoment } from './format.ts'
import { jsonView } from './json-view.ts'
import { createLatest } from './latest.ts'
import { longText } from './long-text.ts'
import { markMatches } from './match-marks.ts'
import { announce, errorNote, showError } from './notices.ts'
import { scrollerOf } from './scroller.ts'
import type { SearchResults } from './search-results.ts'

export interface EventView {
  step(by: 1 | -1): void
}

const neighbours = 3
const copiedMs = 2_000

/** One event exactly as it is stored, between its neighbours. */
export function createEventView(
  corpus: SessionCorpus,
  state: AppState,
  catalog: Catalog,
  results: SearchResults,
): EventView {
  const body = part('event-body', HTMLDivElement)
  const previous = part('event-previous', HTMLButtonElement)
  const next = part('event-next', HTMLButtonElement)
  const latest = createLatest()
  let shown: EventWindow | undefined
  let said: HTMLElement | undefined

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
        said = undefined
        showHead('Event', seq, '')
        fill(body, errorNote('This event cannot be read.', error))
      },
    )
  }

  function show(window: EventWindow): void {
    // An event never changes; only what comes after it can.
    if (shown !== undefined && sameWindow(shown, window)) return
    shown = window
    const { target, events } = window
    showHead(target.type, target.seq, formatMoment(target.time))
    const text = textOf(target)
    said = text === '' ? undefined : saidElement(target.type)
    fill(
      body,
      neighbourRows(
        events.filter(({ seq }) => seq < target.seq),
        'Before',
      ),
      h(
        'article',
        { class: 'target' },
        ...(said === undefined ? [] : longText(said, text)),
        h(
          'div',
          { class: 'json-head' },
          h('h3', {}, 'Exact event, as it is stored'),
          copyButton(target),
        ),
        jsonView(target),
      ),
      neighbourRows(
        events.filter(({ seq }) => seq > target.seq),
        'After',
      ),
    )
    scrollerOf(body).scrollTop = 0
    markMatches(said, results.marked())
  }

  function showHead(title: string, seq: number, facts: string): void {
    fill(part('event-title', HTMLHeadingElement), title, h('span', { class: 'seq' }, `#${seq}`))
    part('event-facts', HTMLParagraphElement).textContent = facts
    // Not disabled: the focus stays on the button while one steps to the end.
    previous.ariaDisabled = String(shown === undefined || shown.target.seq === 0)
    next.ariaDisabled = String(shown === undefined || shown.endSeq === shown.target.seq)
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
        h('span', { class: 'brief', dir: 'auto' }, briefOf(event)),
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
  results.onChange(() => {
    if (state.view().seq !== undefined) markMatches(said, results.marked())
  })
  state.onChange((view, before) => {
    if (view.session !== before.session || view.seq !== before.seq) load()
  })
  return { step }
}

function sameWindow(left: EventWindow, right: EventWindow): boolean {
  return (
    left.session.id === right.session.id &&
    left.target.seq === right.target.seq &&
    left.startSeq === right.startSeq &&
    left.endSeq === right.endSeq
  )
}

/** It scrolls by itself, so it has to be reached by the Tab key. */
function saidElement(type: string): HTMLElement {
  return h('div', {
    class: type.startsWith('tool/') ? 'said code' : 'said',
    dir: 'auto',
    tabindex: 0,
    role: 'group',
    'aria-label': 'What was said',
  })
}

function copyButton(event: SessionEvent): HTMLButtonElement {
  const copy = button({ class: 'text-button' }, ['Copy JSON'], () => {
    void copyEvent()
  })

  async function copyEvent(): Promise<void> {
    try {
      await navigator.clipboard.writeText(JSON.stringify(event))
      copy.textContent = 'Copied'
      announce('Copied')
      window.setTimeout(() => (copy.textContent = 'Copy JSON'), copiedMs)
    } catch (error) {
      showError('The event could not be copied.', error)
    }
  }

  return copy
}
