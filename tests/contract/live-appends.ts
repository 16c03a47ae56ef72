import { expect } from 'vitest'
import type { AppendOptions, LiveSession } from '../../src/core/corpus.ts'
import { assistantMessage, logOf, toolResult, userMessage } from '../fixtures/logs.ts'
import type { Contract } from './contract.ts'
import { replacing } from './logs.ts'
import type { JsonValue } from '../../src/core/json.ts'
import type { SessionEvent } from '../../src/core/session.ts'

type Append = readonly [type: string, data: unknown, options?: unknown]

/** An event as arguments of append. */
function given({ type = '', data, surfaceOp, sourceEventSeqs }: Partial<SessionEvent>): Append {
  return [type, data, { surfaceOp, sourceEventSeqs }]
}

/** Three messages and a tool result; of them 0 is shadowed by 3. */
const base = [
  userMessage('a'),
  userMessage('b'),
  toolResult('r'),
  userMessage('c', replacing(0, 0, [0])),
]

const misfits: readonly (readonly [string, Append, RegExp])[] = [
  ['a surfaceOp on another type', ['turn/start', {}, { surfaceOp: 'append' }], /carries surfaceOp/],
  ['a null surfaceOp on another type', ['turn/start', {}, { surfaceOp: null }], /carries surfaceOp/],
  ['sources on another type', ['tool/call', {}, { sourceEventSeqs: [0] }], /carries sourceEventSeqs/],
  ['a message without surfaceOp', ['user/message', {}], /surfaceOp is undefined/],
  ['an unknown surfaceOp', ['user/message', {}, { surfaceOp: 'prepend' }], /"prepend"/],
  [
    'a fourth key',
    [
      'user/message',
      {},
      { surfaceOp: { op: 'replace', start: 1, end: 1, x: 1 }, sourceEventSeqs: [1] },
    ],
    /"x":1/,
  ],
  [
    'a node that is not there',
    given(userMessage('d', replacing(9, 9, [0]))),
    /9 is not on the surface/,
  ],
  ['a node that is shadowed', given(userMessage('d', replacing(0, 0, [0]))), /0 is not on the surface/],
  ['itself', given(userMessage('d', replacing(4, 4, [0]))), /4 is not on the surface/],
  ['a start after the end', given(userMessage('d', replacing(1, 3, [1, 3]))), /1 stands after 3/],
  ['a node that it does not cite', given(userMessage('d', replacing(3, 1, [1]))), /removes 3/],
  ['empty sources', given(userMessage('d', { sourceEventSeqs: [] })), /empty/],
  ['a source that is itself', given(userMessage('d', { sourceEventSeqs: [4] })), /has 4/],
  ['a source twice', given(userMessage('d', { sourceEventSeqs: [0, 0] })), /0 twice/],
  [
    'a tool result for a message',
    given(toolResult('s', replacing(1, 1, [1]))),
    /itself a tool\/result/,
  ],
  [
    'a tool result of another call',
    given(toolResult('s', replacing(2, 2, [2]), 'other')),
    /only in the content/,
  ],
]

const lossy: readonly (readonly [string, Append, RegExp])[] = [
  ['undefined', ['x/y', undefined], /"x\/y".*data is undefined/],
  ['a function', ['x/y', { a: [() => 1] }], /"x\/y".*data\.a\[0\] is a function/],
  ['a symbol', ['x/y', { a: Symbol('s') }], /data\.a is a symbol/],
  ['a bigint', ['x/y', { 'odd key': 1n }], /data\["odd key"\] is a bigint/],
  ['NaN', ['x/y', [0, Number.NaN]], /data\[1\] is NaN/],
  ['an infinity', ['x/y', -Infinity], /data is -Infinity/],
  ['-0', ['x/y', { a: { b: -0 } }], /data\.a\.b is -0/],
  ['a date', ['x/y', { at: new Date(0) }], /data\.at is an instance of Date/],
  ['a map', ['x/y', new Map()], /data is an instance of Map/],
  ['a hole', ['x/y', { a: Array.from({ length: 2 }) }], /data\.a\[/],
  ['a member that is undefined', ['x/y', { a: undefined }], /data\.a is undefined/],
  ['a cycle', ['x/y', cycle()], /data\.self contains itself/],
  ['a toJSON method', ['x/y', { a: { toJSON: () => 1 } }], /data\.a/],
  [
    'an accessor',
    ['x/y', Object.defineProperty({}, 'a', { get: () => 1, enumerable: true })],
    /data has an accessor, a/,
  ],
  ['a key that is a symbol', ['x/y', { [Symbol('s')]: 1 }], /data has a symbol for a key/],
  ['nesting without end', ['x/y', deep(2000)], /"x\/y".*levels deep/],
  [
    'sources that are lossy',
    ['user/message', {}, { surfaceOp: 'append', sourceEventSeqs: [Number.NaN] }],
    /sourceEventSeqs\[0\] is NaN/,
  ],
  ['no type', ['', {}], /type is ""/],
  ['a type that is no text', [5 as never, {}], /type is 5/],
]

/** What append takes and what it refuses, at once. */
export function liveAppendCases(contract: Contract): void {
  contract.topic('appending', () => {
    for (const [code, table] of [
      ['SESSION_QUERY_INVALID_SURFACE', misfits],
      ['SESSION_QUERY_CORRUPT_SESSION', lossy],
    ] as const) {
      for (const [name, misfit, message] of table) {
        contract.case(`refuses ${name}, and the log is as it was`, async (corpus) => {
          const live = await corpus.sessions.create({ id: 'live' })
          for (const event of base) appendTo(live, given(event))
          const before = live.events
          expect(() => appendTo(live, misfit)).toThrow(
            expect.objectContaining({
              name: 'SessionQueryError',
              code,
              message: expect.stringMatching(message) as string,
            }),
          )
          expect(live.events).toEqual(before)
          expect(appendTo(live, given(assistantMessage('ok', replacing(3, 1, [1, 3])))).seq).toBe(4)
          await live.close()
          expect(
            (await corpus.readSurface({ sessionId: 'live' })).events.map(({ seq }) => seq),
          ).toEqual([4, 2])
        })
      }
    }

    contract.case('takes everything that the fold takes', async (corpus) => {
      const live = await corpus.sessions.create({ id: 'live' })
      const events = [
        ...base,
        toolResult('shorter', replacing(2, 2, [2])),
        assistantMessage('no sources, listed', { sourceEventSeqs: [] }),
        assistantMessage('all', replacing(3, 4, [3, 1, 4, 0])),
        { type: 'of/another', data: null },
        { ...userMessage(''), data: 'not a message' },
      ]
      for (const event of events) appendTo(live, given(event))
      expect(live.events.map(({ time: _time, ...event }) => event)).toEqual(
        logOf(events).map(({ time: _time, ...event }) => event),
      )
      await live.close()
      expect(await corpus.listEvents({ sessionId: 'live' })).toHaveLength(events.length)
    })
  })
}

function appendTo(live: LiveSession, [type, data, options]: Append): SessionEvent {
  return live.append(type, data as JsonValue, options as AppendOptions | undefined)
}

function cycle(): unknown {
  const value: { self?: unknown } = {}
  value.self = value
  return value
}

function deep(levels: number): unknown {
  let value: unknown = 0
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}
