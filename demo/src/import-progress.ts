import type { ImportProgress } from 'session-query/ingest'

import { button, fill, h } from './dom.ts'
import { formatBytes, formatCount } from './format.ts'

/**
 * Shows an import that runs. The bar is determinate while files of a known size are being read.
 *
 * @param waiting how many imports come after this one
 * @returns what takes the progress, once the files are known
 */
export function showProgress(
  panel: HTMLElement,
  controller: AbortController,
  waiting: () => number,
): (files: readonly File[]) => (progress: ImportProgress) => void {
  const bar = h('progress', { 'aria-label': 'Import' })
  const doing = h('p', { role: 'status' }, 'Reading…')
  const done = h('p', { class: 'count' })
  const cancel = button({ class: 'button quiet' }, ['Cancel'], () => {
    controller.abort()
  })
  const held = panel.contains(document.activeElement)
  panel.hidden = false
  panel.dataset['outcome'] = 'running'
  fill(panel, h('div', { class: 'import-running' }, doing, bar, done), cancel)
  if (held) cancel.focus()
  return (files) => (progress) => {
    const { bytesRead, bytesTotal, sessions, events, source } = progress
    const allRead = bytesTotal !== undefined && bytesRead >= bytesTotal
    if (bytesTotal === undefined || allRead) bar.removeAttribute('value')
    else {
      bar.max = Math.max(bytesTotal, 1)
      bar.value = bytesRead
    }
    doing.textContent = doingText(progress, files.length, allRead) + waitingText(waiting())
    done.textContent = [
      allRead ? formatBytes(bytesRead) : bytesText(bytesRead, bytesTotal),
      `${formatCount(sessions, 'session')}, ${formatCount(events, 'event')}`,
      source,
    ].join(' · ')
  }
}

function doingText({ sourcesDone }: ImportProgress, files: number, allRead: boolean): string {
  return allRead ? 'Writing…' : `File ${Math.min(sourcesDone + 1, files)} of ${files}`
}

function waitingText(count: number): string {
  return count === 0 ? '' : `, ${formatCount(count, 'import')} after it`
}

function bytesText(bytesRead: number, bytesTotal: number | undefined): string {
  const read = formatBytes(bytesRead)
  return bytesTotal === undefined ? read : `${read} of ${formatBytes(bytesTotal)}`
}
