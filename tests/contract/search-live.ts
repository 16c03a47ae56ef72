import { expect } from 'vitest'
import type { LiveSession } from '../../src/core/corpus.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { refused, type Contract } from './contract.ts'
import { append } from './logs.ts'

/** Searching what is being written. */
export function searchLiveCases(contract: Contract): void {
  contract.topic('searching open sessions', () => {
    contract.case('finds everything that was appended before, several at a time', async (corpus) => {
      await using live = await corpus.sessions.create({ id: 'l' }, { persist: false })
      for (let count = 1; count <= 5; count += 1) {
        say(live, `apple ${count}`)
        const pages = await Promise.all([
          corpus.searchEvents({ query: 'apple' }),
          corpus.searchEvents({ query: 'apple', sessionId: 'l' }),
          corpus.searchEvents({ query: 'apple', rank: 'recent' }),
        ])
        expect(pages.map(({ items }) => items.length)).toEqual([count, count, count])
      }
    })

    contract.case('finds it also after searches that were aborted', async (corpus) => {
      await using live = await corpus.sessions.create({ id: 'l' }, { persist: false })
      for (let round = 0; round < 5; round += 1) {
        for (let at = 0; at < 40; at += 1) say(live, 'apple')
        const controller = new AbortController()
        const search = corpus.searchEvents({ query: 'apple' }, { signal: controller.signal })
        setTimeout(() => controller.abort('enough'), round)
        await search.catch((reason: unknown) => expect(reason).toBe('enough'))
      }
      const { items } = await corpus.searchEvents({ query: 'apple', limit: 100 })
      expect(items).toHaveLength(100)
      expect((await corpus.status()).issues).toEqual([])
    })

    contract.case('begins anew with another session of the same id', async (corpus) => {
      const first = await corpus.sessions.create({ id: 'l' }, { persist: false })
      for (const text of ['apple', 'apple pie', 'pear']) say(first, text)
      expect((await corpus.searchEvents({ query: 'apple' })).items).toHaveLength(2)
      await first.close()
      await using second = await corpus.sessions.create({ id: 'l' }, { persist: false })
      say(second, 'one apple')
      expect((await corpus.searchEvents({ query: 'apple' })).items.map(({ seq }) => seq)).toEqual([0])
    })

    contract.case('takes those that are stored as well for live ones', async (corpus) => {
      await corpus.putSession(session('s', [userMessage('apple')]))
      await using live = await corpus.sessions.create({ id: 'l' })
      await using passing = await corpus.sessions.create({ id: 'p' }, { persist: false })
      say(live, 'apple')
      say(passing, 'apple')
      await live.flush()
      const found = async (values: readonly ('live' | 'persisted')[]): Promise<string[]> => {
        const sessionFilters = [{ kind: 'availability', values }] as const
        const { items } = await corpus.searchSessions({ query: 'apple', sessionFilters })
        const events = await corpus.searchEvents({ query: 'apple', sessionFilters })
        const ids = items.map(({ header }) => header.id).toSorted()
        expect(events.items.map(({ sessionId }) => sessionId).toSorted()).toEqual(ids)
        return ids
      }
      expect(await found(['live'])).toEqual(['l', 'p'])
      expect(await found(['persisted'])).toEqual(['l', 's'])
    })

    contract.case('pages go on while an agent streams', async (corpus) => {
      const texts = Array.from({ length: 30 }, () => userMessage('apple'))
      await corpus.putSession(session('s', texts))
      await using live = await corpus.sessions.create({ id: 'l' })
      const streaming = setInterval(
        () => append(live, 'assistant/chunk', { turn: 1, step: 1, chunk: {} }),
        1,
      )
      try {
        const { nextCursor: cursor } = await corpus.searchEvents({ query: 'apple' })
        await new Promise((resume) => setTimeout(resume, 50))
        expect((await corpus.searchEvents({ query: 'apple', cursor })).items).toHaveLength(10)
      } finally {
        clearInterval(streaming)
      }
    })

    contract.case('looks at the filters as they were when it was asked', async (corpus) => {
      await corpus.putSession(session('a', [userMessage('apple')]))
      await corpus.putSession(session('b', [userMessage('apple')]))
      const values = ['a']
      const search = corpus.searchEvents({
        query: 'apple',
        sessionFilters: [{ kind: 'id', values }],
      })
      values[0] = 'b'
      expect((await search).items.map(({ sessionId }) => sessionId)).toEqual(['a'])
    })

    contract.case('does not go on from sessions to events', async (corpus) => {
      for (const id of ['a', 'b']) await corpus.putSession(session(id, [userMessage('apple')]))
      const { nextCursor: cursor } = await corpus.searchSessions({ query: 'apple', limit: 1 })
      const other = corpus.searchEvents({ query: 'apple', limit: 1, cursor })
      await refused(other, 'INVALID_CURSOR', /another request/)
    })

    contract.case('finds the common words of a query for any of its words', async (corpus) => {
      await corpus.putSession(session('a', [userMessage('the house'), userMessage('deploy it')]))
      const { items } = await corpus.searchEvents({ query: 'the deploy', match: 'any' })
      expect(items.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual([0, 1])
    })
  })

  contract.topic('closing a corpus', () => {
    contract.case('loses nothing that was appended, and takes nothing more', async () => {
      const corpus = await contract.open()
      const live = await corpus.sessions.create({ id: 'l' })
      append(live, 'of/test')
      const closing = corpus.close()
      expect(() => append(live, 'of/test')).toThrow(/closed/)
      await refused(corpus.sessions.create({ id: 'm' }), 'WORKER_FAILED', /closed/)
      await closing
      const late = corpus.sessions.create({ id: 'n' }, { persist: false })
      await refused(late, 'WORKER_FAILED', /closed/)
    })

    contract.case('waits for the store that is being opened again', async () => {
      const corpus = await contract.open()
      const reopening = corpus.reopen().catch(() => undefined)
      await corpus.close()
      await reopening
      await refused(corpus.listSessions(), 'WORKER_FAILED', /closed/)
    })
  })
}

function say(live: LiveSession, text: string): void {
  const { type = '', data = null } = userMessage(text)
  live.append(type, data, { surfaceOp: 'append' })
}
