import { expect } from 'vitest'
import type { SessionCorpus } from '../../src/core/corpus.ts'
import type { EventFilter, SessionFilter } from '../../src/core/filter.ts'
import { assistantMessage, session, toolResult, userMessage } from '../fixtures/logs.ts'
import { refused, type Contract } from './contract.ts'
import { compacted, titled } from './logs.ts'
import { place, placements } from './placements.ts'

const odd = 'a\u0000\ud800'

/** Six sessions; those that are live alone are made as such, because a fork has a parent. */
async function manySessions(corpus: SessionCorpus): Promise<void> {
  await place(corpus, 'stored', session('s1', [], { createdAt: 10, cwd: '/shop' }))
  await place(corpus, 'stored', session('s2', [], { createdAt: 20, parentSession: 's1' }))
  await place(
    corpus,
    'live and stored',
    session('b1', [], { createdAt: 30, cwd: '/shop', parentSession: 's1' }),
  )
  await place(
    corpus,
    'live and stored',
    session(odd, [], { createdAt: 40, cwd: odd, parentSession: odd }),
  )
  await corpus.sessions.create({ id: 'l1', createdAt: 50, cwd: '/shop' }, { persist: false })
  await corpus.sessions.create(
    { id: 'l2', createdAt: 60, cwd: '', parentSession: 'gone' },
    { persist: false },
  )
}

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

    invalid(contract)
    many(contract)
  })
}

/** A clause that is none, and what the message says. */
const wrongEverywhere: readonly (readonly [unknown, RegExp])[] = [
  [undefined, /filters is undefined; it has to be a list/],
  [null, /filters is null/],
  [{ kind: 'id', values: [] }, /filters is \{"kind":"id"/],
  ['id', /filters is "id"/],
  [[null], /filters\[0\] is null; a filter is an object/],
  [['id'], /filters\[0\] is "id"/],
  [[[]], /filters\[0\] is \[\]/],
  [[{}], /filters\[0\]\.kind is undefined; allowed here are/],
  [[{ kind: 'toString', values: [] }], /filters\[0\]\.kind is "toString"/],
  [[{ kind: ['id'], values: [] }], /filters\[0\]\.kind is \["id"\]/],
]

const wrongForSessions: readonly (readonly [unknown, RegExp])[] = [
  [
    [{ kind: 'seq', from: 1 }],
    /filters\[0\]\.kind is "seq"; allowed here are id, cwd, parent, availability, created-at/,
  ],
  [[{ kind: 'text', text: 'a' }], /filters\[0\]\.kind is "text"/],
  [[{ kind: 'id' }], /filters\[0\]\.values is undefined; it has to be a list of strings/],
  [[{ kind: 'id', values: 'a' }], /filters\[0\]\.values is "a"/],
  [[{ kind: 'id', values: ['a', null] }], /filters\[0\]\.values\[1\] is null; allowed are strings/],
  [[{ kind: 'id', values: Array.from({ length: 1 }) }], /filters\[0\]\.values\[0\] is undefined/],
  [[{ kind: 'cwd', values: [5] }], /filters\[0\]\.values\[0\] is 5; allowed are strings and null/],
  [[{ kind: 'parent', values: [{}] }], /filters\[0\]\.values\[0\] is \{\}/],
  [
    [{ kind: 'availability', values: ['stored'] }],
    /values\[0\] is "stored"; allowed are "live", "persisted"/,
  ],
  [[{ kind: 'created-at', from: '1' }], /filters\[0\]\.from is "1"; it has to be a finite number/],
  [[{ kind: 'created-at', to: null }], /filters\[0\]\.to is null/],
  [[{ kind: 'created-at', from: Number.NaN }], /filters\[0\]\.from is/],
  [[{ kind: 'created-at', to: Infinity }], /filters\[0\]\.to is/],
  [[{ kind: 'created-at', from: -Infinity }], /filters\[0\]\.from is/],
  [
    [
      { kind: 'id', values: [] },
      { kind: 'created-at', from: 2, to: 1 },
    ],
    /filters\[1\]\.from is 2, above filters\[1\]\.to, which is 1/,
  ],
]

const wrongForEvents: readonly (readonly [unknown, RegExp])[] = [
  [
    [{ kind: 'id', values: [] }],
    /filters\[0\]\.kind is "id"; allowed here are seq, time, type, surface, text/,
  ],
  [[{ kind: 'type', values: [null] }], /filters\[0\]\.values\[0\] is null/],
  [[{ kind: 'type', values: {} }], /filters\[0\]\.values is \{\}/],
  [
    [{ kind: 'surface', values: ['hidden'] }],
    /"hidden"; allowed are "current", "shadowed", "log-only"/,
  ],
  [[{ kind: 'seq', from: true }], /filters\[0\]\.from is true/],
  [[{ kind: 'seq', from: 1, to: 0 }], /filters\[0\]\.from is 1, above/],
  [[{ kind: 'time', to: Number.NaN }], /filters\[0\]\.to is/],
  [[{ kind: 'text' }], /filters\[0\]\.text is undefined; it has to be text that is not blank/],
  [[{ kind: 'text', text: ' \n\u3000' }], /filters\[0\]\.text is/],
  [[{ kind: 'text', text: 5 }], /filters\[0\]\.text is 5/],
]

function invalid(contract: Contract): void {
  contract.case('on sessions that are none are refused, naming the clause', async (corpus) => {
    for (const [filters, message] of [...wrongEverywhere, ...wrongForSessions]) {
      await refused(corpus.filterSessions({ filters: filters as never }), 'INVALID_FILTER', message)
    }
    await refused(corpus.filterSessions(undefined as never), 'INVALID_FILTER', /filters is undefined/)
  })

  for (const placement of placements) {
    contract.case(
      `on events that are none are refused, naming the clause, for a session that is ${placement}`,
      async (corpus) => {
        await place(corpus, placement, compacted)
        for (const [filters, message] of [...wrongEverywhere, ...wrongForEvents]) {
          const request = { sessionId: 'compacted', filters: filters as never }
          await refused(corpus.filterEvents(request), 'INVALID_FILTER', message)
        }
      },
    )
  }
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `value ${at}`)

function many(contract: Contract): void {
  contract.case('take 10,000 values, and many clauses', async (corpus) => {
    await manySessions(corpus)
    const values = [...numbered(10_000), 's1', 'l1']
    const found = await corpus.filterSessions({ filters: [{ kind: 'id', values }] })
    expect(found.map(({ header }) => header.id)).toEqual(['l1', 's1'])
    const clauses = Array.from({ length: 1000 }, () => ({ kind: 'id' as const, values: ['s1', 'l1'] }))
    const ranges = Array.from({ length: 1000 }, (_, at) => ({
      kind: 'created-at' as const,
      from: at / 100,
    }))
    const both = await corpus.filterSessions({ filters: [...clauses, ...ranges] })
    expect(both.map(({ header }) => header.id)).toEqual(['l1', 's1'])
  })

  contract.case('take 10,000 values for events, and many clauses', async (corpus) => {
    for (const placement of placements) {
      await place(corpus, placement, { ...compacted, header: { ...compacted.header, id: placement } })
      const values = [...numbered(10_000), 'tool/call']
      const clauses = Array.from({ length: 1000 }, () => ({ kind: 'text' as const, text: 'look' }))
      const found = await corpus.filterEvents({
        sessionId: placement,
        filters: [{ kind: 'type', values }, ...clauses],
      })
      expect(found.map(({ seq }) => seq)).toEqual([2])
    }
  })

  contract.case('take 32,000 values in a call and no more', async (corpus) => {
    await manySessions(corpus)
    await place(corpus, 'stored', compacted)
    await place(corpus, 'live', { ...compacted, header: { ...compacted.header, id: 'open' } })
    const most = numbered(32_000)
    const one = ['s1']
    expect(await corpus.filterSessions({ filters: [{ kind: 'id', values: most }] })).toEqual([])
    const tooMany: readonly SessionFilter[][] = [
      [{ kind: 'id', values: [...most, 's1'] }],
      [
        { kind: 'id', values: most },
        { kind: 'cwd', values: one },
      ],
      [
        { kind: 'id', values: numbered(16_000) },
        { kind: 'parent', values: numbered(16_001) },
      ],
    ]
    for (const filters of tooMany) {
      await refused(corpus.filterSessions({ filters }), 'INVALID_FILTER', /32000/)
    }
    for (const sessionId of ['compacted', 'open']) {
      expect(
        await corpus.filterEvents({ sessionId, filters: [{ kind: 'type', values: most }] }),
      ).toEqual([])
      const filters: readonly EventFilter[] = [{ kind: 'type', values: [...most, 'x'] }]
      await refused(corpus.filterEvents({ sessionId, filters }), 'INVALID_FILTER', /32000/)
    }
  })
}
