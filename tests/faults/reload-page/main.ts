import { openCorpus, type SessionCorpus } from 'session-query'
import { importLogs, type LogSource } from 'session-query/ingest'
import { madeEvent, madeEvents, madeHeader, wordOf } from '../made-logs.ts'

declare global {
  /** Tells the test that the first `length` events of a session are durable. */
  var acknowledge: (sessionId: string, length: number) => Promise<void>
}

/** Sessions that are imported, by id, and how many events each has. */
type Lengths = Readonly<Record<string, number>>

let corpus: SessionCorpus
let finished = false

function sourceOf(id: string, length: number): LogSource {
  const lines = [{ type: 'session', ...madeHeader(id) }, ...madeEvents(id, 0, length)]
  return new File([lines.map((line) => `${JSON.stringify(line)}\n`).join('')], `${id}.jsonl`)
}

/** Imports everything, from the beginning: what is there already is recognised. */
async function importAll(lengths: Lengths): Promise<void> {
  const target: Pick<SessionCorpus, 'putSession' | 'appendEvents'> = {
    async putSession(log, options) {
      const result = await corpus.putSession(log, options)
      void acknowledge(result.sessionId, result.length)
      return result
    },
    async appendEvents(request, options) {
      const result = await corpus.appendEvents(request, options)
      void acknowledge(result.sessionId, result.length)
      return result
    },
  }
  await importLogs(
    target,
    Object.entries(lengths).map(([id, length]) => sourceOf(id, length)),
  )
  finished = true
}

/** What is not as it has to be: fewer events than these, others, or another order. */
async function problems(least: Lengths): Promise<string[]> {
  const found: string[] = []
  for (const [id, length] of Object.entries(least)) {
    const { events } = await corpus.readSession({ sessionId: id })
    if (events.length < length) found.push(`${id} has ${events.length} events, not ${length}`)
    const wrong = events.findIndex(
      (event, seq) => JSON.stringify(event) !== JSON.stringify(madeEvent(id, seq)),
    )
    if (wrong !== -1) found.push(`${id} has another event at ${wrong}`)
    const last = events.findLastIndex(({ type }) => type === 'user/message')
    if (last === -1) continue
    const { items } = await corpus.searchEvents({ query: wordOf(id, last) })
    if (items[0]?.sessionId !== id || items[0].seq !== last)
      found.push(`${id} is not found by a word of its event ${last}`)
  }
  return found
}

Object.assign(globalThis, {
  async begin(name: string) {
    corpus = await openCorpus({ name, storage: 'opfs' })
  },
  // Goes on by itself.
  importAll: (lengths: Lengths) => void importAll(lengths),
  finished: () => finished,
  problems,
})
