import { isSessionQueryError } from 'session-query'

import { button, h, part } from './dom.ts'

/** A failure in plain words, with its code in small print and a way on where there is one. */
export function errorNote(what: string, error: unknown): HTMLElement {
  // A worker that is gone does not come back, and everything else on the page needs it.
  const gone = isSessionQueryError(error) && error.code === 'SESSION_QUERY_WORKER_FAILED'
  return h(
    'div',
    { class: 'error-note' },
    h('p', {}, what !== '' && h('strong', {}, `${what} `), messageOf(error)),
    h('small', {}, codeOf(error)),
    gone &&
      button({ class: 'button' }, ['Reload the page'], () => {
        location.reload()
      }),
  )
}

/** Shows a failure above everything, until it is dismissed. */
export function showError(what: string, error: unknown): void {
  showNotice(errorNote(what, error), 'failure')
}

/** Shows something that has to be known above everything, until it is dismissed. */
export function showNotice(content: HTMLElement, kind: 'failure' | 'warning'): void {
  const notice = h('div', { class: `notice ${kind}` }, content)
  notice.append(
    button({ class: 'dismiss', 'aria-label': 'Dismiss' }, ['×'], () => {
      notice.remove()
    }),
  )
  part('notices', HTMLDivElement).replaceChildren(notice)
}

/** Tells those who do not see the page what has happened on it. */
export function announce(what: string): void {
  part('announcement', HTMLParagraphElement).textContent = what
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

/** What went wrong, in a sentence. */
export function messageOf(error: unknown): string {
  if (error instanceof Error && error.message !== '') return error.message
  return String(error)
}

/** What programs know a failure by; empty where there is nothing of the kind. */
export function codeOf(error: unknown): string {
  if (!isSessionQueryError(error)) return error instanceof Error ? error.name : ''
  return error.reason === undefined ? error.code : `${error.code} · ${error.reason}`
}
