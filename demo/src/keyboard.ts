import type { AppState } from './app-state.ts'
import { part } from './dom.ts'
import type { EventView } from './event-view.ts'

/** The keys that work anywhere on the page. */
export function listenForKeys(state: AppState, eventView: EventView, back: () => void): void {
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (document.querySelector('dialog[open]') !== null) return
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
      case 'Escape':
        if (state.view().session !== undefined) back()
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

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === 'search'
}
