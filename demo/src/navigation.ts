import type { AppState, View } from './app-state.ts'
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
 * Which of sessions, events and event is in front where there is no room for all three, and the
 * way back up. Returns that way.
 */
export function createNavigation(state: AppState, panes: Panes): () => void {
  const content = part('content', HTMLElement)

  function back(): void {
    const { seq } = state.view()
    if (seq === undefined) state.go({ session: undefined }, 'push')
    else state.go({ seq: undefined }, 'push')
    focusLevel()
  }

  /** After going back the focus is where it came from, not at the top of the page. */
  function focusLevel(): void {
    if (levelOf(state.view()) === 'sessions') {
      if (!panes.results.focus('session')) panes.sessions.focus()
    } else if (!panes.results.focus('event')) panes.session.focus()
  }

  part('back-to-sessions', HTMLButtonElement).addEventListener('click', () => {
    state.go({ session: undefined }, 'push')
    focusLevel()
  })
  part('back-to-events', HTMLButtonElement).addEventListener('click', back)
  part('skip', HTMLAnchorElement).addEventListener('click', (event) => {
    // The address is the state of the page: the link must not write its own.
    event.preventDefault()
    content.focus()
    if (document.body.dataset['stage'] === 'ready') focusLevel()
  })
  state.onChange(show)
  show(state.view())
  return back
}

function show(view: View): void {
  const level = levelOf(view)
  if (document.body.dataset['level'] === level) return
  document.body.dataset['level'] = level
  // Where the page scrolls as a whole, another pane begins at its top.
  window.scrollTo(0, 0)
}

function levelOf({ session, seq }: View): 'sessions' | 'events' | 'event' {
  if (session === undefined) return 'sessions'
  return seq === undefined ? 'events' : 'event'
}
