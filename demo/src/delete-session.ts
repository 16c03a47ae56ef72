import type { SessionCorpus } from 'session-query'

import type { AppState } from './app-state.ts'
import type { Catalog } from './catalog.ts'
import { fill, h, part } from './dom.ts'
import { announce, showError } from './notices.ts'

/** Asks, then deletes a session for good. */
export function createDeletion(
  corpus: SessionCorpus,
  state: AppState,
  catalog: Catalog,
): (sessionId: string) => void {
  const dialog = part('confirm', HTMLDialogElement)
  let asked: string | undefined

  async function remove(sessionId: string): Promise<void> {
    const title = catalog.find(sessionId)?.title ?? sessionId
    try {
      await corpus.deleteSession({ sessionId })
      if (state.view().session === sessionId) state.go({ session: undefined }, 'replace')
      await catalog.reload()
      announce(`“${title}” was deleted.`)
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
    fill(
      part('confirm-text', HTMLParagraphElement),
      '“',
      h('bdi', { class: 'clamped' }, catalog.find(sessionId)?.title ?? sessionId),
      '” will be deleted from the corpus: its log, and all that the search knows of it. ' +
        'Sessions that were forked from it stay. This cannot be undone.',
    )
    dialog.showModal()
  }
}
