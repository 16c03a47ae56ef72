import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SessionCorpus } from '../../src/core/corpus.ts'
import { openMemoryCorpus } from '../../worker/in-process.ts'
import { assistantMessage, session, toolResult, userMessage } from '../fixtures/logs.ts'

let corpus: SessionCorpus

beforeEach(async () => {
  corpus = await openMemoryCorpus()
})

afterEach(() => corpus.close())

const talk = session('talk', [
  { type: 'turn/start', data: { turn: 1 } },
  userMessage('Please deploy the shop'),
  assistantMessage('The shop is deployed'),
  { type: 'session/title', data: { title: 'Deploying', messageSeqs: [1], source: { kind: 'user' } } },
])

describe('searching', () => {
  it('gives a session once, by its best event', async () => {
    await corpus.putSession(talk)
    await corpus.putSession(session('other', [userMessage('the shop again, '.repeat(50))]))
    const { items, searchable } = await corpus.searchSessions({ query: 'shop deployed', match: 'all' })
    expect(searchable).toBe(true)
    expect(items).toEqual([
      {
        header: talk.header,
        live: false,
        persisted: true,
        bestMatch: {
          sessionId: 'talk',
          seq: 2,
          type: 'assistant/message',
          time: 1002,
          surface: 'current',
          snippet: 'The shop is deployed',
          highlights: [
            [4, 8],
            [12, 20],
          ],
          matched: 'all',
        },
      },
    ])
  })

  it('searches one session, and names it', async () => {
    await corpus.putSession(talk)
    await corpus.putSession(session('other', [userMessage('shop')]))
    const page = await corpus.searchEvents({ sessionId: 'other', query: 'shop' })
    expect(page.session).toEqual({ version: 0, id: 'other', createdAt: 1000 })
    expect(page.items.map((item) => item.sessionId)).toEqual(['other'])
    await expect(corpus.searchEvents({ sessionId: 'none', query: 'shop' })).rejects.toMatchObject({
      code: 'SESSION_QUERY_SESSION_NOT_FOUND',
    })
  })

  it.each([
    ['shop deployed', 'phrase', []],
    ['SHOP is', 'phrase', [2]],
    ['deployed shop', 'all', [2]],
    ['deploy', 'all', [1]],
  ] as const)('finds %j as %s in %j', async (query, match, seqs) => {
    await corpus.putSession(talk)
    const { items } = await corpus.searchEvents({ query, match })
    expect(items.map((item) => item.seq)).toEqual(seqs)
  })

  it('lets the last word be a beginning', async () => {
    await corpus.putSession(talk)
    const found = async (query: string): Promise<number[]> =>
      (await corpus.searchEvents({ query, match: 'all', prefixLast: true })).items
        .map((item) => item.seq)
        .toSorted((a, b) => a - b)
    expect(await found('shop dep')).toEqual([1, 2])
    expect(await found('sho deploy')).toEqual([])
  })

  it('takes the query as words, whatever it looks like', async () => {
    await corpus.putSession(
      session('odd', [userMessage('C++ AND don\'t NEAR( a:b ^c foo* "q" col-umn 50% [x]')]),
    )
    for (const query of [
      'C++',
      'AND',
      "don't",
      'NEAR(',
      'a:b',
      '^c',
      'foo*',
      '"q"',
      '"',
      'col-umn',
      '50%',
      '[x]',
      'NOT',
      ')',
      "';--",
    ]) {
      const { items, searchable } = await corpus.searchEvents({ query })
      expect([query, searchable, items.length]).toEqual([
        query,
        /\w/.test(query),
        /\w/.test(query) && query !== 'NOT' ? 1 : 0,
      ])
    }
  })

  it('finds Chinese inside a clause, and text beside NULs and half surrogates', async () => {
    await corpus.putSession(
      session('zh', [userMessage('会议纪要和预算审批'), toolResult('a\u0000\ud83d budget')]),
    )
    expect((await corpus.searchEvents({ query: '预算' })).items[0]).toMatchObject({
      seq: 0,
      highlights: [[5, 7]],
    })
    expect((await corpus.searchEvents({ query: '算预' })).items).toEqual([])
    expect((await corpus.searchEvents({ query: 'budget' })).items).toHaveLength(1)
  })

  it.each([
    [{ query: '' }, 'INVALID_QUERY', /query is ""/],
    [{ query: ' \n' }, 'INVALID_QUERY', /blank/],
    [{ query: 'a\u0000b' }, 'INVALID_QUERY', /NUL/],
    [{ query: 5 as never }, 'INVALID_QUERY', /query is 5/],
    [{ query: 'a', match: 'none' as never }, 'INVALID_QUERY', /match is "none"; allowed are/],
    [
      { query: 'a', limit: 0 },
      'INVALID_LIMIT',
      /limit is 0; it has to be a whole number from 1 to 100/,
    ],
    [{ query: 'a', limit: 101 }, 'INVALID_LIMIT', /limit is 101/],
    [{ query: 'a', limit: 1.5 }, 'INVALID_LIMIT', /limit is 1\.5/],
    [{ query: '', limit: 0 }, 'INVALID_QUERY', /query/],
  ])('refuses %j', async (request, code, message) => {
    const expected = { code: `SESSION_QUERY_${code}`, message: expect.stringMatching(message) }
    await expect(corpus.searchSessions(request)).rejects.toMatchObject(expected)
    await expect(corpus.searchEvents(request)).rejects.toMatchObject(expected)
  })

  it('fills a page and no more, newest first among equals', async () => {
    for (let at = 0; at < 25; at += 1)
      await corpus.putSession(session(`s${at}`, [{ ...userMessage('same words'), time: at }]))
    const { items } = await corpus.searchSessions({ query: 'same' })
    expect(items).toHaveLength(20)
    expect(items[0]?.header.id).toBe('s24')
    expect((await corpus.searchSessions({ query: 'same', limit: 100 })).items).toHaveLength(25)
  })
})
