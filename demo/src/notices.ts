import { isSessionQueryError } from 'session-query'

import { button, h, part } from './dom.ts'

/** A failure in plain words, with its code in small print. */
export function errorNote(what: string, error: unknown): HTMLElement {
  return h(
    'div',
    { class: 'error-note' },
    h('p', {}, what !== '' && h('strong', {}, `${what} `), messageOf(error)),
    h('small', {}, codeOf(error)),
  )
}

/** Shows a failure above everything, until it is dismissed. */
export function showError(what: string, error: unknown): void {
  const notice = h('div', { class: 'notice' }, errorNote(what, error))
  notice.append(
    button({ class: 'dismiss', 'aria-label': 'Dismiss' }, ['×'], () => {
      notice.remove()
    }),
  )
  part('notices', HTMLDivElement).replaceChildren(notice)
}

/** What nobody caught is told to the person as well, not to the console alone. */
export function showUncaught(): void {
  window.addEventListener('unhandledrejection', (event) => {
    showError('Something went wrong.', event.reason)
  })
  window.addEventListener('error', (event) => {
    showError('Something went wrong.', event.error ?? event.message)
  })
}

function messageOf(error: unknown): string {
  if (error instanceof Error && error.message !== '') return error.message
  return String(error)
}

function codeOf(error: unknown): string {
  if (!isSessionQueryError(error)) return error instanceof Error ? error.name : ''
  return error.reason === undefined ? error.code : `${error.code} · ${error.reason}`
}
