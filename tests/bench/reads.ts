import type { SessionCorpus } from '../../src/core/corpus.ts'
import { openMemoryCorpus } from '../../worker/in-process.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { median, micros, timed } from './timing.ts'

const short = 100
const long = 100_000
const calls = 1000

/** Reads of a stored session of 100,000 events against those of one of 100. */
async function main(): Promise<void> {
  const corpus = await openMemoryCorpus()
  for (const length of [short, long]) {
    await corpus.putSession(
      session(
        `${length}`,
        Array.from({ length }, (_, at) => userMessage(`message ${at}`)),
      ),
    )
  }
  // More than the store keeps folds of, so that the first trace of either has to fold.
  for (let other = 0; other < 100; other += 1) await corpus.putSession(session(`other ${other}`, [{}]))
  await measured(corpus, short, readEvent)
  const reads = [await measured(corpus, short, readEvent), await measured(corpus, long, readEvent)]
  print('readEvent', reads)

  const first = [
    await timed(() => traceEvent(corpus, short, 0)),
    await timed(() => traceEvent(corpus, long, 0)),
  ]
  console.log(`traceEvent, first call: ${first.map(micros).join(' and ')}`)
  print('traceEvent, later calls', [
    await measured(corpus, short, traceEvent),
    await measured(corpus, long, traceEvent),
  ])
  await corpus.close()
}

type Read = (corpus: SessionCorpus, length: number, seq: number) => Promise<unknown>

const readEvent: Read = (corpus, length, seq) => corpus.readEvent({ sessionId: `${length}`, seq })
const traceEvent: Read = (corpus, length, seq) => corpus.traceEvent({ sessionId: `${length}`, seq })

/** The median of reads all over a session. */
async function measured(corpus: SessionCorpus, length: number, read: Read): Promise<number> {
  const times: number[] = []
  for (let call = 0; call < calls; call += 1) {
    times.push(await timed(() => read(corpus, length, (call * 7919) % length)))
  }
  return median(times)
}

function print(name: string, [few = 0, many = 0]: readonly number[]): void {
  console.log(
    `${name}: median ${micros(few)} with ${short} events, ${micros(many)} with ${long}, ratio ${(many / few).toFixed(2)}`,
  )
}

await main()
