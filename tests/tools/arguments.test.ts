import { array, toJSONSchema } from 'zod/mini'
import { describe, expect, it, test } from 'vitest'
import {
  choices,
  flag,
  moment,
  neighbours,
  query,
  required,
  text,
  texts,
  whole,
} from '../../src/tools/argument-kinds.ts'
import { argumentsOf, inputSchemaOf } from '../../src/tools/arguments.ts'
import { createSessionTools } from '../../src/tools/session-tools.ts'
import { callerOf, corpusOf, failureOf, stored, toolsOver, type ToolName } from './workspace.ts'

const given = {
  query: query('what'),
  seq: required(whole('which')),
  from: whole('where from'),
  before: neighbours('how many', 50),
  id: text('whose'),
  types: texts('of which types'),
  surfaces: choices(['current', 'shadowed'], 'on which surfaces'),
  roots: flag('roots, too'),
  time: moment('when'),
}

function read(args: unknown, name: keyof typeof given): unknown {
  return argumentsOf(given, args)(name)
}

describe('what models send is taken for what it means', () => {
  test.each([
    [{ seq: '12' }, 'seq', 12],
    [{ seq: ' 12 ' }, 'seq', 12],
    [{ seq: '12.0' }, 'seq', 12],
    [{ seq: 12 }, 'seq', 12],
    [{ seq: -0 }, 'seq', 0],
    [{ from: null }, 'from', undefined],
    [{ from: 'null' }, 'from', undefined],
    [{ time: 'null' }, 'time', undefined],
    [{ surfaces: 'null' }, 'surfaces', undefined],
    [{ roots: 'null' }, 'roots', undefined],
    [{ query: 'null' }, 'query', 'null'],
    [{ id: 'null' }, 'id', 'null'],
    [{ types: 'null' }, 'types', ['null']],
    [{ seq: '-0' }, 'seq', 0],
    [{ from: undefined }, 'from', undefined],
    [{}, 'from', undefined],
    [undefined, 'from', undefined],
    [null, 'from', undefined],
    ['', 'from', undefined],
    ['{"from": "7"}', 'from', 7],
    [{ before: '50' }, 'before', 50],
    [{ types: 'tool/call' }, 'types', ['tool/call']],
    [{ types: '["tool/call","tool/result"]' }, 'types', ['tool/call', 'tool/result']],
    [{ types: ['a', 'b', 'a'] }, 'types', ['a', 'b']],
    [{ types: '[not json' }, 'types', ['[not json']],
    [{ surfaces: 'current' }, 'surfaces', ['current']],
    [{ surfaces: ' ["current"]' }, 'surfaces', ['current']],
    [{ surfaces: null }, 'surfaces', undefined],
    [{ roots: 'true' }, 'roots', true],
    [{ roots: 'false' }, 'roots', false],
    [{ query: '  as it is ' }, 'query', '  as it is '],
    [
      { time: '2026-03-01T10:00Z' },
      'time',
      { ms: Date.UTC(2026, 2, 1, 10), rest: '', text: '2026-03-01T10:00Z' },
    ],
    [{ unknown: { a: 1 }, id: 'x' }, 'id', 'x'],
  ] as const)('%j gives %s as %j', (args, name, value) => {
    expect(read(args, name)).toEqual(value)
  })
})

describe('anything else is refused by name, with what came and what is allowed', () => {
  const number = 'it has to be a whole number from 0 to 9007199254740991.'
  test.each([
    [{ seq: '12px' }, 'seq', 'INVALID_FILTER', `seq is "12px"; ${number}`],
    [{ seq: 12.5 }, 'seq', 'INVALID_FILTER', `seq is 12.5; ${number}`],
    [{ seq: '12.5' }, 'seq', 'INVALID_FILTER', `seq is "12.5"; ${number}`],
    [{ seq: -1 }, 'seq', 'INVALID_FILTER', `seq is -1; ${number}`],
    [{ seq: 2 ** 53 }, 'seq', 'INVALID_FILTER', `seq is 9007199254740992; ${number}`],
    [{ seq: '9007199254740993' }, 'seq', 'INVALID_FILTER', `seq is "9007199254740993"; ${number}`],
    [{ seq: true }, 'seq', 'INVALID_FILTER', `seq is true; ${number}`],
    [{ seq: '' }, 'seq', 'INVALID_FILTER', `seq is ""; ${number}`],
    [{ seq: [1] }, 'seq', 'INVALID_FILTER', `seq is [1]; ${number}`],
    [{ seq: NaN }, 'seq', 'INVALID_FILTER', `seq is NaN; ${number}`],
    [{ seq: Infinity }, 'seq', 'INVALID_FILTER', `seq is Infinity; ${number}`],
    [{ seq: '0x10' }, 'seq', 'INVALID_FILTER', `seq is "0x10"; ${number}`],
    [
      { seq: '0.99999999999999999999' },
      'seq',
      'INVALID_FILTER',
      `seq is "0.99999999999999999999"; ${number}`,
    ],
    [{ seq: '9007199254740990.6' }, 'seq', 'INVALID_FILTER', `seq is "9007199254740990.6"; ${number}`],
    [
      { types: Array.from({ length: 10_001 }, (_, at) => `t${at}`) },
      'types',
      'INVALID_FILTER',
      'it has to be a list of 1 to 10,000 texts',
    ],
    [{ seq: '1e3' }, 'seq', 'INVALID_FILTER', `seq is "1e3"; ${number}`],
    [{}, 'seq', 'INVALID_FILTER', `seq is missing; ${number}`],
    [{ seq: null }, 'seq', 'INVALID_FILTER', `seq is missing; ${number}`],
    [
      { before: 51 },
      'before',
      'INVALID_WINDOW',
      'before is 51; it has to be a whole number from 0 to 50.',
    ],
    [
      { before: '-1' },
      'before',
      'INVALID_WINDOW',
      'before is "-1"; it has to be a whole number from 0 to 50.',
    ],
    [
      { before: 'x' },
      'before',
      'INVALID_FILTER',
      'before is "x"; it has to be a whole number from 0 to 50.',
    ],
    [{ id: '' }, 'id', 'INVALID_FILTER', 'id is ""; it has to be text that is not empty.'],
    [{ id: 5 }, 'id', 'INVALID_FILTER', 'id is 5; it has to be text that is not empty.'],
    [
      { types: [] },
      'types',
      'INVALID_FILTER',
      'types is []; it has to be a list of 1 to 10,000 texts that are not empty.',
    ],
    [
      { types: '[]' },
      'types',
      'INVALID_FILTER',
      'types is "[]"; it has to be a list of 1 to 10,000 texts that are not empty.',
    ],
    [
      { types: [1] },
      'types',
      'INVALID_FILTER',
      'types is [1]; it has to be a list of 1 to 10,000 texts that are not empty.',
    ],
    [
      { types: [''] },
      'types',
      'INVALID_FILTER',
      'types is [""]; it has to be a list of 1 to 10,000 texts that are not empty.',
    ],
    [
      { surfaces: ['hidden', 'current'] },
      'surfaces',
      'INVALID_FILTER',
      'surfaces is ["hidden","current"]; it has to be a list of one or more of "current", "shadowed".',
    ],
    [{ roots: 'yes' }, 'roots', 'INVALID_FILTER', 'roots is "yes"; it has to be true or false.'],
    [{ roots: 1 }, 'roots', 'INVALID_FILTER', 'roots is 1; it has to be true or false.'],
    [
      { time: '2026-02-30T10:00:00Z' },
      'time',
      'INVALID_FILTER',
      'time is "2026-02-30T10:00:00Z"; it has to be a real date and time as "2026-03-01T10:00:00Z" or "2026-03-01T18:00+08:00".',
    ],
    [{ time: 1772359200000 }, 'time', 'INVALID_FILTER', 'time is 1772359200000; it has to be'],
    [{}, 'query', 'INVALID_QUERY', 'query is missing; it has to be text of at most 10,000 characters'],
    [{ query: ' ' }, 'query', 'INVALID_QUERY', 'query is " "; it has to be'],
    [{ query: 5 }, 'query', 'INVALID_QUERY', 'query is 5; it has to be'],
    [{ query: 'a\0b' }, 'query', 'INVALID_QUERY', 'query is "a\\u0000b"; it has to be'],
    [
      { query: 'x'.repeat(10_001) },
      'query',
      'INVALID_QUERY',
      'it has to be text of at most 10,000 characters',
    ],
  ] as const)('%j', (args, name, code, message) => {
    expect(() => read(args, name)).toThrow(
      expect.objectContaining({
        code: `SESSION_QUERY_${code}`,
        message: expect.stringContaining(message) as unknown,
      }),
    )
  })

  it.each([[[]], ['seq'], [5], ['[1]'], [true]])('the arguments are %j', (args) => {
    expect(() => argumentsOf(given, args)).toThrow(
      /^The arguments are .*; they have to be an object\.$/,
    )
  })
})

test('what happens to the arguments later does not count', () => {
  const args = { types: ['a'], seq: 1 }
  const take = argumentsOf(given, args)
  args.types.push('b')
  args.seq = 2
  expect([take('types'), take('seq')]).toEqual([['a'], 1])
})

test('the schemas are what zod makes of them, without the limits', () => {
  for (const [name, { schema, list, description }] of Object.entries(given)) {
    const { $schema, type, ...rest } = toJSONSchema(list ? array(schema) : schema)
    const named = type === 'number' ? 'integer' : type
    expect({ type: named, ...rest, description }).toEqual(inputSchemaOf(given).properties[name])
    expect($schema).toBeDefined()
  }
  expect(inputSchemaOf(given)).toMatchObject({
    type: 'object',
    required: ['query', 'seq'],
    additionalProperties: false,
  })
})

test('the tools tell a model what it needs, in few words', async () => {
  const tools = createSessionTools(await corpusOf(), { caller: callerOf() })
  for (const { name, description, inputSchema, annotations, concurrency } of tools) {
    expect(name).toMatch(/^[a-z_]{1,40}$/)
    expect(description.length).toBeLessThan(1000)
    expect(Object.values(inputSchema.properties).every((one) => one.description !== '')).toBe(true)
    expect(annotations.readOnlyHint).toBe(true)
    expect(concurrency).toBe(name.endsWith('search') ? 'exclusive' : 'parallel')
  }
})

describe('a call is judged in this order', () => {
  const bad = { time_from: 'bad', created_at_from: 'bad' }
  const cases: readonly [string, ToolName, object, object, string][] = [
    [
      'seq before the caller',
      'session_event_read',
      { caller: undefined },
      { seq: -1 },
      'INVALID_FILTER',
    ],
    [
      'window before the caller',
      'session_event_read',
      { caller: undefined },
      { seq: 0, before: 99 },
      'INVALID_WINDOW',
    ],
    [
      'caller before authority',
      'session_trace',
      { caller: undefined },
      { session_id: 'x' },
      'TOOL_MISSING_AGENT',
    ],
    ['caller before the query', 'session_search', { caller: undefined }, {}, 'TOOL_MISSING_AGENT'],
    [
      'authority before the query',
      'session_event_search',
      {},
      { session_id: 'x' },
      'TOOL_UNAUTHORIZED',
    ],
    ['authority before the query', 'session_search', { caller: callerOf({}) }, {}, 'TOOL_UNAUTHORIZED'],
    [
      'query before ranges',
      'session_event_search',
      {},
      { query: '', seq_from: 2, seq_to: 1 },
      'INVALID_QUERY',
    ],
    ['query before lists', 'session_search', {}, { query: '', session_ids: [] }, 'INVALID_QUERY'],
    [
      'ranges before the step',
      'session_event_search',
      {},
      { query: 'q', seq_from: 2, seq_to: 1 },
      'INVALID_FILTER',
    ],
    ['step before times', 'session_event_search', {}, { query: 'q', ...bad }, 'TOOL_NO_CURRENT_STEP'],
    [
      'times before parents',
      'session_search',
      {},
      { query: 'q', parent_session_ids: ['x'], ...bad },
      'INVALID_FILTER',
    ],
    [
      'authority before the window of the corpus',
      'session_event_read',
      { readWindowMax: 99 },
      { seq: 0, before: 99, session_id: 'x' },
      'TOOL_UNAUTHORIZED',
    ],
    [
      'the window of the corpus',
      'session_event_read',
      { readWindowMax: 99 },
      { seq: 0, before: 99, session_id: 'one' },
      'INVALID_WINDOW',
    ],
  ]
  test.each(cases)('%s', async (_rule, name, options, args, code) => {
    const call = toolsOver(await corpusOf(stored('one', 'text')), options)
    expect(await failureOf(call(name, args))).toMatchObject({ code: `SESSION_QUERY_${code}` })
  })
})

test.each([
  [{ maxSearchResults: 0 }, 'maxSearchResults is 0; it has to be a whole number from 1'],
  [{ maxSearchResults: 1.5 }, 'maxSearchResults is 1.5'],
  [{ searchTimeoutMs: Infinity }, 'searchTimeoutMs is Infinity'],
  [{ searchTimeoutMs: 2 ** 31 }, 'searchTimeoutMs is 2147483648'],
  [{ readWindowMax: -1 }, 'readWindowMax is -1; it has to be a whole number from 0'],
  [{ boundarySeq: -1 }, 'boundarySeq is -1; it has to be a seq, or a function that gives one'],
])('a host that sets %j is told', async (options, message) => {
  const corpus = await corpusOf()
  expect(() => createSessionTools(corpus, { caller: callerOf(), ...options })).toThrow(
    expect.objectContaining({
      code: 'SESSION_QUERY_INVALID_CONFIG',
      message: expect.stringContaining(message) as unknown,
    }),
  )
})

test.each([[-1], ['2'], [Number.NaN], [null], [Promise.resolve(1)]])(
  'a boundary of %j is the fault of the host',
  async (boundary) => {
    const told: unknown[] = []
    const call = toolsOver(await corpusOf(), {
      boundarySeq: (() => boundary) as never,
      logger: { error: (_message, detail) => void told.push(detail) },
    })
    expect(await failureOf(call('session_event_search', { query: 'q' }))).toMatchObject({
      code: 'SESSION_QUERY_INVALID_CONFIG',
    })
    expect(told).toMatchObject([{ message: expect.stringContaining('boundarySeq is ') as unknown }])
  },
)
