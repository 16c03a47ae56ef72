import type { CorpusStatus, SessionCorpus } from 'session-query'

import type { Catalog } from './catalog.ts'
import { fill, h, part } from './dom.ts'
import { formatBytes, formatCount } from './format.ts'
import { createLatest } from './latest.ts'

/** Where the corpus is kept and how much it holds. */
export function createStatusLine(corpus: SessionCorpus, catalog: Catalog): void {
  const line = part('status', HTMLElement)
  const latest = createLatest()

  catalog.onChange(() => {
    latest.run(
      (signal) => corpus.status({}, { signal }),
      show,
      (error) => {
        fill(line, h('span', {}, `The state of the corpus is not known: ${String(error)}`))
      },
    )
  })

  function show(status: CorpusStatus): void {
    fill(line, ...storageParts(status), ...sizeParts(status))
  }
}

function storageParts({ storage }: CorpusStatus): HTMLElement[] {
  if (storage.kind === 'opfs') {
    return [
      h('strong', { class: 'kept' }, 'Stored on this device'),
      h('span', {}, 'OPFS, stays after a reload'),
    ]
  }
  const because = storage.because === undefined ? '' : `: ${storage.because}`
  return [
    h('strong', { class: 'fleeting' }, 'In memory only'),
    h('span', {}, `gone when this tab closes${because}`),
  ]
}

function sizeParts({ storage, sessions, events, index, issues }: CorpusStatus): HTMLElement[] {
  const parts = [
    formatCount(sessions, 'session'),
    formatCount(events, 'event'),
    `log ${formatBytes(storage.logBytes)}`,
    index.state === 'ready' ? `index ${formatBytes(storage.indexBytes)}` : 'the index has failed',
  ]
  if (issues.length > 0)
    parts.push(formatCount(issues.length, 'session with a problem', 'sessions with a problem'))
  return parts.map((text) => h('span', {}, text))
}
