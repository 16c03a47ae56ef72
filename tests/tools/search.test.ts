import { describe, expect, test } from 'vitest'
import type { LiveSession, SessionCorpus } from '../../src/core/corpus.ts'
import { SessionQueryError } from '../../src/core/errors.ts'
import type { SessionEvent } from '../../src/core/session.ts'
import type { ToolCaller } from '../../src/tools/access.ts'
import { assistantMessage, session, userMessage } from '../fixtures/logs.ts'
import { altered, callerOf, corpusOf, cwd, failureOf, stored, toolsOver } from './workspace.ts'

const message = (text: string) => [userMessage(text).data as never, { surfaceOp: 'append' }] as const

/** An open session with something said before the step in progress, and in it. */
async function inAStep(corpus: SessionCorpus, before: string, now: string): Promise<ToolCaller> {
  const me = await corpus.sessions.create({ id: 'me', cwd })
  me.append('user/message', ...message(before))
  me.append('step/start', { turn: 1, step: 1 })
  me.append('tool/call', { turn: 1, step: 1, callId: 'c', name: 'session_search', arguments: now })
  return me
}

const many = (count: number, text = 'needle') =>
  Array.from({ length: count }, (_, at) => stored(`s${at}`, text))

test('a hit tells all that is needed to go on', async () => {
  const corpus = await corpusOf(
    stored('parent', 'other'),
    stored(
      'child',
      'the needle is here',
      { parentSession: 'parent', createdAt: Date.UTC(2026, 2, 1) },
      [
        {
          type: 'session/title',
          data: { title: 'Where it is', messageSeqs: [0], source: { kind: 'user' } },
        },
      ],
    ),
  )
  const call = toolsOver(corpus)
  expect(await call('session_search', { query: 'is the needle here' })).toMatchInlineSnapshot(`
    "1 session, best first.
    1. child "Where it is", created 2026-03-01T00:00:00.000Z, persisted, parent parent
       seq 0 user/message, current, 1970-01-01T00:00:01.000Z, all words: "the needle is here""
  `)
  expect(await call('session_event_search', { query: 'needle', session_id: 'child' }))
    .toMatchInlineSnapshot(`
      "Session child: 1 event, best first.
      1. seq 0 user/message, current, 1970-01-01T00:00:01.000Z, phrase: "the needle is here""
    `)
})

describe('as many hits as the host allows', () => {
  test.each([
    [5, 5, '5 sessions, best first.'],
    [6, 5, 'The best 5 sessions; more match. Narrow'],
    [50, 45, 'The best 45 sessions; more match. Narrow'],
    [45, 45, '45 sessions, best first.'],
  ])('%i sessions, at most %i', async (count, maxSearchResults, head) => {
    const corpus = await corpusOf(...many(count))
    await inAStep(corpus, 'needle', 'needle')
    const text = await toolsOver(corpus, { maxSearchResults })('session_search', { query: 'needle' })
    expect(text).toContain(head)
    const hits = [...text.matchAll(/^(\d+)\. (s\d+) /gm)]
    expect(hits.map(([, rank]) => Number(rank))).toEqual(hits.map((_, at) => at + 1))
    expect(new Set(hits.map(([, , id]) => id)).size).toBe(Math.min(count, maxSearchResults))
  })

  test('of one session', async () => {
    const log = session(
      's',
      Array.from({ length: 60 }, () => userMessage('needle')),
      { cwd },
    )
    const call = toolsOver(await corpusOf(log), { maxSearchResults: 30 })
    const text = await call('session_event_search', { query: 'needle', session_id: 's' })
    expect(text).toContain('Session s: The best 30 events; more match. Narrow')
    expect(text.match(/^\d+\. seq \d+/gm)).toHaveLength(30)
  })

  test('a cap that hidden hits and the own session alone go beyond is none', async () => {
    const corpus = await corpusOf(...many(3), stored('hidden', 'needle', { cwd: '/other' }))
    const me = await inAStep(corpus, 'needle', 'needle')
    const all = altered(corpus, {
      searchSessions: (request, options) =>
        corpus.searchSessions({ ...request, sessionFilters: [] }, options),
    })
    const text = await toolsOver(all, { maxSearchResults: 3, caller: me })('session_search', {
      query: 'needle',
    })
    expect(text).toContain('3 sessions, best first.')
  })
})

test('titles are read in one call, parents are looked up in one', async () => {
  const corpus = await corpusOf(
    stored('p', 'x'),
    ...many(40).map((log) => ({ ...log, header: { ...log.header, parentSession: 'p' } })),
  )
  const calls: string[] = []
  const counted = altered(corpus, {
    readTitles: (request, options) => {
      calls.push('readTitles')
      return corpus.readTitles(request, options)
    },
    filterSessions: (request, options) => {
      calls.push('filterSessions')
      return corpus.filterSessions(request, options)
    },
  })
  await toolsOver(counted)('session_search', { query: 'needle' })
  expect(calls).toEqual(['readTitles', 'filterSessions'])
})

describe('a search excludes what the caller is doing right now', () => {
  const words = 'quixotic zeppelin'

  test('a call that searches for its own words finds none of itself', async () => {
    const corpus = await corpusOf(stored('other', 'nothing of the kind'))
    const me = await inAStep(corpus, 'before', words)
    const call = toolsOver(corpus, { caller: me })
    for (const text of [
      await call('session_search', { query: words }),
      await call('session_event_search', { query: words }),
      await call('session_event_search', { query: words, session_id: 'me', seq_to: 99 }),
    ]) {
      expect(text).toMatch(/No session found|no event found/)
      expect(text).not.toContain('use session_event_search')
    }
  })

  test('what came before the step is found', async () => {
    const corpus = await corpusOf()
    const me = await inAStep(corpus, words, words)
    const text = await toolsOver(corpus, { caller: me })('session_event_search', { query: words })
    expect(text).toContain('Session me before seq 1, where the step in progress begins: 1 event')
    expect(text).toContain('1. seq 0 user/message')
  })

  test('nothing can be asked for that lies in the step', async () => {
    const corpus = await corpusOf()
    const me = await inAStep(corpus, words, words)
    const text = await toolsOver(corpus, { caller: me })('session_event_search', {
      query: words,
      seq_from: 1,
    })
    expect(text).toContain('The step in progress is not searched.')
  })

  test.each([
    ['a number', 2],
    ['a function', () => 2],
  ])('where the host records no steps it gives the boundary: %s', async (_kind, boundarySeq) => {
    const corpus = await corpusOf()
    const me = await corpus.sessions.create({ id: 'me', cwd })
    for (const text of ['needle one', 'needle two', 'needle three']) {
      me.append('user/message', ...message(text))
    }
    const text = await toolsOver(corpus, { caller: me, boundarySeq })('session_event_search', {
      query: 'needle',
    })
    expect(text).toContain('2 events')
    expect(text).not.toContain('three')
  })

  test('nor does it find them in a fork that was made meanwhile', async () => {
    const corpus = await corpusOf()
    const me = await inAStep(corpus, 'an old harpsichord', words)
    const fork = await corpus.sessions.fork('me', undefined, { id: 'fork' })
    const call = toolsOver(corpus, { caller: me })
    expect(await call('session_search', { query: words })).toContain('No session found.')
    const old = await call('session_search', { query: 'harpsichord' })
    expect(old).toContain('1. fork untitled')
    expect(old).toContain('parent me (your own session)')
    expect(old).toContain('inherited from its parent, phrase: "an old harpsichord"')
    fork.append('user/message', ...message(`said later: ${words}`))
    const later = await call('session_search', { query: `later ${words}` })
    expect(later).toContain('seq 3 user/message')
    expect(later).not.toContain('inherited')
  })

  test('nor in a fork of a fork, nor in the fork itself; what a fork says later is found', async () => {
    const corpus = await corpusOf()
    const me = await inAStep(corpus, 'an old harpsichord', `${words} once more`)
    const fork = await corpus.sessions.fork('me', undefined, { id: 'fork' })
    await corpus.sessions.fork('fork', undefined, { id: 'grand' })
    const call = toolsOver(corpus, { caller: me })
    expect(await call('session_search', { query: words })).toContain('No session found.')
    const within = { query: words, session_id: 'fork' }
    expect(await call('session_event_search', within)).toContain('no event found')
    // Its best match is still the inherited one, which may not be shown.
    fork.append('user/message', ...message('a zeppelin, quixotic'))
    const found = await call('session_search', { query: `${words} once more` })
    expect(found).toContain('1. fork untitled')
    expect(found).toContain('seq 3 user/message')
    expect(found).not.toContain('grand')
    expect(await call('session_event_search', within)).toContain('1. seq 3 user/message')
  })

  test('what a fork inherited from before is found behind it; a fork that is lost spoils nothing', async () => {
    const corpus = await corpusOf(stored('other', 'a zebra'))
    const me = await inAStep(corpus, 'zebra', 'zebra zebra')
    await corpus.sessions.fork('me', undefined, { id: 'fork' })
    expect(await toolsOver(corpus, { caller: me })('session_search', { query: 'zebra' })).toMatch(
      /fork untitled.*\n +seq 0 user\/message.*inherited/,
    )
    for (const code of ['SESSION_NOT_FOUND', 'SOURCE_CONFLICT', 'CORRUPT_SESSION']) {
      const lost = altered(corpus, {
        searchSessions: async (request, options) => {
          const page = await corpus.searchSessions(request, options)
          const items = page.items.map((item) =>
            item.header.id === 'fork'
              ? { ...item, bestMatch: { ...item.bestMatch, ...present } }
              : item,
          )
          return { ...page, items }
        },
        searchEvents: () =>
          Promise.reject(new SessionQueryError(`SESSION_QUERY_${code}` as never, 'lost')),
      })
      const { time, type } = me.events[2] as SessionEvent
      const present = { seq: 2, time, type }
      const text = await toolsOver(lost, { caller: me })('session_search', { query: 'zebra' })
      expect(text).toContain('1 session, best first.')
      expect(text).toContain('1. other')
    }
  })

  test('nor in a fork that is made while it runs', async () => {
    const corpus = await corpusOf()
    const me = await inAStep(corpus, 'before', 'whatever')
    const call = toolsOver(
      altered(corpus, {
        async searchSessions(request, options) {
          if (me.events.length === 3) {
            ;(me as LiveSession).append('user/message', ...message('quagga'))
            await corpus.sessions.fork('me', undefined, { id: 'fork' })
          }
          return corpus.searchSessions(request, options)
        },
      }),
      { caller: me },
    )
    expect(await call('session_search', { query: 'quagga' })).toContain('No session found.')
  })

  test('a fork is shown whole where nobody knows what is going on', async () => {
    const corpus = await corpusOf()
    const me = await corpus.sessions.create({ id: 'me', cwd })
    me.append('user/message', ...message(words))
    await corpus.sessions.fork('me', undefined, { id: 'fork' })
    const text = await toolsOver(corpus, { caller: me })('session_search', { query: words })
    expect(text).toContain('1. fork untitled')
  })

  test('nor where the next step begins while it runs', async () => {
    const corpus = await corpusOf()
    const me = await inAStep(corpus, 'before', words)
    const call = toolsOver(
      altered(corpus, {
        searchSessions(request, options) {
          if (me.events.length < 5) (me as LiveSession).append('step/start', { turn: 1, step: 2 })
          return corpus.searchSessions(request, options)
        },
      }),
      { caller: me },
    )
    expect(await call('session_search', { query: words })).not.toContain('Your own session')
  })

  test('without step and boundary there is no telling', async () => {
    const corpus = await corpusOf()
    const me = await corpus.sessions.create({ id: 'me', cwd })
    me.append('user/message', ...message('needle'))
    const call = toolsOver(corpus, { caller: me })
    expect(await failureOf(call('session_event_search', { query: 'needle' }))).toMatchObject({
      code: 'SESSION_QUERY_TOOL_NO_CURRENT_STEP',
    })
  })
})

describe('nothing found says which kind of nothing', () => {
  const logs = [
    stored('one', 'the kettle is warm'),
    session('two', [userMessage('a marble'), assistantMessage('a kettle')], { cwd }),
    stored('hidden', 'unicorn', { cwd: '/other' }),
  ]
  test.each([
    ['no word', { query: '-- "" *' }, 'The query has no word to look for'],
    [
      'filters',
      { query: 'kettle', event_types: ['todo/write'] },
      'Without the filters, other sessions',
    ],
    [
      'filters',
      { query: 'kettle', created_at_from: '2030-01-01T00:00Z' },
      'Without the filters, other sessions',
    ],
    [
      'filters',
      { query: 'marble', parent_session_ids: ['one'] },
      'Without the filters, other sessions',
    ],
    ['too common', { query: 'the xylophone' }, 'Some of the words occur, but not together'],
    [
      'no such time',
      {
        query: 'kettle',
        event_time_from: '2026-03-01T10:00:00.0001Z',
        event_time_to: '2026-03-01T10:00:00.0002Z',
      },
      'No whole millisecond',
    ],
    ['own session', { query: 'harpsichord' }, 'Your own session holds a match'],
    ['own session', { query: 'harpsichord', session_ids: ['me'] }, 'your own session alone'],
    ['nothing at all', { query: 'unicorn' }, 'None of the words was found.'],
  ])('%s: %j', async (_kind, args, sentence) => {
    const corpus = await corpusOf(...logs)
    const me = await inAStep(corpus, 'a harpsichord', 'whatever')
    const text = await toolsOver(corpus, { caller: me })('session_search', args)
    expect(text).toContain('No session found.')
    expect(text).toContain(sentence)
    expect(text).not.toContain('hidden')
    if (!text.includes('no word to look for')) {
      expect(text).toContain('This is not proof that it never happened')
    }
  })

  test.each([
    [{ query: 'kettle', seq_from: 1 }, 'Without the filters, events match: leave some out'],
    [{ query: 'the xylophone' }, 'Some of the words occur, but not together'],
    [{ query: '--' }, 'The query has no word to look for'],
    [{ query: 'unicorn' }, 'None of the words was found.'],
  ])('in one session: %j', async (args, sentence) => {
    const call = toolsOver(await corpusOf(...logs))
    const text = await call('session_event_search', { ...args, session_id: 'one' })
    expect(text).toContain('Session one: no event found.')
    expect(text).toContain(sentence)
  })

  test('what cannot be looked into is passed over', async () => {
    const corpus = await corpusOf(...logs)
    let searches = 0
    const call = toolsOver(
      altered(corpus, {
        searchSessions(request, options) {
          searches += 1
          if (searches > 1) throw new Error('secret')
          return corpus.searchSessions(request, options)
        },
      }),
    )
    const text = await call('session_search', { query: 'kettle', event_types: ['todo/write'] })
    expect(searches).toBeGreaterThan(1)
    expect(text).toContain('No session found.\nWhy could not be found out.')
    expect(text).not.toContain('secret')
  })

  test.each([
    [{ created_at_from: '2030-01-01T00:00Z' }],
    [{ availability: 'live' }],
    [{ parent_session_ids: ['one'] }],
    [{ parent_session_ids: ['gone'] }],
    [{ include_root_sessions: true }],
    [{ event_time_from: '2026-03-01T10:00:00.0001Z', event_time_to: '2026-03-01T10:00:00.0002Z' }],
  ])('of the own session nothing is said where it was not asked for: %j', async (args) => {
    const corpus = await corpusOf(...logs)
    const me = await inAStep(corpus, 'a harpsichord', 'whatever')
    const searches: unknown[] = []
    const spied = altered(corpus, {
      searchEvents(request, options) {
        searches.push(request)
        return corpus.searchEvents(request, options)
      },
    })
    const call = toolsOver(spied, { caller: me })
    expect(await call('session_search', { query: 'harpsichord', ...args })).not.toContain('Your own')
    expect(searches).toEqual([])
  })

  const short = { items: [], searchable: true }
  test.each([
    [
      { state: 'building', documents: 4, progress: { eventsDone: 40, eventsTotal: 100 } },
      'The index is still being built; 40 % of all events are in it.',
    ],
    [{ state: 'building', documents: 4 }, 'The index is still being built. There may be more'],
    [
      { state: 'behind', documents: 4, progress: { eventsDone: 999, eventsTotal: 1000 } },
      'The index has no room for what came last; 99 % of all events',
    ],
  ] as const)('an index that lacks events: %j', async (index, sentence) => {
    const corpus = await corpusOf(stored('one', 'kettle'))
    const empty = altered(corpus, {
      searchSessions: () => Promise.resolve({ ...short, index }),
      searchEvents: () =>
        Promise.resolve({
          ...short,
          index,
          session: session('one', [], { cwd }).header,
        }),
    })
    expect(await toolsOver(empty)('session_search', { query: 'kettle' })).toContain(sentence)
    expect(
      await toolsOver(empty)('session_event_search', { query: 'kettle', session_id: 'one' }),
    ).toContain(sentence)
    const some = altered(corpus, {
      searchSessions: async (request, options) => ({
        ...(await corpus.searchSessions(request, options)),
        index,
      }),
    })
    const text = await toolsOver(some)('session_search', { query: 'kettle' })
    expect(text).toContain('1 session, best first.')
    expect(text).toContain(sentence)
  })
})

describe('when the corpus changes while pages are walked', () => {
  test('the search is run again', async () => {
    const corpus = await corpusOf(...many(30))
    let changes = 0
    const call = toolsOver(
      altered(corpus, {
        async searchSessions(request, options) {
          const page = await corpus.searchSessions(request, options)
          if (changes === 0) {
            changes += 1
            await corpus.putSession(stored('late', 'needle'))
          }
          return page
        },
      }),
    )
    const text = await call('session_search', { query: 'needle' })
    expect(text).toContain('31 sessions, best first.')
    expect(text.match(/^\d+\. late /gm)).toHaveLength(1)
  })

  test('and when it changes again, the model is told to repeat the call', async () => {
    const corpus = await corpusOf(...many(30))
    let walks = 0
    const call = toolsOver(
      altered(corpus, {
        searchSessions(request, options) {
          if (request.cursor === undefined) walks += 1
          return request.cursor === undefined
            ? corpus.searchSessions(request, options)
            : Promise.reject(new SessionQueryError('SESSION_QUERY_STALE_CURSOR', 'stale'))
        },
      }),
    )
    expect(await failureOf(call('session_search', { query: 'needle' }))).toMatchObject({
      code: 'SESSION_QUERY_STALE_CURSOR',
      message: expect.stringContaining('Repeat the same call') as unknown,
    })
    expect(walks).toBe(2)
  })

  test('a cursor that comes back ends the call', async () => {
    const corpus = await corpusOf(...many(3))
    const call = toolsOver(
      altered(corpus, {
        searchSessions: async (request, options) => ({
          ...(await corpus.searchSessions({ ...request, cursor: undefined }, options)),
          nextCursor: 'again',
        }),
      }),
    )
    expect(await failureOf(call('session_search', { query: 'needle' }))).toMatchObject({
      code: 'SESSION_QUERY_TOOL_FAILED',
    })
  })

  test('a corpus that gives ever new empty pages is left when the time is up', async () => {
    let pages = 0
    const call = toolsOver(
      altered(await corpusOf(), {
        searchSessions: () => {
          pages += 1
          return Promise.resolve({ items: [], searchable: true, nextCursor: `page ${pages}` })
        },
      }),
      { searchTimeoutMs: 20 },
    )
    expect(await failureOf(call('session_search', { query: 'needle' }))).toMatchObject({
      code: 'SESSION_QUERY_TIMEOUT',
    })
  })
})

describe('the time of a search', () => {
  test('is passed on, less what has gone by', async () => {
    const corpus = await corpusOf(...many(30))
    const times: (number | undefined)[] = []
    const call = toolsOver(
      altered(corpus, {
        searchSessions(request, options) {
          times.push(request.timeoutMs)
          return corpus.searchSessions(request, options)
        },
      }),
      { searchTimeoutMs: 5000 },
    )
    await call('session_search', { query: 'needle' })
    expect(times).toHaveLength(2)
    const [first = 0, second = 0] = times
    expect(first).toBeLessThanOrEqual(5000)
    expect(second).toBeLessThan(first)
  })

  test('covers a caller that never comes', async () => {
    const call = toolsOver(await corpusOf(), {
      caller: () => new Promise(() => undefined),
      searchTimeoutMs: 20,
    })
    for (const name of ['session_search', 'session_event_search'] as const) {
      expect(await failureOf(call(name, { query: 'needle' }))).toMatchObject({
        code: 'SESSION_QUERY_TIMEOUT',
      })
    }
  })

  test('ends a search that never answers', async () => {
    const call = toolsOver(
      altered(await corpusOf(), { searchSessions: () => new Promise(() => undefined) }),
      { searchTimeoutMs: 20 },
    )
    expect(await failureOf(call('session_search', { query: 'needle' }))).toMatchObject({
      code: 'SESSION_QUERY_TIMEOUT',
    })
  })

  test('covers the titles, whose lack spoils nothing else', async () => {
    const call = toolsOver(
      altered(await corpusOf(stored('one', 'needle', { parentSession: 'two' })), {
        readTitles: () => new Promise(() => undefined),
      }),
      { searchTimeoutMs: 50 },
    )
    const text = await call('session_search', { query: 'needle' })
    expect(text).toContain('1. one title unavailable (SESSION_QUERY_TIMEOUT), created')
    expect(text).toContain('parent unavailable')
    expect(text).toContain('"needle"')
  })
})

test('a title that cannot be read spoils no other', async () => {
  const corpus = await corpusOf(...many(2))
  const call = toolsOver(
    altered(corpus, {
      readTitles: async (request, options) => {
        const [first, ...rest] = await corpus.readTitles(request, options)
        const error = new SessionQueryError('SESSION_QUERY_CORRUPT_SESSION', 'secret')
        return [
          ...(first === undefined
            ? []
            : [{ sessionId: first.sessionId, status: 'rejected', error } as const]),
          ...rest,
        ]
      },
    }),
  )
  const text = await call('session_search', { query: 'needle' })
  expect(text.match(/title unavailable \(SESSION_QUERY_CORRUPT_SESSION\)/g)).toHaveLength(1)
  expect(text.match(/untitled/g)).toHaveLength(1)
  expect(text).not.toContain('secret')
})

test('arguments become filters, ORed within and ANDed between', async () => {
  const corpus = await corpusOf()
  const asked: unknown[] = []
  const empty = { items: [], searchable: true }
  const call = toolsOver(
    altered(corpus, {
      searchSessions(request) {
        asked.push(request)
        return Promise.resolve(empty)
      },
    }),
    { caller: callerOf({ cwd }) },
  )
  await call('session_search', {
    query: 'q',
    session_ids: ['a', 'b', 'me'],
    created_at_from: '2026-03-01T10:00:00.0005Z',
    created_at_to: '2026-03-01T10:00:01.9999Z',
    parent_session_ids: null,
    include_root_sessions: 'true',
    availability: 'live',
    event_seq_from: '2',
    event_seq_to: 9,
    event_time_from: '1970-01-01T00:00Z',
    event_types: '["user/message"]',
    event_surfaces: ['current', 'shadowed'],
  })
  const at = Date.UTC(2026, 2, 1, 10)
  expect(asked[0]).toMatchObject({
    query: 'q',
    sessionFilters: [
      { kind: 'cwd', values: [cwd] },
      { kind: 'id', values: ['a', 'b'] },
      { kind: 'created-at', from: at + 1, to: at + 1999 },
      { kind: 'availability', values: ['live'] },
      { kind: 'parent', values: [null] },
    ],
    eventFilters: [
      { kind: 'seq', from: 2, to: 9 },
      { kind: 'time', from: 0 },
      { kind: 'type', values: ['user/message'] },
      { kind: 'surface', values: ['current', 'shadowed'] },
    ],
  })
})
