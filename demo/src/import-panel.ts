import type { SessionCorpus } from 'session-query'
import { importLogs, type ImportProgress } from 'session-query/ingest'

import { button, fill, h, part } from './dom.ts'
import { formatBytes, formatCount } from './format.ts'
import { importSummary } from './import-summary.ts'
import { errorNote } from './notices.ts'
import { fetchSamples } from './samples.ts'

export interface ImportPanel {
  readonly importFiles: (files: readonly File[]) => void
  readonly importSamples: () => void
  readonly pickFiles: () => void
}

/** Takes logs in, one import at a time, and says what came of it. */
export function createImportPanel(corpus: SessionCorpus, changed: () => Promise<void>): ImportPanel {
  const panel = part('import', HTMLElement)
  const picker = part('files', HTMLInputElement)
  const starters = [part('pick-files', HTMLButtonElement), part('load-samples', HTMLButtonElement)]
  let running: AbortController | undefined

  async function run(find: (signal: AbortSignal) => Promise<readonly File[]>): Promise<void> {
    if (running !== undefined) return
    running = new AbortController()
    const { signal } = running
    setIdle(false)
    try {
      const progress = showProgress(panel, running)
      const files = await find(signal)
      show(importSummary(await importLogs(corpus, files, { signal, onProgress: progress(files) })))
    } catch (error) {
      if (signal.aborted) show(cancelled())
      else show(errorNote('The import stopped.', error), 'failed')
    } finally {
      running = undefined
      setIdle(true)
      // Also after a failure: sessions that were stored before it are there.
      await changed()
    }
  }

  function setIdle(idle: boolean): void {
    for (const starter of starters) starter.disabled = !idle
    part('stage', HTMLElement).inert = !idle
  }

  function show(content: HTMLElement, outcome: 'done' | 'failed' = 'done'): void {
    const dismiss = button({ class: 'dismiss', 'aria-label': 'Dismiss' }, ['×'], () => {
      panel.hidden = true
    })
    panel.hidden = false
    panel.dataset['outcome'] = outcome
    fill(panel, h('div', { class: 'import-result', role: 'status' }, content), dismiss)
  }

  function importFiles(files: readonly File[]): void {
    if (files.length > 0) void run(() => Promise.resolve(files))
  }

  function importSamples(): void {
    void run(fetchSamples)
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

function cancelled(): HTMLElement {
  return h('p', {}, 'The import was cancelled. Sessions that were stored before stay.')
}

/** Shows an import that runs. The bar is determinate as soon as the size of the files is known. */
function showProgress(
  panel: HTMLElement,
  controller: AbortController,
): (files: readonly File[]) => (progress: ImportProgress) => void {
  const bar = h('progress', { 'aria-label': 'Import' })
  const doing = h('p', { role: 'status' }, 'Reading…')
  const done = h('p', { class: 'count' })
  const cancel = button({ class: 'button quiet' }, ['Cancel'], () => {
    controller.abort()
  })
  panel.hidden = false
  panel.dataset['outcome'] = 'running'
  fill(panel, h('div', { class: 'import-running' }, doing, bar, done), cancel)
  return (files) => (progress) => {
    if (progress.bytesTotal !== undefined) {
      bar.max = Math.max(progress.bytesTotal, 1)
      bar.value = progress.bytesRead
    }
    doing.textContent = `File ${Math.min(progress.sourcesDone + 1, files.length)} of ${files.length}`
    done.textContent = [
      bytesOf(progress),
      `${formatCount(progress.sessions, 'session')}, ${formatCount(progress.events, 'event')}`,
      progress.source,
    ].join(' · ')
  }
}

function bytesOf({ bytesRead, bytesTotal }: ImportProgress): string {
  const read = formatBytes(bytesRead)
  return bytesTotal === undefined ? read : `${read} of ${formatBytes(bytesTotal)}`
}
