import { openCorpus } from 'session-query'
import { importLogs } from 'session-query/ingest'
import type { ImportFigures } from '../figures.ts'

/** Imports the chosen files into a new corpus and watches the page meanwhile. */
async function measureImport(name: string, files: Iterable<File>): Promise<ImportFigures> {
  const corpus = await openCorpus({ name, storage: 'opfs' })
  const longTasks: number[] = []
  const observer = new PerformanceObserver((list) => {
    longTasks.push(...list.getEntries().map((entry) => entry.duration))
  })
  observer.observe({ type: 'longtask' })
  const gaps = watchTurns()
  const began = performance.now()
  await importLogs(corpus, files)
  const seconds = (performance.now() - began) / 1000
  const longestGapMs = gaps.stop()
  // Entries are delivered in a later task.
  await new Promise((resume) => setTimeout(resume, 200))
  observer.disconnect()
  const { sessions, events } = await corpus.status()
  const { items } = await corpus.searchSessions({ query: 'the' })
  await corpus.close()
  return { sessions, events, seconds, longTasks, longestGapMs, found: items.length }
}

/** Measures the longest time between two turns of the event loop. */
function watchTurns(): { stop(): number } {
  const { port1, port2 } = new MessageChannel()
  let last = performance.now()
  let longest = 0
  let running = true
  port1.addEventListener('message', () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (running) port2.postMessage(null)
  })
  port1.start()
  port2.postMessage(null)
  return {
    stop() {
      running = false
      return longest
    },
  }
}

const input = document.querySelector('input')
Object.assign(globalThis, { measureImport: (name: string) => measureImport(name, input?.files ?? []) })
