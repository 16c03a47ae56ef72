import type { EventRecord, SessionCorpus, SessionHeader } from 'session-query'

import type { AppState } from './app-state.ts'
import type { Catalog } from './catalog.ts'
import { button, fill, h, part } from './dom.ts'
import { briefOf } from './event-text.ts'
import { eventRow, groupChunks, runRow, type EventItem } from './event-row.ts'
import { formatCount, formatDay } from './format.ts'
import { createLatest } from './latest.ts'
import { relationOf } from './lineage.ts'
import { errorNote } from './notices.ts'
import { createPagedList } from './paged-list.ts'

export interface SessionView {
  focus(): void
}

interface Loaded {
  readonly records: readonly EventRecord[]
  /** One line for each event; without it where the messages cannot be read. */
  readonly briefs: readonly string[]
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
  const latest = createLatest()
  const list = createPagedList<EventItem>(element, rowOf)
  let items: readonly EventItem[] = []
  let loaded: Loaded = { records: [], briefs: [] }

  function rowOf(item: EventItem): HTMLLIElement {
    return item.kind === 'event' ? recordRow(item.record) : runRow(item, recordRow)
  }

  function recordRow(record: EventRecord): HTMLLIElement {
    const { seq } = record
    return eventRow(record, loaded.briefs[seq] ?? '', () => {
      state.go({ seq }, state.view().seq === undefined ? 'push' : 'replace')
    })
  }

  function load(): void {
    const { session } = state.view()
    if (session === undefined) return latest.cancel()
    showHead(session)
    latest.run(
      (signal) => readLog(corpus, session, signal),
      show,
      (error) => {
        fill(element)
        count.textContent = ''
        fill(note, errorNote('The events cannot be shown.', error))
      },
    )
  }

  function show(next: Loaded): void {
    loaded = next
    items = groupChunks(loaded.records)
    list.show(items)
    showState()
    select()
  }

  function showState(): void {
    const { query, scope } = state.view()
    const searching = query.trim() !== '' && scope === 'session'
    element.hidden = searching
    if (searching) return
    count.textContent = formatCount(loaded.records.length, 'event')
    fill(
      note,
      loaded.records.length === 0 && h('p', { class: 'hint' }, 'This session has no events yet.'),
    )
  }

  function select(): void {
    const { seq } = state.view()
    if (seq !== undefined) {
      const index = items.findIndex((item) =>
        item.kind === 'event' ? item.record.seq === seq : seq >= item.first && seq <= item.last,
      )
      list.reveal(index)
      const item = items[index]
      if (item?.kind === 'run') openRun(item.first)
    }
    list.select(seq === undefined ? undefined : String(seq))
  }

  function openRun(first: number): void {
    element.querySelector<HTMLElement>(`[data-key="run ${first}"][aria-expanded="false"]`)?.click()
  }

  function showHead(sessionId: string): void {
    const entry = catalog.find(sessionId)
    part('session-title', HTMLHeadingElement).textContent = entry?.title ?? 'Not in this corpus'
    fill(
      part('session-facts', HTMLDivElement),
      ...(entry === undefined ? [] : factsOf(entry.record.header)),
      h('code', { class: 'id' }, sessionId),
    )
    part('delete-session', HTMLButtonElement).hidden = entry === undefined
  }

  function factsOf(header: SessionHeader): HTMLElement[] {
    const facts = [
      h('span', {}, header.cwd ?? 'no workspace'),
      h('span', {}, formatDay(header.createdAt)),
    ]
    const parent = header.parentSession
    if (parent === undefined) return facts
    const title = catalog.find(parent)?.title
    const link =
      title === undefined
        ? h('span', {}, parent)
        : button({ class: 'text-button' }, [title], () => {
            state.go({ session: parent, seq: undefined }, 'push')
          })
    return [...facts, h('span', {}, `${relationOf(header)} `, link)]
  }

  part('delete-session', HTMLButtonElement).addEventListener('click', () => {
    const { session } = state.view()
    if (session !== undefined) remove(session)
  })
  catalog.onChange(load)
  state.onChange((view, before) => {
    if (view.session !== before.session) load()
    else if (view.seq !== before.seq) select()
    showState()
  })
  return list
}

async function readLog(corpus: SessionCorpus, sessionId: string, signal: AbortSignal): Promise<Loaded> {
  const [records, briefs] = await Promise.all([
    corpus.listEvents({ sessionId }, { signal }),
    // The list is useful without its texts: a message that cannot be read shows when it is opened.
    corpus.readSession({ sessionId }, { signal }).then(
      ({ events }) => events.map(briefOf),
      (): string[] => [],
    ),
  ])
  return { records, briefs }
}
