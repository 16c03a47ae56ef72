import { describe, expect, test } from 'vitest'
import type { SessionCorpus, SessionQuery } from '../../src/core/corpus.ts'
import { SessionQueryError } from '../../src/core/errors.ts'
import type { SessionHeader } from '../../src/core/session.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import {
  altered,
  callerOf,
  corpusOf,
  cwd,
  failureOf,
  stored,
  toolNames,
  toolsOver,
  type ToolName,
} from './workspace.ts'

const title = (text: string) => ({
  type: 'session/title',
  data: { title: text, messageSeqs: [0], source: { kind: 'user' } },
})

/** Strangers of every kind around the caller, all of which speak of a needle. */
function world(): Promise<SessionCorpus> {
  return corpusOf(
    stored('friend', 'needle'),
    stored('friend-of-stranger', 'needle', { parentSession: 'stranger' }),
    stored('friend-of-nobody', 'needle', { parentSession: 'gone' }),
    stored('stranger', 'needle secret', { cwd: '/other' }, [title('Secret title')]),
    stored('stranger-child', 'needle secret', { cwd: '/other', parentSession: 'friend' }),
    stored('grandchild', 'needle', { parentSession: 'stranger-child' }),
    stored('slash', 'needle secret', { cwd: '/w/' }),
    stored('case', 'needle secret', { cwd: '/W' }),
    stored('below', 'needle secret', { cwd: '/w/below' }),
    session('homeless', [userMessage('needle secret')]),
  )
}

const strangers = ['stranger', 'stranger-child', 'slash', 'case', 'below', 'homeless']

const argsFor: Readonly<Record<Exclude<ToolName, 'session_search'>, object>> = {
  session_event_search: { query: 'needle' },
  session_trace: {},
  session_event_trace: { seq: 0 },
  session_event_read: { seq: 0 },
}

const targeted = Object.entries(argsFor) as [Exclude<ToolName, 'session_search'>, object][]

describe('a stranger and what does not exist are refused in the same words', () => {
  test.each(targeted)('%s', async (name, args) => {
    const call = toolsOver(await world())
    const failures = await Promise.all(
      [...strangers, 'nobody', 'null ', '../friend', 'FRIEND', 'friend '].map((id) =>
        failureOf(call(name, { ...args, session_id: id })),
      ),
    )
    expect(new Set(failures.map(({ code }) => code))).toEqual(
      new Set(['SESSION_QUERY_TOOL_UNAUTHORIZED']),
    )
    expect(new Set(failures.map(({ message }) => message)).size).toBe(1)
    expect(new Set(failures.map((failure) => JSON.stringify(Object.entries(failure)))).size).toBe(1)
  })

  test('before any other fault of the call shows that there is such a session', async () => {
    const call = toolsOver(await world())
    const [there, not] = await Promise.all(
      ['stranger', 'nobody'].map((session_id) =>
        failureOf(call('session_event_read', { seq: 99, session_id })),
      ),
    )
    expect(there?.message).toBe(not?.message)
  })
})

test('without a workspace only the own session is visible, also where others have none either', async () => {
  const corpus = await world()
  const me = await corpus.sessions.create({ id: 'me' })
  me.append('step/start', { turn: 1, step: 1 })
  const call = toolsOver(corpus, { caller: me })
  for (const [name, args] of targeted) {
    for (const session_id of ['friend', 'homeless', 'nobody']) {
      expect(await failureOf(call(name, { ...args, session_id }))).toMatchObject({
        code: 'SESSION_QUERY_TOOL_UNAUTHORIZED',
      })
    }
  }
  expect(await failureOf(call('session_search', { query: 'needle' }))).toMatchObject({
    code: 'SESSION_QUERY_TOOL_UNAUTHORIZED',
  })
  expect(await call('session_event_read', { seq: 0 })).toContain('step/start')
  expect(await call('session_trace', { session_id: 'me' })).toContain('Session me')
})

test.each([[undefined], [null], [{}], [{ id: 'me' }], [{ id: 'me', header: null }], ['me']])(
  'no caller: %j',
  async (caller) => {
    const corpus = await world()
    for (const given of [caller, () => caller, () => Promise.resolve(caller)]) {
      const call = toolsOver(corpus, { caller: given as never })
      for (const name of toolNames) {
        expect(await failureOf(call(name, { query: 'needle', seq: 0 }))).toMatchObject({
          code: 'SESSION_QUERY_TOOL_MISSING_AGENT',
        })
      }
    }
  },
)

test('the caller is asked for at each call, and is never what a model says', async () => {
  let now: string | undefined = cwd
  const caller = () => (now === undefined ? undefined : callerOf({ cwd: now }))
  const call = toolsOver(await world(), { caller })
  expect(await call('session_search', { query: 'needle' })).toContain('1. friend')
  now = '/other'
  const text = await call('session_search', { query: 'needle', caller: 'friend', cwd: '/w' })
  expect(text).toContain('stranger')
  expect(text).not.toContain('friend-of')
  now = undefined
  expect(await failureOf(call('session_search', { query: 'needle' }))).toMatchObject({
    code: 'SESSION_QUERY_TOOL_MISSING_AGENT',
  })
})

describe('a search shows nothing of strangers', () => {
  test.each([
    [{}],
    [{ session_ids: [...strangers, 'friend'] }],
    [{ parent_session_ids: ['stranger', 'friend', 'gone'] }],
    [{ parent_session_ids: 'stranger', include_root_sessions: true }],
    [{ availability: ['live', 'persisted'] }],
  ])('%j', async (args) => {
    const text = await toolsOver(await world())('session_search', { query: 'needle', ...args })
    expect(text).not.toContain('ecret')
    for (const id of [...strangers, 'gone'])
      expect(text).not.toMatch(new RegExp(`(?<![\\w-])${id}(?![\\w-])`))
  })

  test('parents that are hidden or missing look the same', async () => {
    const text = await toolsOver(await world())('session_search', { query: 'needle' })
    expect(text.match(/parent not visible/g)).toHaveLength(3)
    expect(text.match(/parent none/g)).toHaveLength(1)
  })

  test('of requested parents only visible ones count; with none left nothing is searched', async () => {
    const corpus = await world()
    const searches: unknown[] = []
    const spied = altered(corpus, {
      searchSessions(request, options) {
        searches.push(request)
        return corpus.searchSessions(request, options)
      },
    })
    const call = toolsOver(spied)
    const text = await call('session_search', {
      query: 'needle',
      parent_session_ids: ['stranger', 'gone', 'stranger'],
    })
    expect(text).toContain('None of parent_session_ids is a session that is visible to you.')
    expect(searches).toEqual([])
    await call('session_search', {
      query: 'needle',
      parent_session_ids: ['stranger', 'friend', 'friend', 'me'],
      include_root_sessions: true,
    })
    expect(searches).toMatchObject([
      {
        sessionFilters: [
          { kind: 'cwd', values: [cwd] },
          { kind: 'parent', values: ['friend', 'me', null] },
        ],
      },
    ])
  })

  test('the own session is left out, whatever is asked for', async () => {
    const corpus = await world()
    const me = await corpus.sessions.create({ id: 'me', cwd })
    me.append('user/message', userMessage('needle').data as never, { surfaceOp: 'append' })
    const call = toolsOver(corpus, { caller: me })
    expect(await call('session_search', { query: 'needle' })).not.toMatch(/^\d+\. me /m)
    expect(await call('session_search', { query: 'needle', session_ids: ['me'] })).toContain(
      'your own session alone',
    )
  })
})

/** The answers to one query, with these texts among those that strangers have. */
async function answersBeside(...hidden: readonly string[]): Promise<string[]> {
  const corpus = await corpusOf(
    stored('a', 'a merger of two, and more words'),
    stored('b', 'a zebra of two, and more words'),
    session('both', [userMessage('a merger'), userMessage('a zebra')], { cwd }),
    ...hidden.map((text, at) => stored(`hidden-${at}`, text, { cwd: '/other' })),
  )
  const call = toolsOver(corpus)
  return [
    await call('session_search', { query: 'merger zebra' }),
    await call('session_event_search', { query: 'merger zebra', session_id: 'both' }),
  ]
}

test('the order of hits tells nothing of what strangers say', async () => {
  const alone = await answersBeside()
  expect(await answersBeside('zebra', 'a zebra', 'zebras')).toEqual(alone)
  expect(await answersBeside('merger', 'the merger', 'merger merger', 'long '.repeat(500))).toEqual(
    alone,
  )
})

test.each([[null], [0], [['/w']], [{}]])('a workspace that is no text is none: %j', async (given) => {
  const call = toolsOver(await world(), { caller: callerOf({ cwd: given as never }) })
  expect(await failureOf(call('session_search', { query: 'needle' }))).toMatchObject({
    code: 'SESSION_QUERY_TOOL_UNAUTHORIZED',
    message: expect.stringContaining('has no workspace') as unknown,
  })
})

test('a trace marks what is hidden, and goes no further', async () => {
  const call = toolsOver(await world())
  expect(await call('session_trace', { session_id: 'friend' })).toMatchInlineSnapshot(`
    "Session friend untitled, created 1970-01-01T00:00:01.000Z, persisted
    Ancestors, nearest first: none: it is a root session
    Descendants:
    - (not visible to you)"
  `)
  const [hidden, missing] = await Promise.all(
    ['friend-of-stranger', 'friend-of-nobody'].map((session_id) =>
      call('session_trace', { session_id }),
    ),
  )
  expect(hidden?.replaceAll('stranger', 'nobody')).toBe(missing)
  expect(missing).toContain('Ancestors, nearest first:\n- (not visible to you)')
})

describe('a session that is replaced between the check and the read shows nothing', () => {
  const elsewhere: SessionHeader = { version: 0, id: 'friend', createdAt: 1, cwd: '/other' }

  function swapped(corpus: SessionCorpus): SessionQuery {
    return altered(corpus, {
      searchEvents: async (request, options) => ({
        ...(await corpus.searchEvents(request, options)),
        session: elsewhere,
      }),
      traceSession: async (request, options) => {
        const trace = await corpus.traceSession(request, options)
        return { ...trace, target: { ...trace.target, header: elsewhere } }
      },
      traceEvent: async (request, options) => ({
        ...(await corpus.traceEvent(request, options)),
        session: elsewhere,
      }),
      readEvent: async (request, options) => ({
        ...(await corpus.readEvent(request, options)),
        session: elsewhere,
      }),
    })
  }

  test.each(targeted)('%s', async (name, args) => {
    const call = toolsOver(swapped(await world()))
    expect(await failureOf(call(name, { ...args, session_id: 'friend' }))).toMatchObject({
      code: 'SESSION_QUERY_TOOL_UNAUTHORIZED',
    })
  })

  test.each(targeted)('%s, not even why it fails', async (name, args) => {
    const corpus = await world()
    const failures = await Promise.all(
      ['EVENT_NOT_FOUND', 'SESSION_NOT_FOUND', 'CORRUPT_SESSION', 'SOURCE_CONFLICT'].map((code) => {
        let there = true
        const fail = () => {
          there = false
          return Promise.reject(new SessionQueryError(`SESSION_QUERY_${code}` as never, 'secret'))
        }
        const gone = altered(corpus, {
          filterSessions: async (request, options) =>
            there ? corpus.filterSessions(request, options) : [],
          searchEvents: fail,
          traceSession: fail,
          traceEvent: fail,
          readEvent: fail,
        })
        return failureOf(toolsOver(gone)(name, { ...args, session_id: 'friend' }))
      }),
    )
    expect(new Set(failures.map(({ code }) => code))).toEqual(
      new Set(['SESSION_QUERY_TOOL_UNAUTHORIZED']),
    )
  })

  test('a stored session that has the id of the caller, but another workspace', async () => {
    const corpus = await corpusOf(stored('me', 'needle secret', { cwd: '/other' }))
    const call = toolsOver(corpus, { boundarySeq: 1 })
    for (const [name, args] of targeted) {
      for (const more of [{}, { seq: 99 }]) {
        expect(await failureOf(call(name, { ...args, ...more }))).toMatchObject({
          code: 'SESSION_QUERY_TOOL_UNAUTHORIZED',
        })
      }
    }
    const found = await call('session_search', { query: 'secret' })
    expect(found).toBe(await call('session_search', { query: 'unheard' }))
  })

  test('nor does another session that comes in its place', async () => {
    const corpus = await world()
    const call = toolsOver(
      altered(corpus, {
        readEvent: (request, options) =>
          corpus.readEvent({ ...request, sessionId: 'friend-of-nobody' }, options),
      }),
    )
    expect(await failureOf(call('session_event_read', { seq: 0, session_id: 'friend' }))).toMatchObject(
      { code: 'SESSION_QUERY_TOOL_UNAUTHORIZED' },
    )
  })

  test('a hit, a title and a parent of a search', async () => {
    const corpus = await world()
    const call = toolsOver(
      altered(corpus, {
        searchSessions: async (request, options) => {
          const page = await corpus.searchSessions({ ...request, sessionFilters: [] }, options)
          return { ...page, items: page.items }
        },
        readTitles: async ({ sessionIds }) =>
          sessionIds.map((sessionId) => ({
            sessionId,
            status: 'fulfilled',
            session: { ...elsewhere, id: sessionId },
            title: {
              title: 'Secret title',
              messageSeqs: [],
              source: { kind: 'user' },
              eventSeq: 1,
              updatedAt: 1,
            },
          })),
        filterSessions: async (request, options) =>
          await corpus.filterSessions(
            { filters: request.filters.filter(({ kind }) => kind === 'id') },
            options,
          ),
      }),
    )
    const text = await call('session_search', { query: 'needle' })
    expect(text).toContain('1. ')
    expect(text).not.toContain('ecret')
    expect(text).toContain('title unavailable (SESSION_QUERY_SESSION_NOT_FOUND)')
    expect(text).not.toContain('parent stranger')
  })
})
