import { openCorpus } from 'session-query'
import type { EndedSearches } from '../ended-searches.ts'

const words = Array.from({ length: 120 }, (_, at) => `word${at.toString(36)}`)
/** Every word of every message: as much as a search can have to do. */
const query = words.join(' ')

async function timed(run: () => Promise<unknown>): Promise<[ms: number, threw: string]> {
  const start = performance.now()
  const threw = await run().then(() => '', String)
  return [performance.now() - start, threw]
}

async function endSearches(): Promise<EndedSearches> {
  await using corpus = await openCorpus({ storage: 'memory' })
  await corpus.putSession({
    header: { version: 0, id: 'long', createdAt: 0 },
    events: Array.from({ length: 5000 }, (_, seq) => ({
      type: 'user/message',
      seq,
      time: seq,
      surfaceOp: 'append' as const,
      data: {
        id: 'u',
        role: 'user',
        content: [{ type: 'text', text: query }],
        source: { kind: 'user' },
      },
    })),
  })
  const search = { query, match: 'any', limit: 1 } as const
  const hits = async (): Promise<number> =>
    (await corpus.searchEvents({ query: 'word1', limit: 100 })).items.length

  const hitsBefore = await hits()
  const [wholeMs] = await timed(() => corpus.searchEvents(search))
  const controller = new AbortController()
  let abortedWith: unknown
  const [abortedMs] = await timed(async () => {
    const ended = corpus
      .searchEvents(search, { signal: controller.signal })
      .catch((error: unknown) => error)
    setTimeout(() => controller.abort('enough'), 30)
    abortedWith = await ended
    // Answered when the worker is free again.
    await corpus.status()
  })
  const [timedOutMs, timedOutWith] = await timed(() =>
    corpus.searchEvents({ ...search, timeoutMs: 30 }),
  )
  const hitsAfter = await hits()
  return {
    isolated: crossOriginIsolated,
    wholeMs,
    abortedMs,
    timedOutMs,
    abortedWith,
    timedOutWith,
    hitsBefore,
    hitsAfter,
  }
}

Object.assign(globalThis, { endSearches })
