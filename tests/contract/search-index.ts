import { expect } from 'vitest'
import type { CorpusChange } from '../../src/core/corpus.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { refused, type Contract } from './contract.ts'

/** When the index is made, and what is heard of it. */
export function searchIndexCases(contract: Contract): void {
  contract.topic('the search index', () => {
    contract.case('is made at the first search when that is asked for', async () => {
      const corpus = await contract.open({ openIndexAt: 'first-search' })
      await corpus.putSession(session('s', [userMessage('a word')]))
      expect((await corpus.status()).index).toEqual({ state: 'closed', documents: 0 })
      expect((await corpus.searchSessions({ query: 'word' })).items).toHaveLength(1)
      expect((await corpus.status()).index).toEqual({ state: 'ready', documents: 1 })
    })

    contract.case('is made at once otherwise', async () => {
      const corpus = await contract.open()
      await expect
        .poll(async () => (await corpus.status()).index)
        .toEqual({ state: 'ready', documents: 0 })
    })

    contract.case('is never made when that is asked for, and the rest works', async () => {
      const corpus = await contract.open({ openIndexAt: 'never' })
      await corpus.putSession(session('s', [userMessage('a word')]))
      const live = await corpus.sessions.create({ id: 'l' })
      live.append('of/test', {})
      await refused(corpus.searchSessions({ query: 'word' }), 'SEARCH_DISABLED', /openIndexAt "never"/)
      await refused(corpus.searchEvents({ query: '' }), 'SEARCH_DISABLED')
      expect((await corpus.status()).index).toEqual({ state: 'disabled', documents: 0 })
      await live.close()
      expect(await corpus.listSessions()).toHaveLength(2)
    })

    contract.case('tells how it gets on, and reads do not wait for it', async () => {
      const corpus = await contract.open({ openIndexAt: 'first-search' })
      for (let at = 0; at < 5; at += 1) {
        const events = Array.from({ length: 400 }, (_, seq) => userMessage(`word ${seq} and so on`))
        await corpus.putSession(session(`s${at}`, events))
      }
      const heard: CorpusChange[] = []
      corpus.subscribe((change) => heard.push(change))
      const order: string[] = []
      const search = corpus.searchSessions({ query: 'word' }).then((page) => {
        order.push('search')
        return page
      })
      const read = corpus.readEvent({ sessionId: 's3', seq: 5 }).then(() => order.push('read'))
      await read
      expect((await search).items).toHaveLength(5)
      expect(order).toEqual(['read', 'search'])
      await expect.poll(() => heard.at(-1)?.index).toEqual({ state: 'ready', documents: 2000 })
      const building = heard.slice(0, -1)
      expect(building.length).toBeGreaterThan(2)
      const done = building.map(({ index }) => index?.progress?.eventsDone ?? 0)
      expect(done).toEqual(done.toSorted((a, b) => a - b))
      expect(building.every(({ kind, index }) => kind === 'index' && index?.state === 'building')).toBe(
        true,
      )
      expect(building.map(({ index }) => index?.progress?.eventsTotal)).toEqual(
        building.map(() => 2000),
      )
    })

    contract.case('has what was written while it was made', async () => {
      const corpus = await contract.open({ openIndexAt: 'first-search' })
      const events = Array.from({ length: 1500 }, (_, seq) => userMessage(`word ${seq}`))
      await corpus.putSession(session('s', events))
      const search = corpus.searchEvents({ query: 'word', limit: 1 })
      const put = corpus.putSession(session('late', [userMessage('another word')]))
      const append = corpus.appendEvents({
        sessionId: 's',
        events: [{ type: 'turn/start', seq: 1500, time: 1, data: { turn: 1 } }],
      })
      await Promise.all([search, put, append])
      expect((await corpus.searchEvents({ query: 'another' })).items).toHaveLength(1)
      expect((await corpus.status()).index).toMatchObject({ state: 'ready', documents: 1501 })
    })
  })
}
