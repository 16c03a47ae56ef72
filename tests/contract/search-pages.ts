import { expect } from 'vitest'
import type { EventPage, SearchEventsRequest, SessionCorpus } from '../../src/core/corpus.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { refused, type Contract } from './contract.ts'
import { append } from './logs.ts'

/** Pages and the cursors between them. */
export function searchPageCases(contract: Contract): void {
  contract.topic('search pages', () => {
    for (const rank of ['relevance', 'occurrences', 'recent'] as const) {
      contract.case(`hold every hit once, by ${rank}`, async (corpus) => {
        await fill(corpus)
        const whole = await corpus.searchEvents({ query: 'word', rank, limit: 100 })
        const walked = await walk(corpus, { query: 'word', rank, limit: 7 })
        expect(walked).toEqual(whole.items.map(({ sessionId, seq }) => `${sessionId}/${seq}`))
        expect(new Set(walked).size).toBe(40)
      })
    }

    contract.case('hold every session once', async (corpus) => {
      await fill(corpus)
      const first = await corpus.searchSessions({ query: 'word', limit: 3 })
      const second = await corpus.searchSessions({
        query: 'word',
        limit: 3,
        cursor: first.nextCursor,
      })
      expect(second.nextCursor).toBeUndefined()
      const ids = [...first.items, ...second.items].map(({ header }) => header.id)
      expect(ids.toSorted()).toEqual(['s0', 's1', 's2', 's3'])
    })

    contract.case('go on whatever the order of filters and the white space', async (corpus) => {
      await fill(corpus)
      const time = { kind: 'time', from: 0 } as const
      const type = { kind: 'type', values: ['user/message'] } as const
      const first = await corpus.searchEvents({ query: 'word a', filters: [time, type], limit: 5 })
      const request = { query: '  word \n a ', filters: [type, time], limit: 5 }
      const next = await corpus.searchEvents({ ...request, cursor: first.nextCursor })
      expect(next.items).toHaveLength(5)
    })

    const others: readonly (readonly [string, Partial<SearchEventsRequest>])[] = [
      ['query', { query: 'Word' }],
      ['limit', { limit: 6 }],
      ['rank', { rank: 'recent' }],
      ['match', { match: 'any' }],
      ['session', { sessionId: 's0' }],
    ]
    for (const [what, change] of others) {
      contract.case(`do not go on with another ${what}`, async (corpus) => {
        await fill(corpus)
        const request = { query: 'word', limit: 5 }
        const { nextCursor: cursor } = await corpus.searchEvents(request)
        await refused(corpus.searchEvents({ ...request, ...change, cursor }), 'INVALID_CURSOR')
      })
    }

    contract.case('do not go on with a cursor that is none', async (corpus) => {
      await fill(corpus)
      const { nextCursor = '' } = await corpus.searchEvents({ query: 'word', limit: 5 })
      const altered = `${nextCursor.slice(0, -1)}${nextCursor.endsWith('a') ? 'b' : 'a'}`
      for (const cursor of ['', 'x', altered, 5, null, {}]) {
        const request = { query: 'word', limit: 5, cursor: cursor as never }
        await refused(corpus.searchEvents(request), 'INVALID_CURSOR')
      }
    })

    contract.case('do not go on with a cursor of another corpus', async (corpus) => {
      const other = await contract.open()
      await fill(corpus)
      await fill(other)
      const { nextCursor: cursor } = await other.searchEvents({ query: 'word', limit: 5 })
      await refused(corpus.searchEvents({ query: 'word', limit: 5, cursor }), 'INVALID_CURSOR')
    })

    contract.case('end when what was read has changed', async (corpus) => {
      await fill(corpus)
      const everywhere = await firstPage(corpus, {})
      const inside = await firstPage(corpus, { sessionId: 's0' })
      await corpus.putSession(session('more', [userMessage('other things')]))
      await refused(goOn(corpus, {}, everywhere), 'STALE_CURSOR')
      expect((await goOn(corpus, { sessionId: 's0' }, inside)).items).toHaveLength(5)
      const again = await firstPage(corpus, { sessionId: 's0' })
      await corpus.appendEvents({
        sessionId: 's0',
        events: [{ ...event('word'), seq: 10 } as never],
      })
      await refused(goOn(corpus, { sessionId: 's0' }, again), 'STALE_CURSOR')
    })

    contract.case('go on when only what nobody searches came', async (corpus) => {
      await fill(corpus)
      await using live = await corpus.sessions.create({ id: 'live' })
      append(live, 'of/test')
      await live.flush()
      const page = await firstPage(corpus, {})
      append(live, 'turn/start', { turn: 1 })
      append(live, 'assistant/chunk', { turn: 1, step: 1, chunk: { text: 'word' } })
      expect((await goOn(corpus, {}, page)).items).toHaveLength(5)
    })
  })
}

async function fill(corpus: SessionCorpus): Promise<void> {
  for (let at = 0; at < 4; at += 1) {
    const texts = Array.from({ length: 10 }, (_, seq) => event(`word a ${'and more '.repeat(seq)}`))
    await corpus.putSession(session(`s${at}`, texts))
  }
}

function event(text: string): ReturnType<typeof userMessage> {
  return userMessage(text, { time: 5 })
}

function firstPage(corpus: SessionCorpus, more: Partial<SearchEventsRequest>): Promise<EventPage> {
  return corpus.searchEvents({ query: 'word', limit: 5, ...more })
}

function goOn(
  corpus: SessionCorpus,
  more: Partial<SearchEventsRequest>,
  { nextCursor }: EventPage,
): Promise<EventPage> {
  expect(nextCursor).toBeTypeOf('string')
  return corpus.searchEvents({ query: 'word', limit: 5, ...more, cursor: nextCursor })
}

async function walk(corpus: SessionCorpus, request: SearchEventsRequest): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page: EventPage = await corpus.searchEvents({ ...request, cursor })
    seen.push(...page.items.map(({ sessionId, seq }) => `${sessionId}/${seq}`))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return seen
}
