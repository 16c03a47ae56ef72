import { describe, expect, test } from 'vitest'
import type { SessionQuery } from '../../src/core/corpus.ts'
import { SessionQueryError, type SessionQueryErrorCode } from '../../src/core/errors.ts'
import type { ToolLogger } from '../../src/tools/failure.ts'
import { createSessionTools } from '../../src/tools/session-tools.ts'
import { altered, callerOf, corpusOf, failureOf, stored, toolNames, toolsOver } from './workspace.ts'

const methods = [
  'filterSessions',
  'readTitles',
  'traceSession',
  'traceEvent',
  'readEvent',
  'searchSessions',
  'searchEvents',
] as const satisfies readonly (keyof SessionQuery)[]

/** What a corpus may throw at its worst. Each holds a secret, where it can hold anything. */
const hostile: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  'a text': () => 'secret',
  'a symbol': () => Symbol('secret'),
  'a function': () => () => 'secret',
  'an error': () => new Error('secret'),
  'an error with a cause': () => new Error('secret', { cause: 'secret' }),
  'a circular cause'() {
    const error = new Error('secret')
    error.cause = error
    return error
  },
  'getters that throw': () =>
    Object.defineProperties(
      new Error('secret'),
      Object.fromEntries(
        ['name', 'message', 'code', 'cause', 'stack'].map((member) => [
          member,
          {
            get() {
              throw new Error('secret')
            },
          },
        ]),
      ),
    ),
  'a revoked proxy'() {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  },
  'a revoked proxy of an error'() {
    const { proxy, revoke } = Proxy.revocable(new Error('secret'), {})
    revoke()
    return proxy
  },
  'a proxy that throws': () =>
    new Proxy(new Error('secret'), {
      get() {
        throw new Error('secret')
      },
      getPrototypeOf() {
        throw new Error('secret')
      },
    }),
  'a code of our own making': () =>
    Object.assign(new Error('secret'), { name: 'SessionQueryError', code: 'SESSION_QUERY_SECRET' }),
  'a code that is no text': () =>
    Object.assign(new Error('secret'), {
      name: 'SessionQueryError',
      code: { toString: () => 'secret' },
    }),
  'an error like an abort': () => new DOMException('secret', 'AbortError'),
}

async function world(): Promise<SessionQuery> {
  return corpusOf(stored('friend', 'needle', { parentSession: 'me' }))
}

const args = { query: 'needle', seq: 0, session_id: 'friend', parent_session_ids: ['friend'] }

function failing(query: SessionQuery, fail: () => unknown, sync = false): SessionQuery {
  return altered(
    query,
    Object.fromEntries(
      methods.map((method) => [
        method,
        () => {
          // What is thrown need not be an error: that is the point.
          if (sync) throw fail() as Error
          return Promise.reject(fail())
        },
      ]),
    ),
  )
}

/** Everything of an error that a host could print. */
function printed(error: unknown): string {
  const { name, message, stack, cause, code } = error as SessionQueryError
  return [name, message, stack, String(cause), code, JSON.stringify(error)].join('\n')
}

describe.each(Object.entries(hostile))('a corpus that throws %s', (_what, fail) => {
  test.each(toolNames)('%s gives one fixed message', async (tool) => {
    const query = await world()
    for (const sync of [false, true]) {
      const failure = await failureOf(toolsOver(failing(query, fail, sync))(tool, args))
      expect(failure).toMatchObject({
        code: 'SESSION_QUERY_TOOL_FAILED',
        message: 'The tool failed. It may work when it is called again.',
      })
      expect(printed(failure)).not.toContain('secret')
    }
  })
})

describe('a known code comes out with a message of ours, and without its cause', () => {
  const codes: readonly SessionQueryErrorCode[] = [
    'SESSION_QUERY_CORRUPT_SESSION',
    'SESSION_QUERY_EVENT_NOT_FOUND',
    'SESSION_QUERY_INDEX_FAILED',
    'SESSION_QUERY_INVALID_LINEAGE',
    'SESSION_QUERY_INVALID_SURFACE',
    'SESSION_QUERY_INVALID_WINDOW',
    'SESSION_QUERY_PERSISTENCE_FAILED',
    'SESSION_QUERY_SEARCH_DISABLED',
    'SESSION_QUERY_SESSION_NOT_FOUND',
    'SESSION_QUERY_SOURCE_CONFLICT',
    'SESSION_QUERY_TIMEOUT',
    'SESSION_QUERY_WORKER_FAILED',
  ]
  test.each(codes)('%s', async (code) => {
    const fail = () => new SessionQueryError(code, 'secret', { cause: new Error('secret') })
    const failures = await Promise.all(
      toolNames.map(async (tool) => failureOf(toolsOver(failing(await world(), fail))(tool, args))),
    )
    for (const failure of failures) {
      expect(failure).toMatchObject({ code })
      expect(printed(failure)).not.toContain('secret')
      expect(failure.message).toMatch(/^[A-Z].{10,}\.$/)
    }
    expect(new Set(failures.map(({ message }) => message)).size).toBe(1)
  })

  test('also that of another copy of the library', async () => {
    const foreign = Object.assign(new Error('secret'), {
      name: 'SessionQueryError',
      code: 'SESSION_QUERY_SEARCH_DISABLED',
    })
    expect(
      await failureOf(toolsOver(failing(await world(), () => foreign))('session_search', args)),
    ).toMatchObject({ code: 'SESSION_QUERY_SEARCH_DISABLED' })
  })
})

describe('a corpus that answers with what cannot be read', () => {
  const unreadable = new Proxy(
    {},
    {
      get(_target, member) {
        if (member === 'then') return undefined
        throw new SessionQueryError('SESSION_QUERY_EVENT_NOT_FOUND', 'secret')
      },
    },
  )
  test.each(toolNames)('%s', async (tool) => {
    const answers = Object.fromEntries(
      methods.map((method) => [method, () => Promise.resolve(unreadable)]),
    )
    const failure = await failureOf(toolsOver(altered(await world(), answers))(tool, args))
    expect(failure.code).toMatch(/^SESSION_QUERY_(TOOL_FAILED|EVENT_NOT_FOUND)$/)
    expect(printed(failure)).not.toContain('secret')
  })
})

test.each([
  [
    'throws',
    () => {
      throw new Error('secret')
    },
  ],
  ['rejects', () => Promise.reject(new Error('secret'))],
])('a caller function that %s', async (_how, caller) => {
  const failure = await failureOf(toolsOver(await world(), { caller })('session_trace', {}))
  expect(failure).toMatchObject({ code: 'SESSION_QUERY_TOOL_FAILED' })
  expect(printed(failure)).not.toContain('secret')
})

describe('the logger', () => {
  test('is told the detail, just as it came', async () => {
    const told: [string, unknown][] = []
    const logger: ToolLogger = { error: (message, detail) => void told.push([message, detail]) }
    const detail = new Error('secret')
    await failureOf(
      toolsOver(
        failing(await world(), () => detail),
        { logger },
      )('session_trace', args),
    )
    expect(told).toEqual([['session_trace failed: SESSION_QUERY_TOOL_FAILED', detail]])
  })

  test('is not told of what a model did wrong, nor of an abort', async () => {
    const told: unknown[] = []
    const logger: ToolLogger = { error: (...all) => void told.push(all) }
    const call = toolsOver(await world(), { logger })
    await failureOf(call('session_event_read', { seq: 'x' }))
    await failureOf(call('session_trace', { session_id: 'nobody' }))
    await failureOf(call('session_trace', {}, AbortSignal.abort('why')))
    expect(told).toEqual([])
  })

  test.each([
    [
      'throws',
      {
        error: () => {
          throw new Error('secret')
        },
      },
    ],
    ['rejects', { error: () => Promise.reject(new Error('secret')) }],
    [
      'cannot be read',
      {
        get error(): never {
          throw new Error('secret')
        },
      },
    ],
    ['is none', {}],
  ])('that %s changes nothing', async (_how, logger) => {
    const query = failing(await world(), () => new Error('secret'))
    expect(
      await failureOf(toolsOver(query, { logger: logger as ToolLogger })('session_trace', args)),
    ).toMatchObject({ code: 'SESSION_QUERY_TOOL_FAILED' })
  })
})

describe('an abort at every await', () => {
  const reason = { why: 'enough' }

  test.each(toolNames)('%s rejects with the reason itself, and asks no more', async (tool) => {
    const corpus = await world()
    for (let stop = 0; stop < 20; stop += 1) {
      const controller = new AbortController()
      let asked = 0
      let later = 0
      const aborting = Object.fromEntries(
        methods.map((method) => [
          method,
          async (...given: [never, never]) => {
            if (controller.signal.aborted) later += 1
            if (asked === stop) {
              controller.abort(reason)
              // Whatever the corpus makes of it.
              throw new Error('secret')
            }
            asked += 1
            return (corpus[method] as (...all: [never, never]) => Promise<unknown>)(...given)
          },
        ]),
      )
      const call = toolsOver(altered(corpus, aborting), { caller: () => Promise.resolve(callerOf()) })
      const outcome = await call(tool, args, controller.signal).then(
        () => 'answered',
        (error: unknown) => error,
      )
      if (!controller.signal.aborted) {
        expect(outcome).toBe('answered')
        expect(stop).toBeGreaterThan(0)
        return
      }
      expect(outcome).toBe(reason)
      await new Promise((resolve) => setTimeout(resolve, 0))
      expect(later).toBe(0)
    }
    throw new Error('the tool asks without end')
  })

  test.each(toolNames)('%s does not wait for a corpus that does not hear', async (tool) => {
    const controller = new AbortController()
    const deaf = Object.fromEntries(
      methods.map((method) => [method, () => new Promise(() => undefined)]),
    )
    const call = toolsOver(altered(await world(), deaf))
    const outcome = call(tool, args, controller.signal)
    setTimeout(() => controller.abort(reason), 5)
    await expect(outcome).rejects.toBe(reason)
  })

  test.each(toolNames)('%s that is aborted before it begins asks nothing', async (tool) => {
    const asked: unknown[] = []
    const spied = Object.fromEntries(methods.map((method) => [method, () => asked.push(method)]))
    const call = toolsOver(altered(await world(), spied))
    await expect(call(tool, args, AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(asked).toEqual([])
  })

  test.each([[0], [''], [false]])('with %j for a reason', async (odd) => {
    const call = toolsOver(await world())
    await expect(call('session_trace', {}, AbortSignal.abort(odd))).rejects.toBe(odd)
    const controller = new AbortController()
    const deaf = altered(await world(), { traceSession: () => new Promise(() => undefined) })
    const outcome = toolsOver(deaf)('session_trace', {}, controller.signal)
    setTimeout(() => controller.abort(odd), 5)
    await expect(outcome).rejects.toBe(odd)
  })

  test('many calls with one signal leave no listener behind, and add one each', async () => {
    const { signal } = new AbortController()
    let [now, most] = [0, 0]
    const counted = {
      aborted: false,
      reason: undefined,
      addEventListener(...given: Parameters<AbortSignal['addEventListener']>) {
        now += 1
        most = Math.max(most, now)
        signal.addEventListener(...given)
      },
      removeEventListener(...given: Parameters<AbortSignal['removeEventListener']>) {
        now -= 1
        signal.removeEventListener(...given)
      },
    }
    const tools = createSessionTools(await world(), { caller: callerOf() })
    await Promise.allSettled(tools.map((tool) => tool.execute(args, { signal: counted })))
    expect([now, most]).toEqual([0, tools.length])
  })

  test('what a corpus does to the reason of a timeout reaches no model', async () => {
    const meddling = altered(await world(), {
      searchSessions: (_request, options) =>
        new Promise((_resolve, reject) => {
          options?.signal?.addEventListener('abort', () => {
            const shown = options.signal?.reason as Error
            shown.message = 'secret'
            reject(shown)
          })
        }),
    })
    const failure = await failureOf(
      toolsOver(meddling, { searchTimeoutMs: 20 })('session_search', args),
    )
    expect(failure).toMatchObject({ code: 'SESSION_QUERY_TIMEOUT' })
    expect(printed(failure)).not.toContain('secret')
  })

  test('without a reason of its own', async () => {
    const call = toolsOver(await world())
    await expect(call('session_trace', {}, AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    })
  })
})
