import type { SessionCorpus, WorkProgress } from 'session-query'

import type { AppState } from './app-state.ts'
import type { Catalog } from './catalog.ts'
import { button, fill, h, part } from './dom.ts'
import { formatBytes, formatCount } from './format.ts'
import { errorNote } from './notices.ts'

/** How long work is told about, in milliseconds, before it is told about again. */
const toldEveryMs = 100

/** The dialog in which all of the data is taken out, taken in, made smaller, kept or removed. */
export function createDataDialog(corpus: SessionCorpus, state: AppState, catalog: Catalog): void {
  const dialog = part('data', HTMLDialogElement)
  const outcome = part('data-outcome', HTMLElement)
  const file = part('data-file', HTMLInputElement)
  const sure = part('data-sure', HTMLInputElement)
  const remove = part('data-clear', HTMLButtonElement)
  const actions = Array.from(dialog.querySelectorAll<HTMLButtonElement>('[data-action]'))
  let running: AbortController | undefined

  part('your-data', HTMLButtonElement).addEventListener('click', () => {
    fill(outcome)
    sure.checked = false
    remove.disabled = true
    dialog.showModal()
    void showKept()
  })
  dialog.addEventListener('close', () => running?.abort())
  part('data-close', HTMLButtonElement).addEventListener('click', () => {
    dialog.close()
  })
  sure.addEventListener('change', () => {
    remove.disabled = !sure.checked
  })
  on('data-keep', keep)
  on('data-export', exportFile)
  on('data-compact', compact)
  on('data-clear', clear)
  part('data-import', HTMLButtonElement).addEventListener('click', () => {
    file.click()
  })
  file.addEventListener('change', () => {
    const [chosen] = file.files ?? []
    if (chosen !== undefined) void work('Importing', (told, signal) => importFile(chosen, told, signal))
    file.value = ''
  })

  function on(id: string, run: Work): void {
    const control = part(id, HTMLButtonElement)
    control.addEventListener('click', () => void work(control.textContent.trim(), run))
  }

  /** One piece of work at a time, which can be cancelled, and ends with a sentence. */
  async function work(title: string, run: Work): Promise<void> {
    const controller = new AbortController()
    running = controller
    const bar = h('progress', { 'aria-label': title })
    const count = h('p', { class: 'count' })
    const cancel = button({ class: 'button quiet' }, ['Cancel'], () => {
      controller.abort()
    })
    fill(outcome, h('div', { class: 'data-running' }, h('p', {}, `${title}…`), bar, count), cancel)
    setDisabled(true)
    try {
      const sentence = await run(progressInto(bar, count), controller.signal)
      fill(outcome, h('p', {}, sentence))
    } catch (error) {
      if (controller.signal.aborted) fill(outcome, h('p', {}, 'Cancelled.'))
      else fill(outcome, errorNote(`${title} did not work.`, error))
    } finally {
      running = undefined
      setDisabled(false)
      await catalog.reload().catch(() => undefined)
    }
  }

  function setDisabled(disabled: boolean): void {
    for (const control of actions) control.disabled = disabled
    if (!disabled) remove.disabled = !sure.checked
  }

  async function showKept(): Promise<void> {
    const { storage } = await corpus.status()
    part('data-kept', HTMLElement).textContent =
      storage.kind !== 'opfs'
        ? 'It is in memory only and gone when this tab closes.'
        : storage.persistent
          ? 'The browser keeps it until you remove it.'
          : 'The browser may remove it when the device runs out of room.'
    part('data-keep', HTMLButtonElement).hidden = storage.kind !== 'opfs' || storage.persistent
  }

  async function keep(): Promise<string> {
    const granted = await corpus.requestPersistence()
    await showKept()
    return granted
      ? 'The browser will keep your sessions until you remove them.'
      : 'The browser did not promise to keep them; it may when you use this page more often.'
  }

  async function exportFile(told: Told, signal: AbortSignal): Promise<string> {
    const exported = await corpus.exportDatabase({ onProgress: told }, { signal })
    const { size, sessions, events, skipped } = exported
    const blob = await new Response(exported).blob()
    const url = URL.createObjectURL(blob)
    h('a', { href: url, download: 'sessions.sqlite3' }).click()
    setTimeout(() => {
      URL.revokeObjectURL(url)
    }, 60_000)
    const left =
      skipped.length === 0 ? '' : ` ${formatCount(skipped.length, 'session')} could not be read.`
    return `${formatCount(sessions, 'session')} with ${formatCount(events, 'event')}, ${formatBytes(size)}.${left}`
  }

  async function importFile(chosen: File, told: Told, signal: AbortSignal): Promise<string> {
    const { created, continued, unchanged, events, refused } = await corpus.importDatabase(
      chosen,
      { onProgress: told },
      { signal },
    )
    const [first] = refused
    return [
      `${formatCount(created, 'new session')}, ${continued} continued, ${unchanged} unchanged; ${formatCount(events, 'event')} added.`,
      first && `${formatCount(refused.length, 'session')} refused: ${first.message}`,
    ]
      .filter(Boolean)
      .join(' ')
  }

  async function compact(told: Told, signal: AbortSignal): Promise<string> {
    const { before, after } = await corpus.compact({ onProgress: told }, { signal })
    return `${formatBytes(before)} before, ${formatBytes(after)} now.`
  }

  async function clear(told: Told, signal: AbortSignal): Promise<string> {
    await corpus.clear({ onProgress: told }, { signal })
    state.go({ session: undefined }, 'replace')
    sure.checked = false
    return 'Everything was removed.'
  }
}

type Told = (progress: WorkProgress<string>) => void
type Work = (told: Told, signal: AbortSignal) => Promise<string>

function progressInto(bar: HTMLProgressElement, count: HTMLElement): Told {
  let last = 0
  return ({ phase, done, total }) => {
    const now = performance.now()
    if (now - last < toldEveryMs && done !== total) return
    last = now
    if (total === undefined) bar.removeAttribute('value')
    else {
      bar.max = Math.max(total, 1)
      bar.value = done
    }
    const [unit, much] = units[phase] ?? ['', String]
    count.textContent = `${unit}${much(done)}${total === undefined ? '' : ` of ${much(total)}`}`
  }
}

/** What the phases of work count. */
const units: Readonly<Record<string, readonly [string, (count: number) => string]>> = {
  copying: ['Copying events: ', String],
  reading: ['Reading: ', formatBytes],
  merging: ['Events: ', String],
  removing: ['Events: ', String],
  log: ['Log: ', formatBytes],
  index: ['Search index: ', formatBytes],
}
