import { refused, type Contract } from './contract.ts'
import { compacted } from './logs.ts'
import { place, placements } from './placements.ts'

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

/** Filters that are none. */
export function filterRefusalCases(contract: Contract): void {
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
