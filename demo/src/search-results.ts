import type { EventPage, SessionCorpus, SessionPage } from 'session-query'

import type { AppState, View } from './app-state.ts'
import type { Catalog } from './catalog.ts'
import { fill, h, part } from './dom.ts'
import { formatCount } from './format.ts'
import { hitRow, type HitRow } from './hit-row.ts'
import { createLatest } from './latest.ts'
import { errorNote } from './notices.ts'
import { createPagedList } from './paged-list.ts'

export interface SearchResults {
  /** Moves the focus to the sessions or the events that matched; false when there are none. */
  focus(kind?: 'session' | 'event'): boolean
  openFirst(): void
}

const limit = 50

/** Runs the search that the view asks for and shows what it found: sessions, or events of one. */
export function createSearchResults(
  corpus: SessionCorpus,
  state: AppState,
  catalog: Catalog,
): SearchResults {
  const sessionPlace = {
    list: part('hits', HTMLUListElement),
    count: part('list-count', HTMLParagraphElement),
    note: part('hits-note', HTMLDivElement),
  }
  const eventPlace = {
    list: part('event-hits', HTMLUListElement),
    count: part('events-count', HTMLParagraphElement),
    note: part('events-note', HTMLDivElement),
  }
  const latest = createLatest()
  const sessionHits = createPagedList<HitRow>(sessionPlace.list, rowOf, leave)
  const eventHits = createPagedList<HitRow>(eventPlace.list, rowOf, leave)
  let rows: readonly HitRow[] = []

  function rowOf(row: HitRow): HTMLLIElement {
    return hitRow(row, () => {
      open(row)
    })
  }

  function open({ hit }: HitRow): void {
    state.go({ session: hit.sessionId, seq: hit.seq }, 'push')
  }

  function search(): void {
    const { query, scope, phrase, session } = state.view()
    if (query.trim() === '') return stop()
    const request = { query, match: phrase ? 'phrase' : 'all', prefixLast: true, limit } as const
    if (scope === 'session' && session !== undefined) {
      latest.run(
        (signal) => corpus.searchEvents({ ...request, sessionId: session }, { signal }),
        showEvents,
        showFailure,
      )
    } else {
      latest.run((signal) => corpus.searchSessions(request, { signal }), showSessions, showFailure)
    }
  }

  function stop(): void {
    latest.cancel()
    rows = []
    for (const { list, note } of [sessionPlace, eventPlace]) {
      list.hidden = true
      if (list === sessionPlace.list) note.hidden = true
    }
  }

  function showSessions({ items, searchable }: SessionPage): void {
    rows = items.map(({ header, bestMatch }) => ({
      key: `${header.id} ${bestMatch.seq}`,
      hit: bestMatch,
      title: catalog.find(header.id)?.title ?? header.id,
    }))
    sessionHits.show(rows)
    sessionPlace.list.hidden = rows.length === 0
    sessionPlace.count.textContent = searchable ? counted(rows.length, 'session') : ''
    sessionPlace.note.hidden = rows.length > 0
    fill(sessionPlace.note, emptyNote(searchable, state.view()))
    select()
  }

  function showEvents({ items, searchable }: EventPage): void {
    rows = items.map((hit) => ({ key: String(hit.seq), hit }))
    eventHits.show(rows)
    eventPlace.list.hidden = rows.length === 0
    eventPlace.count.textContent = searchable ? counted(rows.length, 'matching event') : ''
    fill(eventPlace.note, rows.length === 0 && emptyNote(searchable, state.view()))
    select()
  }

  function showFailure(error: unknown): void {
    const { list, count, note } = place(state.view()) === 'event' ? eventPlace : sessionPlace
    rows = []
    list.hidden = true
    count.textContent = ''
    note.hidden = false
    fill(note, errorNote('The search failed.', error))
  }

  function select(): void {
    const { session, seq } = state.view()
    sessionHits.select(`${session} ${seq}`)
    eventHits.select(seq === undefined ? undefined : String(seq))
  }

  catalog.onChange(search)
  state.onChange((view, before) => {
    if (place(view) !== place(before)) stop()
    if (asked(view) === asked(before)) select()
    else search()
  })
  return {
    focus(kind) {
      const shown = place(state.view())
      if (rows.length === 0 || (kind !== undefined && kind !== shown)) return false
      if (shown === 'event') eventHits.focus()
      else sessionHits.focus()
      return true
    },
    openFirst() {
      const [first] = rows
      if (first !== undefined) open(first)
    },
  }
}

function leave(): void {
  part('query', HTMLInputElement).focus()
}

function place({ query, scope }: View): 'none' | 'session' | 'event' {
  if (query.trim() === '') return 'none'
  return scope === 'session' ? 'event' : 'session'
}

/** All that decides what a search finds. */
function asked({ query, scope, phrase, session }: View): string {
  return JSON.stringify([query, phrase, scope === 'session' ? session : null])
}

function counted(count: number, one: string): string {
  return count < limit ? formatCount(count, one) : `the best ${formatCount(count, one)}`
}

function emptyNote(searchable: boolean, { scope, phrase }: View): HTMLElement {
  if (!searchable) {
    return h(
      'p',
      { class: 'hint' },
      'There is no word to look for yet: type a letter, a digit or an emoji.',
    )
  }
  const where = scope === 'session' ? 'No event of this session holds' : 'No event holds'
  return h('p', { class: 'hint' }, `${where} ${phrase ? 'exactly this phrase' : 'all of these words'}.`)
}
