import { expect } from 'vitest'
import type { SessionCorpus } from '../../src/core/corpus.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { refused, type Contract } from './contract.ts'

/** How long a search may take. */
export function searchTimeCases(contract: Contract): void {
  contract.topic('the time of a search', () => {
    contract.case('ends with its deadline, and leaves everything as it was', async (corpus) => {
      await fill(corpus)
      const before = await corpus.status()
      const wanted = await corpus.searchEvents({ query: 'alpha' })
      const first = await corpus.searchEvents({ query: 'alpha beta', limit: 2 })
      await refused(
        corpus.searchEvents({ query: worstQuery, match: 'any', timeoutMs: 1 }),
        'TIMEOUT',
        /timeoutMs, which is 1\./,
      )
      expect((await corpus.searchEvents({ query: 'alpha' })).items).toEqual(wanted.items)
      const { nextCursor: cursor } = first
      const second = await corpus.searchEvents({ query: 'alpha beta', limit: 2, cursor })
      expect(second.items).toHaveLength(2)
      expect((await corpus.status()).index).toEqual(before.index)
    })

    contract.case('counts while the index is made, which goes on', async () => {
      const corpus = await contract.open({ openIndexAt: 'first-search' })
      await fill(corpus)
      await refused(corpus.searchEvents({ query: 'alpha', timeoutMs: 5 }), 'TIMEOUT')
      const controller = new AbortController()
      const search = corpus.searchEvents({ query: 'alpha' }, { signal: controller.signal })
      controller.abort('enough')
      await expect(search).rejects.toBe('enough')
      expect((await corpus.searchEvents({ query: 'alpha', limit: 100 })).items).toHaveLength(100)
    })

    contract.case('is plenty when nothing is said', async (corpus) => {
      await fill(corpus)
      const { items } = await corpus.searchSessions({ query: worstQuery, match: 'any' })
      expect(items).toHaveLength(1)
    })

    for (const timeoutMs of [-1, Number.NaN, '5', null]) {
      contract.case(`cannot be ${String(timeoutMs)} (${typeof timeoutMs})`, async (corpus) => {
        const request = { query: 'a', timeoutMs: timeoutMs as never }
        await refused(
          corpus.searchEvents(request),
          'INVALID_LIMIT',
          /timeoutMs is .*; it has to be a number of milliseconds from 0/,
        )
        await refused(
          corpus.searchSessions(request),
          'INVALID_LIMIT',
          /timeoutMs is .*; it has to be a number of milliseconds from 0/,
        )
      })
    }
  })
}

/** Every word is everywhere, and each is there more often than the one before. */
const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta']
const worstQuery = words.join(' ').repeat(30)

async function fill(corpus: SessionCorpus): Promise<void> {
  const text = words.join(' ').repeat(40)
  await corpus.putSession(
    session(
      'worst',
      Array.from({ length: 400 }, (_, seq) => userMessage(`${text} ${seq}`)),
    ),
  )
}
