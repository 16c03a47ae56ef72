import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SessionCorpus } from '../../src/core/corpus.ts'
import type { SessionEvent } from '../../src/core/session.ts'
import { openMemoryCorpus } from '../../worker/in-process.ts'
import { assistantMessage, logOf, session, toolResult, userMessage } from '../fixtures/logs.ts'

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

describe('writing', () => {
  it('adds a session, and changes nothing the second time', async () => {
    const result = { sessionId: 'talk', created: true, appended: 4, length: 4 }
    expect(await corpus.putSession(talk)).toEqual(result)
    expect(await corpus.putSession(talk)).toEqual({ ...result, created: false, appended: 0 })
    expect((await corpus.searchEvents({ query: 'shop' })).items).toHaveLength(2)
  })

  it('continues a stored log by a longer one, and leaves it alone for a shorter one', async () => {
    await corpus.putSession({ ...talk, events: talk.events.slice(0, 2) })
    expect(await corpus.putSession(talk)).toMatchObject({ created: false, appended: 2, length: 4 })
    expect(await corpus.putSession({ ...talk, events: [] })).toMatchObject({ appended: 0, length: 4 })
  })

  it('recognises appended events by their seq', async () => {
    await corpus.putSession(talk)
    const more = logOf([...talk.events, userMessage('Thanks')]).slice(2)
    expect(await corpus.appendEvents({ sessionId: 'talk', events: more })).toMatchObject({
      appended: 1,
      length: 5,
    })
    expect(await corpus.appendEvents({ sessionId: 'talk', events: more })).toMatchObject({
      appended: 0,
      length: 5,
    })
  })

  it.each<[string, () => Promise<unknown>, string]>([
    [
      'another header',
      () => corpus.putSession({ ...talk, header: { ...talk.header, cwd: '/else' } }),
      'SOURCE_CONFLICT',
    ],
    [
      'another event',
      () => corpus.putSession(session('talk', [{ type: 'turn/end' }])),
      'SOURCE_CONFLICT',
    ],
    ['a gap', () => corpus.appendEvents({ sessionId: 'talk', events: [event(9)] }), 'INVALID_SURFACE'],
    [
      'a log that does not fold',
      () => corpus.putSession(session('new', [{ type: 'user/message' }])),
      'INVALID_SURFACE',
    ],
    [
      'an unknown session',
      () => corpus.appendEvents({ sessionId: 'none', events: [] }),
      'SESSION_NOT_FOUND',
    ],
    [
      'what is lossy',
      () => corpus.putSession(session('new', [{ data: Number.NaN }])),
      'CORRUPT_SESSION',
    ],
    [
      'a header of another version',
      () => corpus.putSession(session('new', [], { version: 7 })),
      'CORRUPT_SESSION',
    ],
    ['a header without id', () => corpus.putSession(session('', [])), 'CORRUPT_SESSION'],
    ['no request at all', () => corpus.putSession(undefined as never), 'CORRUPT_SESSION'],
    [
      'no events',
      () => corpus.appendEvents({ sessionId: 'talk', events: 5 as never }),
      'CORRUPT_SESSION',
    ],
  ])('refuses %s and stores nothing of it', async (_name, write, code) => {
    await corpus.putSession(talk)
    await expect(write()).rejects.toMatchObject({ code: `SESSION_QUERY_${code}` })
    expect(await corpus.status()).toMatchObject({ sessions: 1, events: 4 })
    expect((await corpus.readSession({ sessionId: 'talk' })).events).toEqual(talk.events)
  })

  it('takes all of a batch or nothing', async () => {
    await corpus.putSession(talk)
    const events = [event(4), event(5), { ...event(6), surfaceOp: 'append' as const }]
    await expect(corpus.appendEvents({ sessionId: 'talk', events })).rejects.toMatchObject({
      message: expect.stringContaining('seq 6'),
    })
    expect(await corpus.appendEvents({ sessionId: 'talk', events: [event(4)] })).toMatchObject({
      length: 5,
    })
  })

  it('deletes a session with all that search knows of it', async () => {
    await corpus.putSession(talk)
    await corpus.deleteSession({ sessionId: 'talk' })
    expect(await corpus.listSessions()).toEqual([])
    expect((await corpus.searchSessions({ query: 'shop' })).items).toEqual([])
    await expect(corpus.deleteSession({ sessionId: 'talk' })).rejects.toMatchObject({
      code: 'SESSION_QUERY_SESSION_NOT_FOUND',
      message: 'There is no session "talk" in this corpus.',
    })
    expect(await corpus.putSession(talk)).toMatchObject({ created: true })
  })

  it('keeps apart ids that SQLite text could not', async () => {
    const ids = ['\ud800', '\ud801', 'a\u0000b', 'a\u0000c', 'a', '\uFFFD']
    for (const id of ids)
      await corpus.putSession(session(id, [userMessage(`text of ${JSON.stringify(id)}`)]))
    for (const id of ids) {
      const { session: header, events } = await corpus.readSession({ sessionId: id })
      expect(header.id).toBe(id)
      expect(JSON.stringify(events)).toContain(JSON.stringify(JSON.stringify(id)).slice(1, -1))
    }
  })
})

describe('reading', () => {
  it('lists the newest first, then by code point', async () => {
    for (const [id, createdAt] of [
      ['b', 1],
      ['🚀', 2],
      ['\uFF01', 2],
      ['a', 2],
    ] as const) {
      await corpus.putSession(session(id, [], { createdAt }))
    }
    expect((await corpus.listSessions()).map((record) => record.header.id)).toEqual([
      'a',
      '\uFF01',
      '🚀',
      'b',
    ])
    expect((await corpus.listSessions())[0]).toMatchObject({ live: false, persisted: true })
  })

  it('gives back exactly what came in, and detached', async () => {
    const odd = session(
      'odd',
      [{ type: 'x/y', data: { z: '\ud83d', a: ['\u0000', 1e300, -1.5, true, null], 2: '', 1: {} } }],
      {
        cwd: 'C:\\a b',
        future: { kept: [1] },
      },
    )
    await corpus.putSession(odd)
    const read = await corpus.readSession({ sessionId: 'odd' })
    expect(JSON.stringify(read)).toBe(JSON.stringify({ session: odd.header, events: odd.events }))
    ;(read.events as SessionEvent[]).length = 0
    expect((await corpus.readSession({ sessionId: 'odd' })).events).toHaveLength(1)
  })

  it('lists events with their place on the surface', async () => {
    const folded = session('folded', [
      userMessage('a'),
      userMessage('b', { surfaceOp: { op: 'replace', start: 0, end: 0 }, sourceEventSeqs: [0] }),
      { type: 'turn/end' },
    ])
    await corpus.putSession(folded)
    expect((await corpus.listEvents({ sessionId: 'folded' })).map((record) => record.surface)).toEqual([
      'shadowed',
      'current',
      'log-only',
    ])
    const { items } = await corpus.searchEvents({ query: 'a' })
    expect(items.map((item) => item.surface)).toEqual(['shadowed'])
  })

  it('reads an event between its neighbours, clipped at the ends of the log', async () => {
    await corpus.putSession(talk)
    const read = await corpus.readEvent({ sessionId: 'talk', seq: 1, before: 5, after: 1 })
    expect(read).toEqual({
      session: talk.header,
      target: talk.events[1],
      events: talk.events.slice(0, 3),
      startSeq: 0,
      endSeq: 2,
    })
    expect((await corpus.readEvent({ sessionId: 'talk', seq: 3 })).events).toEqual([talk.events[3]])
  })

  it.each([
    [{ before: -1 }, /before is -1; it has to be a whole number from 0 to 50/],
    [{ after: 51 }, /after is 51/],
    [{ after: 0.5 }, /after is 0\.5/],
    [{ before: '1' as never }, /before is "1"/],
  ])('refuses the window %j', async (window, message) => {
    await corpus.putSession(talk)
    await expect(corpus.readEvent({ sessionId: 'talk', seq: 0, ...window })).rejects.toMatchObject({
      code: 'SESSION_QUERY_INVALID_WINDOW',
      message: expect.stringMatching(message),
    })
  })

  it.each([[4], [-1], [0.5], ['0' as never], [undefined as never]])(
    'knows no event %j',
    async (seq) => {
      await corpus.putSession(talk)
      await expect(corpus.readEvent({ sessionId: 'talk', seq })).rejects.toMatchObject({
        code: 'SESSION_QUERY_EVENT_NOT_FOUND',
        message: expect.stringContaining('seq 0 to 3'),
      })
    },
  )

  it('reads titles, each with its own fate', async () => {
    await corpus.putSession(talk)
    await corpus.putSession(session('mute', []))
    expect(await corpus.readTitle({ sessionId: 'talk' })).toMatchObject({
      title: 'Deploying',
      eventSeq: 3,
    })
    expect(await corpus.readTitle({ sessionId: 'mute' })).toBeUndefined()
    const results = await corpus.readTitles({ sessionIds: ['talk', 'none', 'talk', 'mute'] })
    expect(results).toEqual([
      {
        sessionId: 'talk',
        status: 'fulfilled',
        session: talk.header,
        title: expect.objectContaining({ title: 'Deploying' }),
      },
      {
        sessionId: 'none',
        status: 'rejected',
        error: expect.objectContaining({ code: 'SESSION_QUERY_SESSION_NOT_FOUND' }),
      },
      { sessionId: 'mute', status: 'fulfilled', session: expect.objectContaining({ id: 'mute' }) },
    ])
  })

  it('does not pass off as a message what is none', async () => {
    await corpus.putSession(
      session('broken', [{ ...userMessage(''), data: { text: 'old shape' } }, userMessage('fine')]),
    )
    await expect(corpus.readSession({ sessionId: 'broken' })).rejects.toMatchObject({
      code: 'SESSION_QUERY_CORRUPT_SESSION',
      message: expect.stringContaining('seq 0'),
    })
    expect((await corpus.readEvent({ sessionId: 'broken', seq: 0 })).target.data).toEqual({
      text: 'old shape',
    })
    expect((await corpus.searchEvents({ query: 'fine' })).items).toHaveLength(1)
  })
})

describe('searching', () => {
  it('gives a session once, by its best event', async () => {
    await corpus.putSession(talk)
    await corpus.putSession(session('other', [userMessage('the shop again, '.repeat(50))]))
    const { items, searchable } = await corpus.searchSessions({ query: 'shop deployed' })
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
      (await corpus.searchEvents({ query, prefixLast: true })).items
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

describe('calls', () => {
  it('reject with the very reason of an aborted signal', async () => {
    const reason = { mine: true }
    const signal = AbortSignal.abort(reason)
    await expect(corpus.listSessions({}, { signal })).rejects.toBe(reason)
    await expect(corpus.putSession(talk, { signal })).rejects.toBe(reason)
    expect(await corpus.listSessions()).toEqual([])
  })

  it('end with the corpus', async () => {
    await corpus.close()
    await corpus.close()
    await expect(corpus.listSessions()).rejects.toMatchObject({ code: 'SESSION_QUERY_WORKER_FAILED' })
  })
})

function event(seq: number): SessionEvent {
  return { type: 'turn/start', seq, time: 0, data: {} }
}
