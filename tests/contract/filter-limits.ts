import { expect } from 'vitest'
import type { EventFilter, SessionFilter } from '../../src/core/filter.ts'
import { refused, type Contract } from './contract.ts'
import { compacted } from './logs.ts'
import { manySessions } from './many-sessions.ts'
import { place, placements } from './placements.ts'

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `value ${at}`)

/** How much a filter may hold. */
export function filterLimitCases(contract: Contract): void {
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
