import type { AppState } from './app-state.ts'
import { part } from './dom.ts'
import type { SearchResults } from './search-results.ts'

const typingPauseMs = 80

/** The search field with its two choices: where to look, and whether the words are one phrase. */
export function createSearchBox(state: AppState, results: SearchResults): void {
  const query = part('query', HTMLInputElement)
  const all = part('scope-all', HTMLInputElement)
  const within = part('scope-session', HTMLInputElement)
  const phrase = part('phrase', HTMLInputElement)
  let timer: number | undefined

  function ask(): void {
    window.clearTimeout(timer)
    timer = undefined
    // A NUL can be pasted but is part of no word, and no corpus takes it in a query.
    const asked = query.value.replaceAll('\0', ' ')
    if (asked === state.view().query) return
    // Back from a search leads to what was open before it.
    state.go({ query: asked }, state.view().found || asked.trim() === '' ? 'replace' : 'push')
  }

  function show(): void {
    const view = state.view()
    if (query.value !== view.query && timer === undefined) query.value = view.query
    all.checked = view.scope === 'all'
    within.checked = view.scope === 'session'
    within.disabled = view.session === undefined
    phrase.checked = view.phrase
  }

  query.addEventListener('input', () => {
    window.clearTimeout(timer)
    timer = window.setTimeout(ask, typingPauseMs)
  })
  query.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' && results.focus()) event.preventDefault()
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      if (query.value === '') query.blur()
      query.value = ''
      ask()
    }
  })
  part('search-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault()
    ask()
    results.openFirst()
  })
  for (const radio of [all, within]) {
    radio.addEventListener('change', () => {
      state.go({ scope: within.checked ? 'session' : 'all' }, 'replace')
    })
  }
  phrase.addEventListener('change', () => {
    state.go({ phrase: phrase.checked }, 'replace')
  })
  state.onChange(show)
  show()
}
