import { expect } from 'vitest'
import type { JsonValue } from '../../src/core/json.ts'
import type { SessionEvent } from '../../src/core/session.ts'
import { session, toolResult, userMessage } from '../fixtures/logs.ts'
import type { Contract } from './contract.ts'
import { append } from './logs.ts'
import { place, placements } from './placements.ts'

function nestedIn(depth: number): JsonValue {
  let value: JsonValue = 'end'
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { in: value }
  return value
}

const payloads: readonly (readonly [string, JsonValue])[] = [
  ['keys in no order of theirs', { z: 1, a: 2, é: 3, B: 4, '': 5, 10: 6, 2: 7 }],
  [
    'half surrogates',
    ['\ud83d', '\ude00', 'a\ud83d', '\ude00\ud83d', '\ud83d\ude00', { '\ud800': '\udfff' }],
  ],
  [
    'NULs and other controls',
    ['\u0000', 'a\u0000b', '\u0001\u001f\u007f\u2028\u2029\ufeff', { '\u0000': 0 }],
  ],
  [
    'numbers at their edges',
    [0, 1e300, 5e-324, 2 ** 53, -(2 ** 53), 0.1, -1.5, 1e21, 123_456_789_012_345_680_000],
  ],
  ['empty things', ['', [], {}, null, false, [[]], [{}]]],
  [
    'names with a meaning elsewhere',
    JSON.parse('{"__proto__":{"a":1},"constructor":2,"toJSON":3,"length":4}') as JsonValue,
  ],
  ['SQL and paths', ["'; DROP TABLE events; --", '%_\\', 'C:\\a b', '$.x']],
  ['NFC and NFD', ['é', 'e\u0301', 'ｶﾞ', 'ガ']],
  ['deep nesting', nestedIn(900)],
]

/** What is read is what came in, to the last UTF-16 unit and in the same order of keys. */
export function exactnessCases(contract: Contract): void {
  contract.topic('exactness', () => {
    for (const placement of placements) {
      for (const [name, data] of payloads) {
        contract.case(`of ${name}, in a session that is ${placement}`, async (corpus) => {
          const odd = session('odd', [
            { type: 'x/y', data },
            { ...userMessage('m'), ignorable: true },
          ])
          const { header, events } = await place(corpus, placement, odd)
          const sessionId = 'odd'
          const read = await corpus.readSession({ sessionId })
          expect(JSON.stringify(read)).toBe(JSON.stringify({ session: header, events }))
          const { target } = await corpus.readEvent({ sessionId, seq: 0 })
          expect(JSON.stringify(target)).toBe(JSON.stringify(events[0]))
          const surface = await corpus.readSurface({ sessionId })
          expect(JSON.stringify(surface.events)).toBe(JSON.stringify(events.slice(1)))
        })
      }

      contract.case(
        `of a tool result of a million characters, in a session that is ${placement}`,
        async (corpus) => {
          const text = `start ${'é\u0000😀 '.repeat(200_000)}end`
          expect(text.length).toBeGreaterThan(1_000_000)
          const { events } = await place(corpus, placement, session('long', [toolResult(text)]))
          const { target } = await corpus.readEvent({ sessionId: 'long', seq: 0 })
          expect(JSON.stringify(target) === JSON.stringify(events[0])).toBe(true)
          const [found] = await corpus.filterEvents({
            sessionId: 'long',
            filters: [{ kind: 'text', text: 'END' }],
          })
          expect(found?.text === text).toBe(true)
        },
      )
    }

    contract.case('of events that were appended to a live session', async (corpus) => {
      const live = await corpus.sessions.create({ id: 'live' })
      for (const [, data] of payloads) append(live, 'x/y', data)
      const expected = payloads.map(([, data]) => JSON.stringify(data))
      expect(dataOf(live.events)).toEqual(expected)
      expect(dataOf((await corpus.readSession({ sessionId: 'live' })).events)).toEqual(expected)
      await live.close()
      expect(dataOf((await corpus.readSession({ sessionId: 'live' })).events)).toEqual(expected)
    })

    contract.case('of headers, unknown fields among them', async (corpus) => {
      const header = {
        zeta: ['\ud83d', { b: 1, a: '\u0000' }],
        version: 0,
        id: 'odd\u0000\ud800',
        createdAt: 0,
        cwd: 'C:\\a b\u0000\udfff',
        alpha: null,
        delegationDepth: 3,
        seedLength: 0,
        origin: '',
        agentPreset: 'p',
        parentSession: '\ud83d',
      }
      await corpus.putSession({ header, events: [] })
      const [record] = await corpus.listSessions()
      expect(JSON.stringify(record?.header)).toBe(JSON.stringify(header))
      const { version: _version, ...wanted } = header
      const live = await corpus.sessions.create({ ...wanted, id: 'live' }, { persist: false })
      expect(live.header).toEqual({ ...header, id: 'live' })
      expect((await corpus.readSession({ sessionId: 'live' })).session).toEqual(live.header)
    })
  })
}

function dataOf(events: readonly SessionEvent[]): string[] {
  return events.map(({ data }) => JSON.stringify(data))
}
