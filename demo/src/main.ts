import type { SessionCorpus } from 'session-query'

import { createAgentDialog } from './agent-dialog.ts'
import { createAppState } from './app-state.ts'
import { createCatalog } from './catalog.ts'
import { createDataDialog } from './data-dialog.ts'
import { createDeletion } from './delete-session.ts'
import { h, part } from './dom.ts'
import { acceptDrops } from './drop-target.ts'
import { createEventView } from './event-view.ts'
import { keepFocus } from './focus.ts'
import { formatCount } from './format.ts'
import { createImportPanel } from './import-panel.ts'
import { listenForKeys } from './keyboard.ts'
import { createNavigation } from './navigation.ts'
import { showError, showNotice, showUncaught } from './notices.ts'
import { openWhenFree } from './opening.ts'
import { createSearchBox } from './search-box.ts'
import { createSearchResults } from './search-results.ts'
import { createSessionList } from './session-list.ts'
import { createSessionView } from './session-view.ts'
import { showReady, showWelcome } from './stage.ts'
import { createStatusLine } from './status-line.ts'

showUncaught()
keepFocus()
void start()

async function start(): Promise<void> {
  // Files that come while nothing can take them are kept until something can.
  const early: File[] = []
  let take = (files: readonly File[]): void => {
    early.push(...files)
    const waiting = formatCount(early.length, 'file')
    showNotice(h('p', {}, `${waiting} will be imported as soon as your sessions are open.`), 'warning')
  }
  acceptDrops((files) => {
    take(files)
  })
  const corpus = await openWhenFree()
  part('notices', HTMLDivElement).replaceChildren()
  take = await compose(corpus)
  take(early)
}

/** Puts the page together over an open corpus. Returns what takes files. */
async function compose(corpus: SessionCorpus): Promise<(files: readonly File[]) => void> {
  const state = createAppState()
  const catalog = createCatalog(corpus)
  const imports = createImportPanel(corpus, reload)
  // Hits stand in place of sessions and events: they make room before those are shown again.
  const results = createSearchResults(corpus, state, catalog)
  const session = createSessionView(corpus, state, catalog, createDeletion(corpus, state, catalog))
  const sessions = createSessionList(corpus, state, catalog)
  const eventView = createEventView(corpus, state, catalog, results)
  createSearchBox(state, results)
  createAgentDialog(corpus, state, catalog)
  createDataDialog(corpus, state, catalog)
  createStatusLine(corpus, catalog)
  listenForKeys(state, eventView, createNavigation(state, catalog, { sessions, session, results }))
  const kept = await isKept(corpus)
  catalog.onChange(() => {
    if (catalog.entries().length === 0) showWelcome(imports, kept, state.view().session)
    else showReady()
  })
  await reload()
  return imports.importFiles

  async function reload(): Promise<void> {
    try {
      await catalog.reload()
    } catch (error) {
      showError('The sessions cannot be listed.', error)
    }
  }
}

/** Whether the sessions outlive this tab; says so where they do not. */
async function isKept(corpus: SessionCorpus): Promise<boolean> {
  try {
    const { storage } = await corpus.status()
    if (storage.kind === 'opfs') return true
    showNotice(
      h(
        'div',
        {},
        h(
          'p',
          {},
          'This browser gives no lasting storage here: what you import is gone when this tab closes.',
        ),
        storage.because !== undefined && h('small', {}, storage.because),
      ),
      'warning',
    )
    return false
  } catch (error) {
    showError('Where the sessions are kept is not known.', error)
    return false
  }
}
