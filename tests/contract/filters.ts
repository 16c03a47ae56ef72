import { expect } from 'vitest'
import type { EventFilter, SessionFilter } from '../../src/core/filter.ts'
import { assistantMessage, session, toolResult, userMessage } from '../fixtures/logs.ts'
import type { Contract } from './contract.ts'
import { filterLimitCases } from './filter-limits.ts'
import { filterRefusalCases } from './filter-refusals.ts'
import { compacted, titled } from './logs.ts'
import { manySessions, odd } from './many-sessions.ts'
import { place, placements } from './placements.ts'

const sessionTable: readonly (readonly [readonly SessionFilter[], readonly string[]])[] = [
  [[], ['l2', 'l1', odd, 'b1', 's2', 's1']],
  [[{ kind: 'id', values: ['s1', 'l2', 'none', 's1'] }], ['l2', 's1']],
  [[{ kind: 'id', values: [odd] }], [odd]],
  [[{ kind: 'id', values: ['S1', 's1 ', 's'] }], []],
  [[{ kind: 'id', values: [] }], []],
  [[{ kind: 'cwd', values: ['/shop'] }], ['l1', 'b1', 's1']],
  [[{ kind: 'cwd', values: ['/shop/', '/SHOP'] }], []],
  [[{ kind: 'cwd', values: [null] }], ['s2']],
  [[{ kind: 'cwd', values: [''] }], ['l2']],
  [[{ kind: 'cwd', values: [null, odd, ''] }], ['l2', odd, 's2']],
  [[{ kind: 'cwd', values: [] }], []],
  [[{ kind: 'parent', values: [null] }], ['l1', 's1']],
  [[{ kind: 'parent', values: ['s1', 'gone'] }], ['l2', 'b1', 's2']],
  [[{ kind: 'parent', values: [odd, null] }], ['l1', odd, 's1']],
  [[{ kind: 'availability', values: ['live'] }], ['l2', 'l1', odd, 'b1']],
  [[{ kind: 'availability', values: ['persisted'] }], [odd, 'b1', 's2', 's1']],
  [[{ kind: 'availability', values: ['persisted', 'live'] }], ['l2', 'l1', odd, 'b1', 's2', 's1']],
  [
    [
      { kind: 'availability', values: ['live'] },
      { kind: 'availability', values: ['persisted'] },
    ],
    [odd, 'b1'],
  ],
  [[{ kind: 'availability', values: [] }], []],
  [[{ kind: 'created-at', from: 20, to: 50 }], ['l1', odd, 'b1', 's2']],
  [[{ kind: 'created-at', from: 50 }], ['l2', 'l1']],
  [[{ kind: 'created-at', to: 10 }], ['s1']],
  [[{ kind: 'created-at', from: 19.5, to: 20 }], ['s2']],
  [[{ kind: 'created-at' }], ['l2', 'l1', odd, 'b1', 's2', 's1']],
  [
    [
      { kind: 'created-at', from: 20 },
      { kind: 'created-at', to: 30 },
    ],
    ['b1', 's2'],
  ],
  [
    [
      { kind: 'created-at', from: 50 },
      { kind: 'created-at', to: 10 },
    ],
    [],
  ],
  [
    [
      { kind: 'cwd', values: ['/shop'] },
      { kind: 'parent', values: [null] },
    ],
    ['l1', 's1'],
  ],
  [
    [
      { kind: 'id', values: ['s1', 'b1'] },
      { kind: 'id', values: ['b1', 'l1'] },
    ],
    ['b1'],
  ],
]

const eventTable: readonly (readonly [readonly EventFilter[], readonly number[]])[] = [
  [[], [0, 1, 2, 3, 4, 5, 6, 7, 8]],
  [[{ kind: 'seq', from: 2, to: 4 }], [2, 3, 4]],
  [[{ kind: 'seq', from: 7 }], [7, 8]],
  [[{ kind: 'seq', to: 0.5 }], [0]],
  [[{ kind: 'seq', from: -5, to: -1 }], []],
  [[{ kind: 'time', from: 1003, to: 1004 }], [3, 4]],
  [[{ kind: 'time', to: 1000 }], [0]],
  [[{ kind: 'type', values: ['tool/call', 'tool/result', 'none'] }], [2, 3, 5]],
  [[{ kind: 'type', values: ['tool'] }], []],
  [[{ kind: 'type', values: [] }], []],
  [[{ kind: 'surface', values: ['current'] }], [5, 6, 8]],
  [[{ kind: 'surface', values: ['log-only', 'shadowed'] }], [0, 1, 2, 3, 4, 7]],
  [[{ kind: 'surface', values: [] }], []],
  [
    [
      { kind: 'surface', values: ['current'] },
      { kind: 'surface', values: ['shadowed'] },
    ],
    [],
  ],
  [[{ kind: 'text', text: 'TWO' }], [1, 4, 6]],
  [
    [
      { kind: 'text', text: 'two' },
      { kind: 'text', text: 'one' },
    ],
    [6],
  ],
  [
    [
      { kind: 'text', text: 'two' },
      { kind: 'type', values: ['user/message'] },
      { kind: 'seq', from: 1 },
    ],
    [4],
  ],
  [
    [
      { kind: 'text', text: 'result' },
      { kind: 'surface', values: ['current'] },
    ],
    [5],
  ],
]

const texts = [
  'Größe und MASSE, STRASSE',
  'tab\tand\n\nline breaks',
  'a.b*c (d) [e] {f} ^g$ \\h |i+ /j/ -k',
  'Kelvin \u212a, long ſ, ẞ',
  '会议纪要\u3000预算',
  'half \ud83d pair, whole 😀',
] as const

const textTable: readonly (readonly [text: string, found: readonly number[]])[] = [
  ['größe UND masse', [0]],
  ['Grösse', []],
  ['straße', []],
  ['and line', [1]],
  ['tab and', [1]],
  ['tab\u00a0 \tand', [1]],
  ['tabs', []],
  ['a.b*c', [2]],
  ['axb', []],
  ['.', [2]],
  ['(D) [E] {F} ^G$ \\H |I+ /J/ -K', [2]],
  ['[a-z]', []],
  ['kelvin k', [3]],
  ['LONG S', [3]],
  ['ß', [0, 3]],
  ['会议', [4]],
  ['纪要 预算', [4]],
  ['会 议', []],
  ['😀', [5]],
  ['\ud83d', [5]],
  ['\ude00', []],
]

/** filterSessions and filterEvents. */
export function filterCases(contract: Contract): void {
  contract.topic('filters', () => {
    contract.case('choose sessions', async (corpus) => {
      await manySessions(corpus)
      for (const [filters, ids] of sessionTable) {
        const found = (await corpus.filterSessions({ filters })).map(({ header }) => header.id)
        expect([filters, found]).toEqual([filters, ids])
      }
    })

    contract.case('have bounds of any size', async (corpus) => {
      await corpus.putSession(
        session(
          's',
          [-1e300, -(2 ** 64), 0, 2 ** 63, 1e300].map((time) => ({ ...userMessage('m'), time })),
        ),
      )
      const chosen = async (range: { from?: number; to?: number }): Promise<number[]> => {
        const filters = [{ kind: 'time' as const, ...range }]
        return (await corpus.filterEvents({ sessionId: 's', filters })).map(({ seq }) => seq)
      }
      expect(await chosen({ from: -1e301, to: 1e301 })).toEqual([0, 1, 2, 3, 4])
      expect(await chosen({ to: -1 })).toEqual([0, 1])
      expect(await chosen({ from: 1 })).toEqual([3, 4])
      for (const bound of [2 ** 63, 2 ** 64, 1e100, 1e300, Number.MAX_VALUE]) {
        const filters = [{ kind: 'created-at' as const, from: -bound, to: bound }]
        expect(await corpus.filterSessions({ filters })).toHaveLength(1)
      }
    })

    contract.case('give records as lists do', async (corpus) => {
      await manySessions(corpus)
      expect(await corpus.filterSessions({ filters: [] })).toEqual(await corpus.listSessions())
    })

    for (const placement of placements) {
      contract.case(`choose events of a session that is ${placement}`, async (corpus) => {
        await place(corpus, placement, compacted)
        for (const [filters, seqs] of eventTable) {
          const found = await corpus.filterEvents({ sessionId: 'compacted', filters })
          expect([filters, found.map(({ seq }) => seq)]).toEqual([filters, seqs])
        }
      })

      contract.case(`look for text as it stands, in a session that is ${placement}`, async (corpus) => {
        await place(
          corpus,
          placement,
          session(
            'texts',
            texts.map((text) => userMessage(text)),
          ),
        )
        for (const [text, seqs] of textTable) {
          const found = await corpus.filterEvents({
            sessionId: 'texts',
            filters: [{ kind: 'text', text }],
          })
          expect([text, found.map(({ seq }) => seq)]).toEqual([text, seqs])
        }
      })

      contract.case(
        `pass over events without text, in a session that is ${placement}`,
        async (corpus) => {
          const silent = [{}, assistantMessage(' \n'), toolResult('')]
          await place(
            corpus,
            placement,
            session('s', [...silent, userMessage(' said '), titled('T'), titled(5)]),
          )
          const found = await corpus.filterEvents({ sessionId: 's', filters: [] })
          expect(found.map(({ seq, text }) => [seq, text])).toEqual([
            [3, 'said'],
            [4, 'T'],
          ])
        },
      )
    }

    filterRefusalCases(contract)
    filterLimitCases(contract)
  })
}
