import { hitPlace, type AppState, type View } from './app-state.ts'
import type { Catalog } from './catalog.ts'
import { part } from './dom.ts'
import type { SearchResults } from './search-results.ts'
import type { SessionList } from './session-list.ts'
import type { SessionView } from './session-view.ts'

interface Panes {
  readonly sessions: SessionList
  readonly session: SessionView
  readonly results: SearchResults
}

/**
 * Decides which panes there are, and which of them is in front where there is no room for all; and the
 * way back up. Returns that way.
 */
export function createNavigation(state: AppState, catalog: Catalog, panes: Panes): () => void {
  const content = part('content', HTMLElement)

  function back(): void {
    const { seq } = state.view()
    if (seq === undefined) state.go({ session: undefined }, 'push')
    else state.go({ seq: undefined }, 'push')
    focusRow()
  }

  /** After going back the focus is where it came from, not at the top of the page. */
  function focusRow(): void {
    if (frontOf(state.view()) === 'sessions') {
      if (!panes.results.focus('sessions')) panes.sessions.focus()
    } else if (!panes.results.focus('events')) panes.session.focus()
  }

  function nameTab(): void {
    const { session, query } = state.view()
    const parts = [
      query.trim() === '' ? '' : `“${query.trim().slice(0, 60)}”`,
      session === undefined ? '' : (catalog.find(session)?.title ?? session).slice(0, 80),
      'session-query',
    ]
    document.title = parts.filter((text) => text !== '').join(' · ')
  }

  part('back-to-sessions', HTMLButtonElement).addEventListener('click', () => {
    state.go({ session: undefined }, 'push')
    focusRow()
  })
  part('back-to-events', HTMLButtonElement).addEventListener('click', back)
  part('skip', HTMLAnchorElement).addEventListener('click', (event) => {
    // The address is the state of the page: the link must not write its own.
    event.preventDefault()
    content.focus()
    if (document.body.dataset['stage'] === 'ready') focusRow()
  })
  state.onChange((view) => {
    show(view)
    nameTab()
  })
  catalog.onChange(nameTab)
  show(state.view())
  return back
}

function show(view: View): void {
  const { dataset } = document.body
  const front = frontOf(view)
  dataset['open'] =
    view.session === undefined ? 'nothing' : view.seq === undefined ? 'session' : 'event'
  if (dataset['front'] === front) return
  dataset['front'] = front
  // Where the page scrolls as a whole, another pane begins at its top.
  window.scrollTo(0, 0)
}

function frontOf(view: View): 'sessions' | 'events' | 'event' {
  const place = hitPlace(view)
  if (view.found && place !== 'none') return place
  if (view.session === undefined) return 'sessions'
  return view.seq === undefined ? 'events' : 'event'
}
