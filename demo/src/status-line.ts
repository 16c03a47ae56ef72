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
        fill(line, h('span', {}, `What is stored is not known: ${String(error)}`))
      },
    )
  })

  function show(status: CorpusStatus): void {
    fill(line, ...storageParts(status), ...sizeParts(status))
  }
}

function storageParts({ storage, role }: CorpusStatus): HTMLElement[] {
  if (storage.kind === 'opfs') {
    return [
      h(
        'strong',
        { class: 'kept', title: 'In OPFS, the private file system of this browser' },
        'Stored on this device',
      ),
      h('span', {}, 'stays after a reload'),
      ...(role === 'follower' ? [h('span', {}, 'shared with another tab')] : []),
    ]
  }
  return [
    h('strong', { class: 'fleeting' }, 'In memory only'),
    h('span', {}, 'gone when this tab closes'),
  ]
}

function sizeParts({ storage, sessions, events, index, issues }: CorpusStatus): HTMLElement[] {
  const { logBytes, indexBytes } = storage
  const sizes = `log ${formatBytes(logBytes)}, search index ${formatBytes(indexBytes)}`
  return [
    h('span', {}, formatCount(sessions, 'session')),
    h('span', {}, formatCount(events, 'event')),
    h('span', { title: sizes }, formatBytes(logBytes + indexBytes)),
    ...(index.state === 'failed' ? [h('span', {}, 'the search index has failed')] : []),
    ...(issues.length > 0
      ? [h('span', {}, formatCount(issues.length, 'session with a problem', 'sessions with a problem'))]
      : []),
  ]
}
