import fc from 'fast-check'
import type { EventFilter, SessionFilter } from '../../src/core/filter.ts'
import type { SessionEvent, SessionHeader, SessionLog } from '../../src/core/session.ts'
import { assistantMessage, logOf, toolResult, userMessage } from '../fixtures/logs.ts'

/** Texts that are hard on keys, patterns and JSON, and a few that meet often. */
const texts = fc.oneof(
  fc.constantFrom(
    'a',
    'A',
    'b',
    '',
    ' ',
    'a b',
    'a\u0000',
    '\ud800',
    '\ud83d\ude00',
    '\uFFFF',
    '\uFFFF"a"',
    'é',
    'e\u0301',
    'ſ',
    '%',
    '_',
    "'",
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.string({ maxLength: 4 }),
)

const keys = fc.oneof(
  { weight: 5, arbitrary: texts },
  { weight: 1, arbitrary: fc.constantFrom('turn/start', 'user/message', 'tool/result') },
)

const times = fc.oneof(
  fc.nat(8),
  fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
    .filter((value) => !Object.is(value, -0)),
)

const ranges = fc
  .tuple(fc.option(times, { nil: undefined }), fc.option(times, { nil: undefined }))
  .map(([from, to]) => {
    const swapped = from !== undefined && to !== undefined && from > to
    const [low, high] = swapped ? [to, from] : [from, to]
    return { ...(low === undefined ? {} : { from: low }), ...(high === undefined ? {} : { to: high }) }
  })

const list = <Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> =>
  fc.array(values, { maxLength: 4 })

/** Headers of sessions of different ids. */
export const headers: fc.Arbitrary<SessionHeader[]> = fc.uniqueArray(
  fc
    .record(
      {
        version: fc.constant(0),
        id: texts.filter((id) => id !== ''),
        createdAt: fc.nat(8),
        cwd: texts,
        parentSession: texts,
      },
      { requiredKeys: ['version', 'id', 'createdAt'] },
    )
    .map((header) => header as SessionHeader),
  { selector: ({ id }) => id, maxLength: 8 },
)

export const sessionFilters: fc.Arbitrary<SessionFilter[]> = fc.array(
  fc.oneof(
    list(texts).map((values): SessionFilter => ({ kind: 'id', values })),
    fc
      .tuple(fc.constantFrom('cwd' as const, 'parent' as const), list(fc.option(texts)))
      .map(([kind, values]): SessionFilter => ({ kind, values })),
    list(fc.constantFrom('live' as const, 'persisted' as const)).map((values): SessionFilter => ({
      kind: 'availability',
      values,
    })),
    ranges.map((range): SessionFilter => ({ kind: 'created-at', ...range })),
  ),
  { maxLength: 3 },
)

export const eventFilters: fc.Arbitrary<EventFilter[]> = fc.array(
  fc.oneof(
    fc
      .tuple(fc.constantFrom('seq' as const, 'time' as const), ranges)
      .map(([kind, range]): EventFilter => ({ kind, ...range })),
    list(keys).map((values): EventFilter => ({ kind: 'type', values })),
    list(fc.constantFrom('current' as const, 'shadowed' as const, 'log-only' as const)).map(
      (values): EventFilter => ({ kind: 'surface', values }),
    ),
    texts.filter((text) => text.trim() !== '').map((text): EventFilter => ({ kind: 'text', text })),
  ),
  { maxLength: 3 },
)

const events = fc.oneof(
  texts.map((text) => userMessage(text)),
  texts.map((text) => assistantMessage(text)),
  texts.map((text) => toolResult(text)),
  fc
    .tuple(texts, texts)
    .map(([name, text]) => ({ type: 'tool/call', data: { name, arguments: text } })),
  fc
    .tuple(fc.oneof(texts, fc.constant(null)), fc.constantFrom('user', 'provider', 'oracle'))
    .map(([title, kind]) => ({
      type: 'session/title',
      data: { title, messageSeqs: [], source: { kind } },
    })),
  keys.filter((type) => type !== '' && !type.includes('/')).map((type) => ({ type, data: null })),
)

/** Logs that fold: some messages stand for the last one before them. */
export const logs: fc.Arbitrary<SessionLog> = fc
  .array(fc.tuple(events, times, fc.boolean()), { maxLength: 12 })
  .map((choices) => {
    let last: number | undefined
    const partial = choices.map(([event, time, replaces], seq): Partial<SessionEvent> => {
      if (!('surfaceOp' in event)) return { ...event, time }
      const replaced = replaces && event.type !== 'tool/result' ? last : undefined
      last = seq
      return replaced === undefined
        ? { ...event, time }
        : {
            ...event,
            time,
            surfaceOp: { op: 'replace', start: replaced, end: replaced },
            sourceEventSeqs: [replaced],
          }
    })
    return { header: { version: 0, id: 'log', createdAt: 0 }, events: logOf(partial) }
  })
