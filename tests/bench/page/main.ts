import { openCorpus } from 'session-query'
import { importLogs } from 'session-query/ingest'
import type { AppendFigures, ImportFigures, OpenFigures } from '../figures.ts'
import { MadeUpSessions } from '../made-up-sessions.ts'

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

/** Stores made-up sessions, and waits until they can be searched. */
async function fill(name: string, sessions: number, length: number): Promise<void> {
  const corpus = await openCorpus({ name, storage: 'opfs' })
  const made = new MadeUpSessions(1)
  for (let at = 0; at < sessions; at += 1) {
    await corpus.putSession(made.session(`session-${at}`, length))
  }
  await corpus.searchSessions({ query: 'the' })
  await corpus.close()
}

/** Opens a corpus and searches it at once. */
async function measureOpen(name: string, query: string): Promise<OpenFigures> {
  const gaps = watchTurns()
  const began = performance.now()
  const corpus = await openCorpus({ name, storage: 'opfs' })
  const openMs = performance.now() - began
  const { items } = await corpus.searchSessions({ query })
  const firstAnswerMs = performance.now() - began
  const longestGapMs = gaps.stop()
  const { events } = await corpus.status()
  await corpus.close()
  return { openMs, firstAnswerMs, longestGapMs, events, found: items.length }
}

/** Appends to a session, each event once the one before is durable. */
async function measureAppends(name: string, count: number): Promise<AppendFigures> {
  const corpus = await openCorpus({ name, storage: 'opfs' })
  const session = await corpus.sessions.create()
  const texts = new MadeUpSessions(2)
  const durableMs: number[] = []
  const gaps = watchTurns()
  for (let at = 0; at < count; at += 1) {
    const content = [{ type: 'text' as const, text: texts.text() }]
    const data = { id: `m${at}`, role: 'user' as const, content, source: { kind: 'user' } }
    const began = performance.now()
    session.append('user/message', data, { surfaceOp: 'append' })
    await session.flush()
    durableMs.push(performance.now() - began)
  }
  const longestGapMs = gaps.stop()
  await session.close()
  await corpus.close()
  return { durableMs, longestGapMs }
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
Object.assign(globalThis, {
  measureImport: (name: string) => measureImport(name, input?.files ?? []),
  fill,
  measureOpen,
  measureAppends,
})
