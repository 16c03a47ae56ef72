import type { EventRecord, SessionCorpus } from 'session-query'

import { hitPlace, type AppState } from './app-state.ts'
import { createBriefs } from './briefs.ts'
import type { Catalog } from './catalog.ts'
import { button, fill, h, part } from './dom.ts'
import { eventItems, keyOfItem, runAround, type EventItem } from './event-items.ts'
import { eventRow, runRow } from './event-row.ts'
import { formatCount } from './format.ts'
import { createLatest } from './latest.ts'
import { errorNote } from './notices.ts'
import { createSessionHead } from './session-head.ts'
import { createWindowedList } from './windowed-list.ts'

export interface SessionView {
  focus(): void
}

/** The session that is open, with all its events. */
export function createSessionView(
  corpus: SessionCorpus,
  state: AppState,
  catalog: Catalog,
  remove: (sessionId: string) => void,
): SessionView {
  const element = part('events', HTMLUListElement)
  const count = part('events-count', HTMLParagraphElement)
  const note = part('events-note', HTMLDivElement)
  const showHead = createSessionHead(state, catalog, remove)
  const latest = createLatest()
  const briefs = createBriefs(corpus, (seq, brief) => {
    const line = element.querySelector(`[data-key="${seq}"] .brief`)
    if (line !== null) line.textContent = brief
  })
  const list = createWindowedList<EventItem>(element, { keyOf: keyOfItem, rowOf, rendered: readBriefs })
  const openRuns = new Set<number>()
  let records: readonly EventRecord[] = []
  let items: readonly EventItem[] = []
  let phase: 'unasked' | 'loading' | 'shown' | 'failed' = 'unasked'

  function rowOf(item: EventItem): HTMLLIElement {
    if (item.kind === 'run') {
      return runRow(item, () => {
        toggle(item.first)
      })
    }
    const { seq } = item.record
    return eventRow(item.record, briefs.of(seq), () => {
      state.go({ seq }, state.view().seq === undefined ? 'push' : 'replace')
    })
  }

  function readBriefs(rendered: readonly EventItem[]): void {
    briefs.want(rendered.flatMap((item) => (item.kind === 'event' ? [item.record.seq] : [])))
  }

  function toggle(run: number): void {
    if (!openRuns.delete(run)) openRuns.add(run)
    items = eventItems(records, openRuns)
    list.update(items)
  }

  /** Another session: nothing of the one before may stand under its name. */
  function begin(): void {
    const { session } = state.view()
    briefs.begin(session)
    openRuns.clear()
    records = []
    items = []
    phase = 'loading'
    list.show(items)
    showState()
    load()
  }

  function load(): void {
    const { session } = state.view()
    if (session === undefined) return latest.cancel()
    showHead(session)
    if (catalog.find(session) === undefined) return showMissing()
    latest.run((signal) => corpus.listEvents({ sessionId: session }, { signal }), show, showFailure)
  }

  function show(next: readonly EventRecord[]): void {
    const fresh = phase !== 'shown'
    phase = 'shown'
    // A log only grows: one of the same length is the same.
    if (!fresh && next.length === records.length) return
    records = next
    items = eventItems(records, openRuns)
    if (fresh) list.show(items)
    else list.update(items)
    showState()
    if (fresh) select()
  }

  function showMissing(): void {
    // There is no event of it either, and nothing to search within.
    state.go({ seq: undefined, ...(state.view().scope === 'session' && { scope: 'all' }) }, 'replace')
    showFailed(
      h(
        'div',
        { class: 'hint' },
        h('p', {}, 'It was deleted, or it is kept in another browser: logs are never sent anywhere.'),
        button({ class: 'text-button' }, ['Show the sessions that are here'], () => {
          state.go({ session: undefined }, 'push')
        }),
      ),
    )
  }

  function showFailure(error: unknown): void {
    showFailed(errorNote('The events cannot be shown.', error))
  }

  function showFailed(why: HTMLElement): void {
    latest.cancel()
    phase = 'failed'
    records = []
    items = []
    list.show(items)
    showState()
    if (hitPlace(state.view()) !== 'events') fill(note, why)
  }

  /** Does nothing while hits stand in place of the events. */
  function showState(): void {
    const searching = hitPlace(state.view()) === 'events'
    element.hidden = searching || items.length === 0
    if (searching) return
    note.hidden = false
    count.textContent = {
      unasked: '',
      loading: 'Loading…',
      shown: formatCount(records.length, 'event'),
      failed: '',
    }[phase]
    if (phase === 'failed') return
    const empty = phase === 'shown' && records.length === 0
    fill(note, empty && h('p', { class: 'hint' }, 'This session has no events yet.'))
  }

  function select(): void {
    const { seq } = state.view()
    const run = seq === undefined ? undefined : runAround(items, seq)
    if (run !== undefined) toggle(run.first)
    list.select(seq === undefined ? undefined : String(seq))
  }

  catalog.onChange(() => {
    if (phase === 'loading' || phase === 'shown') load()
    else begin()
  })
  state.onChange((view, before) => {
    if (view.session !== before.session) return begin()
    const came = hitPlace(before) === 'events' && hitPlace(view) !== 'events'
    showState()
    if (view.seq !== before.seq || came) select()
  })
  return list
}
