import type { EventHit, EventPage, SessionCorpus, SessionPage } from 'session-query'

import { hitPlace, type AppState, type View } from './app-state.ts'
import type { Catalog } from './catalog.ts'
import { part } from './dom.ts'
import { createHitList } from './hit-list.ts'
import type { HitRow } from './hit-row.ts'
import { createLatest } from './latest.ts'

export interface SearchResults {
  /** Moves the focus to what was found in this place, or in either; false when there is nothing. */
  focus(place?: 'sessions' | 'events'): boolean
  /** Opens the first hit of what is asked now, as soon as there is an answer. */
  openFirst(): void
  /** The pieces of text that were marked in what was found. */
  marked(): ReadonlySet<string>
  onChange(listener: () => void): void
}

/** The most that the library gives at once. */
const limit = 100

/** Runs the search that the view asks for and shows what it found: sessions, or events of one. */
export function createSearchResults(
  corpus: SessionCorpus,
  state: AppState,
  catalog: Catalog,
): SearchResults {
  const lists = {
    sessions: createHitList(
      {
        list: part('hits', HTMLUListElement),
        count: part('list-count', HTMLParagraphElement),
        note: part('hits-note', HTMLDivElement),
      },
      { one: 'session', limit, open },
    ),
    events: createHitList(
      {
        list: part('event-hits', HTMLUListElement),
        count: part('events-count', HTMLParagraphElement),
        note: part('events-note', HTMLDivElement),
      },
      { one: 'matching event', limit, open },
    ),
  }
  const latest = createLatest()
  const listeners: (() => void)[] = []
  let rows: readonly HitRow[] = []
  let marked: ReadonlySet<string> = new Set()
  /** What `rows` answer. */
  let answered: string | undefined
  let openWhenAnswered: string | undefined

  function open({ hit }: HitRow): void {
    state.go({ session: hit.sessionId, seq: hit.seq }, 'push')
  }

  function search(): void {
    const view = state.view()
    const { query, phrase, session } = view
    const place = hitPlace(view)
    if (place === 'none') return stop()
    const request = { query, match: phrase ? 'phrase' : 'auto', prefixLast: true, limit } as const
    if (answered === undefined) lists[place].wait()
    if (place === 'events' && session !== undefined) {
      latest.run(
        (signal) => corpus.searchEvents({ ...request, sessionId: session }, { signal }),
        (page) => {
          show(eventRows(page), page.searchable)
        },
        fail,
      )
    } else {
      latest.run(
        (signal) => corpus.searchSessions(request, { signal }),
        (page) => {
          show(sessionRows(page, catalog), page.searchable)
        },
        fail,
      )
    }
  }

  function stop(): void {
    latest.cancel()
    forget()
    answered = undefined
    for (const list of Object.values(lists)) list.hide()
  }

  function show(next: readonly HitRow[], searchable: boolean): void {
    const view = state.view()
    const place = hitPlace(view)
    if (place === 'none') return
    const again = answered === asked(view)
    // What was imported meanwhile seldom changes what is found: then nothing moves.
    if (again && JSON.stringify(next) === JSON.stringify(rows)) return
    rows = next
    answered = asked(view)
    marked = new Set(next.flatMap(({ hit }) => markedPieces(hit)))
    lists[place].show(rows, { again, searchable, phrase: view.phrase })
    select()
    for (const listener of listeners) listener()
    if (openWhenAnswered === answered) openFirst()
  }

  function fail(error: unknown): void {
    const place = hitPlace(state.view())
    if (place === 'none') return
    forget()
    answered = asked(state.view())
    lists[place].fail(error)
  }

  function forget(): void {
    rows = []
    openWhenAnswered = undefined
    if (marked.size === 0) return
    marked = new Set()
    for (const listener of listeners) listener()
  }

  function select(): void {
    const { session, seq } = state.view()
    lists.sessions.select(`${session} ${seq}`)
    lists.events.select(seq === undefined ? undefined : String(seq))
  }

  function openFirst(): void {
    openWhenAnswered = undefined
    const [first] = rows
    const place = hitPlace(state.view())
    if (first === undefined || place === 'none') return
    lists[place].focus()
    open(first)
  }

  catalog.onChange(search)
  state.onChange((view, before) => {
    // Hits of another session may not stand under the name of this one.
    const elsewhere = hitPlace(view) === 'events' && view.session !== before.session
    if (hitPlace(view) !== hitPlace(before) || elsewhere) stop()
    if (asked(view) === asked(before)) select()
    else search()
  })
  return {
    marked: () => marked,
    onChange(listener) {
      listeners.push(listener)
    },
    focus(place) {
      const shown = hitPlace(state.view())
      if (rows.length === 0 || shown === 'none' || (place ?? shown) !== shown) return false
      lists[shown].focus()
      return true
    },
    openFirst() {
      const wanted = asked(state.view())
      if (answered === wanted) openFirst()
      else openWhenAnswered = wanted
    },
  }
}

function sessionRows({ items }: SessionPage, catalog: Catalog): readonly HitRow[] {
  return items.map(({ header, bestMatch }) => ({
    key: `${header.id} ${bestMatch.seq}`,
    hit: bestMatch,
    title: catalog.find(header.id)?.title ?? header.id,
  }))
}

function eventRows({ items }: EventPage): readonly HitRow[] {
  return items.map((hit) => ({ key: String(hit.seq), hit }))
}

function markedPieces({ snippet, highlights }: EventHit): string[] {
  return highlights.map(([start, end]) => snippet.slice(start, end))
}

/** All that decides what a search finds. */
function asked(view: View): string {
  const place = hitPlace(view)
  return JSON.stringify([view.query, view.phrase, place, place === 'events' ? view.session : null])
}
