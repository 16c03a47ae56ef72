import { isSessionQueryError, openCorpus, type SessionCorpus } from 'session-query'

import { createAppState } from './app-state.ts'
import { createCatalog } from './catalog.ts'
import { createDeletion } from './delete-session.ts'
import { acceptDrops } from './drop-target.ts'
import { createEventView } from './event-view.ts'
import { createImportPanel } from './import-panel.ts'
import { listenForKeys } from './keyboard.ts'
import { createNavigation } from './navigation.ts'
import { showError, showUncaught } from './notices.ts'
import { createSearchBox } from './search-box.ts'
import { createSearchResults } from './search-results.ts'
import { createSessionList } from './session-list.ts'
import { createSessionView } from './session-view.ts'
import { createStatusLine } from './status-line.ts'
import { showBusy, showOpenFailure, showOpening, showReady, showWelcome } from './welcome.ts'

showUncaught()
start()

function start(): void {
  showOpening()
  void openCorpus({ name: 'demo', storage: 'auto' }).then(compose, (error: unknown) => {
    if (isSessionQueryError(error) && error.reason === 'busy') showBusy(start)
    else showOpenFailure(error, start)
  })
}

async function compose(corpus: SessionCorpus): Promise<void> {
  const state = createAppState()
  const catalog = createCatalog(corpus)
  const imports = createImportPanel(corpus, reload)
  const session = createSessionView(corpus, state, catalog, createDeletion(corpus, state, catalog))
  const sessions = createSessionList(state, catalog)
  const results = createSearchResults(corpus, state, catalog)
  const eventView = createEventView(corpus, state, catalog)
  createSearchBox(state, results)
  createStatusLine(corpus, catalog)
  acceptDrops(imports.importFiles)
  listenForKeys(state, eventView, createNavigation(state, { sessions, session, results }))
  catalog.onChange(() => {
    if (catalog.entries().length === 0) showWelcome(imports)
    else showReady()
  })
  await reload()

  async function reload(): Promise<void> {
    try {
      await catalog.reload()
    } catch (error) {
      showError('The sessions cannot be listed.', error)
    }
  }
}
