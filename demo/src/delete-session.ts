import type { SessionCorpus } from 'session-query'

import type { AppState } from './app-state.ts'
import type { Catalog } from './catalog.ts'
import { part } from './dom.ts'
import { showError } from './notices.ts'

/** Asks, then removes a session for good. */
export function createDeletion(
  corpus: SessionCorpus,
  state: AppState,
  catalog: Catalog,
): (sessionId: string) => void {
  const dialog = part('confirm', HTMLDialogElement)
  let asked: string | undefined

  async function remove(sessionId: string): Promise<void> {
    try {
      await corpus.deleteSession({ sessionId })
      if (state.view().session === sessionId) state.go({ session: undefined }, 'replace')
      await catalog.reload()
    } catch (error) {
      showError('The session was not deleted.', error)
    }
  }

  dialog.addEventListener('close', () => {
    if (dialog.returnValue === 'delete' && asked !== undefined) void remove(asked)
    asked = undefined
  })
  return (sessionId) => {
    asked = sessionId
    dialog.returnValue = ''
    const title = catalog.find(sessionId)?.title ?? sessionId
    part('confirm-text', HTMLParagraphElement).textContent =
      `“${title}”, its log and all that was derived from it will be removed from this device. This cannot be undone.`
    dialog.showModal()
  }
}
