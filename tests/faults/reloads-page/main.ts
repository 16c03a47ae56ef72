import { openCorpus, type SessionCorpus } from 'session-query'
import { importLogs, type ImportReport, type LogSource } from 'session-query/ingest'
import { isSaid, madeEvents, madeHeader, wordOf } from '../made-logs.ts'
import { compare } from '../page/compare.ts'
import type { Acknowledged } from '../plan.ts'
import type { ReloadCheck } from '../reloads-plan.ts'

declare global {
  /** Tells the test that the first `length` events of a session are durable. */
  var acknowledge: (sessionId: string, length: number) => Promise<void>
  /** Tells the test how many events the import says to be stored. */
  var progressed: (events: number) => Promise<void>
  /** Tells the test that the import ended, and what it reported. */
  var ended: (how: string) => Promise<void>
}

const opening = openCorpus({ name: 'reloads', storage: 'opfs' })
// Told to whoever asks.
opening.catch(() => undefined)

/** Goes on by itself until the page is reloaded, or everything is there. */
async function importAll(logs: Acknowledged): Promise<void> {
  const corpus = await opening
  const sources = Object.entries(logs).map(([id, length]) => madeSource(id, length))
  const report = await importLogs(acknowledging(corpus), sources, {
    onProgress: ({ events }) => void progressed(events),
  })
  void ended(outcomeOf(report))
}

/** Tells how far each session is, when the corpus has said so. */
function acknowledging(corpus: SessionCorpus): Parameters<typeof importLogs>[0] {
  return {
    async putSession(log, options) {
      const result = await corpus.putSession(log, options)
      void acknowledge(log.header.id, log.events.length)
      return result
    },
    async appendEvents(request, options) {
      const result = await corpus.appendEvents(request, options)
      void acknowledge(request.sessionId, (request.events.at(-1)?.seq ?? -1) + 1)
      return result
    },
  }
}

function outcomeOf({ sources }: ImportReport): string {
  const problems = sources.flatMap((source) => source.problems)
  return problems.length === 0 ? 'done' : JSON.stringify(problems)
}

/** A log that is written as it is read. */
function madeSource(id: string, length: number): LogSource {
  return {
    name: `${id}.jsonl`,
    async *stream() {
      const encoder = new TextEncoder()
      yield encoder.encode(`${JSON.stringify({ type: 'session', ...madeHeader(id) })}\n`)
      for (let at = 0; at < length; at += 50) {
        const lines = madeEvents(id, at, Math.min(at + 50, length)).map((line) => JSON.stringify(line))
        yield encoder.encode(`${lines.join('\n')}\n`)
      }
    },
  }
}

/** Searches first, which is what a user would do, and then looks at everything. */
async function check(acknowledged: Acknowledged): Promise<ReloadCheck> {
  const corpus = await opening
  const unfound = await notFound(corpus, acknowledged)
  const { problems, events } = await compare(corpus, acknowledged)
  return { problems: [...unfound, ...problems], events }
}

/** Looks for events at the beginning, in the middle and at the end of each session: each has to be found once. */
async function notFound(corpus: SessionCorpus, lengths: Acknowledged): Promise<string[]> {
  const problems: string[] = []
  await corpus.searchEvents({ query: 'nothing' })
  for (const [id, length] of Object.entries(lengths)) {
    const places = [1, length >> 1, length - 1].map((seq) => (isSaid(seq) ? seq : seq - 1))
    for (const seq of places.filter((place) => place > 0 && place < length)) {
      const { items } = await corpus.searchEvents({ query: wordOf(id, seq), sessionId: id })
      const found = items.map((hit) => hit.seq)
      if (found.length !== 1 || found[0] !== seq) {
        problems.push(`A search for event ${seq} of ${id} finds ${JSON.stringify(found)}.`)
      }
    }
  }
  return problems
}

Object.assign(globalThis, {
  check,
  begin(logs: Acknowledged) {
    importAll(logs).catch((error: unknown) => ended(String(error)))
  },
})
