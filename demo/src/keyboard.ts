import type { AppState } from './app-state.ts'
import { part } from './dom.ts'
import type { EventView } from './event-view.ts'

const storageKey = 'session-query-demo/single-keys'

/** The keys that work anywhere on the page. Those that are one character can be switched off. */
export function listenForKeys(state: AppState, eventView: EventView, back: () => void): void {
  const singleKeys = part('single-keys', HTMLInputElement)
  singleKeys.checked = localStorage.getItem(storageKey) !== 'off'
  singleKeys.addEventListener('change', () => {
    if (singleKeys.checked) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, 'off')
  })

  window.addEventListener('keydown', (event) => {
    if (isCommand(event) || isTyping(event.target)) return
    if (document.querySelector('dialog[open]') !== null) return
    if (event.key === 'Escape') {
      if (state.view().session !== undefined) back()
      return
    }
    if (!singleKeys.checked || document.body.dataset['stage'] !== 'ready') return
    switch (event.key) {
      case '/':
        event.preventDefault()
        part('query', HTMLInputElement).select()
        part('query', HTMLInputElement).focus()
        break
      case '[':
        eventView.step(-1)
        break
      case ']':
        eventView.step(1)
        break
      default:
    }
  })

  part('event-pane', HTMLElement).addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (event.key === 'ArrowLeft') eventView.step(-1)
    if (event.key === 'ArrowRight') eventView.step(1)
  })
}

/** Alt alone, and Control with Alt, is how some keyboards make a bracket: what counts is the character. */
function isCommand(event: KeyboardEvent): boolean {
  return event.metaKey || (event.ctrlKey && !event.altKey)
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === 'search'
}
