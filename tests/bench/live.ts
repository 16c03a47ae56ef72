import type { SessionCorpus } from '../../src/core/corpus.ts'
import { openMemoryCorpus } from '../../worker/in-process.ts'
import { median, micros, timed } from './timing.ts'

const events = 20_000
const sample = 1000

/** Appends events one by one to a live session, reads each back, and prints what the last ones took over the first ones. */
async function main(): Promise<void> {
  const corpus = await openMemoryCorpus()
  // The first round is for the compiler alone.
  await round(corpus, false)
  for (const persist of [false, true]) {
    const { appends, reads } = await round(corpus, persist)
    console.log(`live session of ${events} events, ${persist ? 'written behind' : 'not persisted'}:`)
    print('append', appends)
    print('readEvent', reads)
  }
  await corpus.close()
}

async function round(
  corpus: SessionCorpus,
  persist: boolean,
): Promise<{ readonly appends: readonly number[]; readonly reads: readonly number[] }> {
  const live = await corpus.sessions.create({}, { persist })
  const appends: number[] = []
  const reads: number[] = []
  for (let seq = 0; seq < events; seq += 1) {
    const data = {
      id: `m${seq}`,
      role: 'user',
      content: [{ type: 'text', text: `message ${seq}` }],
      source: { kind: 'user' },
    } as const
    appends.push(await timed(() => live.append('user/message', data, { surfaceOp: 'append' })))
    reads.push(await timed(() => corpus.readEvent({ sessionId: live.id, seq })))
  }
  await live.close()
  return { appends, reads }
}

function print(name: string, times: readonly number[]): void {
  const first = median(times.slice(0, sample))
  const last = median(times.slice(-sample))
  console.log(
    `  ${name}: median of the first ${sample} ${micros(first)}, of the last ${sample} ${micros(last)}, ratio ${(last / first).toFixed(2)}`,
  )
}

await main()
