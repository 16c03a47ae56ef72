import { Miniflare } from 'miniflare'
import { rolldown } from 'rolldown'
import type { CorpusStatus } from '../../src/core/corpus.ts'
import type { SessionLog } from '../../src/core/session.ts'
import { openMemoryCorpus } from '../../worker/in-process.ts'
import { MadeUpSessions, planted } from './made-up-sessions.ts'
import { elapsed, median } from './timing.ts'

const seed = 20_260_101
const [sessionCount, eventsPerSession] = [1000, 100]
const sessionsPerCall = 50
const eventsPerBatch = 5000
const rounds = 11

/** What is asked, by how many events have it. */
const queries = [
  planted.rare,
  planted.medium,
  planted.common,
  planted.pair.join(' '),
  planted.four.join(' '),
]

/** Does something with a corpus, and says how many rows were written by it where that is counted. */
type Ask = (path: string, body: unknown) => Promise<{ written: number; result: unknown }>

interface Bench {
  readonly name: string
  readonly ask: Ask
  readonly close: () => Promise<unknown>
}

/** Measures a corpus in a Durable Object, in workerd, beside the wasm build in this thread: the same events, one run. */
async function main(): Promise<void> {
  const made = new MadeUpSessions(seed)
  const logs = Array.from({ length: sessionCount }, (_, at) =>
    made.session(`session-${at}`, eventsPerSession),
  )
  const figures = []
  for (const open of [durableObject, wasmBuild]) {
    const bench = await open()
    figures.push(await measured(bench, logs))
    await bench.close()
  }
  const [edge, wasm] = figures
  if (edge === undefined || wasm === undefined) return
  console.log(`${sessionCount * eventsPerSession} events in ${sessionCount} sessions\n`)
  console.log(`${''.padEnd(44)} ${'object'.padStart(12)} ${'wasm build'.padStart(12)}    ratio`)
  for (const [at, [name, value]] of edge.times.entries()) {
    const other = wasm.times[at]?.[1] ?? Number.NaN
    const line = [name.padEnd(44), ms(value), ms(other), (value / other).toFixed(2).padStart(8)]
    console.log(line.join(' '))
  }
  console.log(`\nIn the object: ${edge.notes.join('; ')}.`)
}

async function measured(
  { ask }: Bench,
  logs: readonly SessionLog[],
): Promise<{ times: [string, number][]; notes: string[] }> {
  let [stored, indexed] = [0, 0]
  const put = await elapsed(async () => {
    for (let at = 0; at < logs.length; at += sessionsPerCall) {
      stored += (await ask('/put', logs.slice(at, at + sessionsPerCall))).written
    }
  })
  const slices: number[] = []
  for (;;) {
    const start = performance.now()
    const { written, result } = await ask('/index', { most: eventsPerBatch })
    slices.push(performance.now() - start)
    indexed += written
    if (result === true) break
  }
  const index = slices.reduce((sum, slice) => sum + slice, 0)
  const times: [string, number][] = [['store and index them', put + index]]
  for (const query of queries) {
    const taken = []
    for (let round = 0; round < rounds; round += 1) {
      taken.push(await elapsed(() => ask('/search', { query })))
    }
    times.push([`search for ${query}`, median(taken)])
  }
  const { result } = await ask('/status', {})
  const { storage, index: built } = result as CorpusStatus
  const notes = [
    `${each(stored)} rows written to store a thousand events, ${each(indexed)} to index them`,
    `indexed in ${slices.length} slices of ${eventsPerBatch} events, ${index.toFixed(0)} ms together, ${Math.max(...slices).toFixed(0)} ms the longest`,
    `${built.documents} documents`,
    `${(storage.logBytes / 1e6).toFixed(0)} MB`,
  ]
  return { times, notes }
}

function each(rows: number): string {
  return (rows / ((sessionCount * eventsPerSession) / 1000)).toFixed(0)
}

async function durableObject(): Promise<Bench> {
  const bundle = await rolldown({
    input: new URL('edge-object.ts', import.meta.url).pathname,
    external: ['cloudflare:workers'],
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  const runtime = new Miniflare({
    modules: true,
    script: output[0].code,
    host: '127.0.0.1',
    compatibilityDate: '2026-04-01',
    durableObjects: { CORPORA: { className: 'BenchObject', useSQLite: true } },
  })
  await runtime.ready
  return {
    name: 'Durable Object',
    async ask(path, body) {
      const answer = await runtime.dispatchFetch(`http://bench${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(await answer.text())
      return (await answer.json()) as { written: number; result: unknown }
    },
    close: () => runtime.dispose(),
  }
}

async function wasmBuild(): Promise<Bench> {
  const corpus = await openMemoryCorpus()
  return {
    name: 'wasm build',
    async ask(path, body) {
      return { written: 0, result: await asked(path, body) }
    },
    close: () => corpus.close(),
  }

  async function asked(path: string, body: unknown): Promise<unknown> {
    switch (path) {
      case '/put':
        for (const log of body as SessionLog[]) await corpus.putSession(log)
        return null
      case '/index':
        return true
      case '/search':
        return (await corpus.searchSessions(body as { query: string })).items.length
      default:
        return corpus.status()
    }
  }
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`.padStart(12)
}

await main()
