import { isSessionQueryError, openCorpus, type SessionCorpus } from 'session-query'

import { part } from './dom.ts'
import { showBusy, showOpenFailure, showOpening, showOpeningNote } from './stage.ts'

const hintAfterMs = 1_000
const retryAfterMs = 3_000

/** The corpus, when it could be opened: it waits for other tabs, and for the person after a failure. */
export async function openWhenFree(): Promise<SessionCorpus> {
  showOpening()
  const hint = window.setTimeout(() => {
    showOpeningNote('If they are open in another tab, this one waits for it to answer.')
  }, hintAfterMs)
  for (;;) {
    try {
      return await openCorpus({ name: 'demo', storage: 'auto' })
    } catch (error) {
      window.clearTimeout(hint)
      if (isSessionQueryError(error) && error.reason === 'busy') await nextTry()
      else {
        await new Promise<void>((retry) => {
          showOpenFailure(error, retry)
        })
        showOpening()
      }
    }
  }
}

/** After a while, when the person comes back to this tab, or at once when told to. */
async function nextTry(): Promise<void> {
  const waiting = new AbortController()
  const { signal } = waiting
  await new Promise<void>((retry) => {
    showBusy()
    window.setTimeout(retry, retryAfterMs)
    part('stage', HTMLElement).addEventListener(
      'click',
      ({ target }) => {
        if (target instanceof HTMLButtonElement) retry()
      },
      { signal },
    )
    document.addEventListener(
      'visibilitychange',
      () => {
        if (document.visibilityState === 'visible') retry()
      },
      { signal },
    )
  })
  waiting.abort()
}
