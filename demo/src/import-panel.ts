import type { SessionCorpus } from 'session-query'
import { importLogs } from 'session-query/ingest'

import { button, fill, h, part } from './dom.ts'
import { showProgress } from './import-progress.ts'
import { importSummary, type ImportOutcome } from './import-summary.ts'
import { announce, errorNote } from './notices.ts'
import { fetchSamples } from './samples.ts'

export interface ImportPanel {
  readonly importFiles: (files: readonly File[]) => void
  readonly importSamples: () => void
  readonly pickFiles: () => void
}

type FindFiles = (signal: AbortSignal) => Promise<readonly File[]>

/** How long a result stays when there is nothing in it to read up. */
const resultMs = 8_000

/** Takes logs in, one import after the other, and says what came of them. */
export function createImportPanel(corpus: SessionCorpus, changed: () => Promise<void>): ImportPanel {
  const panel = part('import', HTMLElement)
  const picker = part('files', HTMLInputElement)
  const queue: FindFiles[] = []
  let running = false
  let timer: number | undefined

  function add(find: FindFiles): void {
    queue.push(find)
    if (!running) void runAll()
  }

  async function runAll(): Promise<void> {
    running = true
    const outcomes: ImportOutcome[] = []
    for (let find = queue.shift(); find !== undefined; find = queue.shift()) {
      outcomes.push(await run(find))
      // Also after a failure: sessions that were stored before it are there.
      await changed()
    }
    running = false
    showOutcomes(outcomes)
  }

  async function run(find: FindFiles): Promise<ImportOutcome> {
    const controller = new AbortController()
    const { signal } = controller
    try {
      window.clearTimeout(timer)
      const progress = showProgress(panel, controller, () => queue.length)
      const files = await find(signal)
      return importSummary(await importLogs(corpus, files, { signal, onProgress: progress(files) }))
    } catch (error) {
      return signal.aborted
        ? {
            kind: 'done',
            content: h('p', {}, 'The import was cancelled. What was stored before stays.'),
          }
        : { kind: 'failed', content: errorNote('The import stopped.', error) }
    }
  }

  function showOutcomes(outcomes: readonly ImportOutcome[]): void {
    const held = panel.contains(document.activeElement)
    const dismiss = button({ class: 'dismiss', 'aria-label': 'Dismiss' }, ['×'], () => {
      panel.hidden = true
    })
    const contents = outcomes.map(({ content }) => content)
    const kinds = outcomes.map(({ kind }) => kind)
    panel.hidden = false
    panel.dataset['outcome'] = kinds.includes('failed') ? 'failed' : 'done'
    fill(panel, h('div', { class: 'import-result' }, ...contents), dismiss)
    announce(contents.map(({ textContent }) => textContent).join(' '))
    if (held) dismiss.focus()
    if (kinds.every((kind) => kind === 'done')) timer = window.setTimeout(letGo, resultMs)
  }

  function letGo(): void {
    if (panel.matches(':hover, :focus-within')) timer = window.setTimeout(letGo, resultMs)
    else panel.hidden = true
  }

  function importFiles(files: readonly File[]): void {
    if (files.length > 0) add(() => Promise.resolve(files))
  }

  function importSamples(): void {
    add(fetchSamples)
  }

  function pickFiles(): void {
    picker.click()
  }

  picker.addEventListener('change', () => {
    importFiles([...(picker.files ?? [])])
    picker.value = ''
  })
  part('pick-files', HTMLButtonElement).addEventListener('click', pickFiles)
  part('load-samples', HTMLButtonElement).addEventListener('click', importSamples)
  return { importFiles, importSamples, pickFiles }
}
