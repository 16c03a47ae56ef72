import { expect } from 'vitest'
import type { SessionCorpus } from '../../src/core/corpus.ts'
import type { SessionTree } from '../../src/core/lineage.ts'
import type { SessionHeader } from '../../src/core/session.ts'
import { session } from '../fixtures/logs.ts'
import { refused, type Contract } from './contract.ts'
import { flags, place, placements, type Placement } from './placements.ts'

const levels = 10_000

/** traceSession. */
export function lineageCases(contract: Contract): void {
  contract.topic('lineage', () => {
    contract.case('of sessions in all places is a tree in order', async (corpus) => {
      await add(corpus, 'stored', 'root', undefined, 1)
      await add(corpus, 'live', 'a', 'root', 5)
      await add(corpus, 'stored', '🚀', 'root', 4)
      await add(corpus, 'live and stored', '\uFF01', 'root', 4)
      await add(corpus, 'stored', 'b', 'root', 4)
      await add(corpus, 'stored', 'a1', 'a', 0)
      await add(corpus, 'live', 'a11', 'a1', 9)
      await add(corpus, 'stored', 'stranger', undefined, 1)
      const trace = await corpus.traceSession({ sessionId: 'root' })
      expect(shape(trace.descendants)).toEqual([
        ['b', []],
        ['\uFF01', []],
        ['🚀', []],
        ['a', [['a1', [['a11', []]]]]],
      ])
      expect(trace).toMatchObject({ complete: true, ancestors: [], root: { header: { id: 'root' } } })
      const records = new Map((await corpus.listSessions()).map((record) => [record.header.id, record]))
      expect(trace.target).toEqual(records.get('root'))
      expect(trace.descendants[1]?.session).toEqual(records.get('\uFF01'))
      expect(trace.descendants[3]?.session).toEqual(records.get('a'))

      const low = await corpus.traceSession({ sessionId: 'a1' })
      expect(low).toEqual({
        target: records.get('a1'),
        ancestors: [records.get('a'), records.get('root')],
        descendants: [{ session: records.get('a11'), descendants: [] }],
        complete: true,
        root: records.get('root'),
      })
    })

    for (const placement of placements) {
      contract.case(`of one session that is ${placement}`, async (corpus) => {
        await add(corpus, placement, 'only', undefined, 1)
        const record = { header: { version: 0, id: 'only', createdAt: 1 }, ...flags(placement) }
        expect(await corpus.traceSession({ sessionId: 'only' })).toEqual({
          target: record,
          ancestors: [],
          descendants: [],
          complete: true,
          root: record,
        })
      })

      contract.case(
        `ends at a parent that is gone, from a session that is ${placement}`,
        async (corpus) => {
          await add(corpus, placement, 'orphan', 'gone', 1)
          await add(corpus, placement, 'child', 'orphan', 2)
          const trace = await corpus.traceSession({ sessionId: 'child' })
          expect(trace).toMatchObject({ complete: false, unresolvedParentId: 'gone' })
          expect(trace).not.toHaveProperty('root')
          expect(trace.ancestors.map(({ header }) => header.id)).toEqual(['orphan'])
        },
      )

      contract.case(`that loops is refused, for a session that is ${placement}`, async (corpus) => {
        await add(corpus, placement, 'self', 'self', 1)
        await add(corpus, placement, 'x', 'z', 1)
        await add(corpus, placement, 'y', 'x', 1)
        await add(corpus, placement, 'z', 'y', 1)
        await add(corpus, placement, 'below', 'y', 1)
        await add(corpus, placement, 'apart', undefined, 1)
        for (const sessionId of ['self', 'x', 'y', 'z', 'below']) {
          await refused(
            corpus.traceSession({ sessionId }),
            'INVALID_LINEAGE',
            new RegExp(`"${sessionId}" loops`),
          )
        }
        expect(await corpus.traceSession({ sessionId: 'apart' })).toMatchObject({ complete: true })
      })
    }

    contract.case('stands when a session is opened, forked and closed', async (corpus) => {
      await add(corpus, 'stored', 'root', undefined, 1)
      const fork = await corpus.sessions.fork('root')
      const children = async (): Promise<unknown[]> =>
        (await corpus.traceSession({ sessionId: 'root' })).descendants.map(
          ({ session: { header, live } }) => [header.id, live],
        )
      expect(await children()).toEqual([[fork.id, true]])
      await fork.close()
      expect(await children()).toEqual([[fork.id, false]])
      await corpus.deleteSession({ sessionId: 'root' })
      expect(await corpus.traceSession({ sessionId: fork.id })).toMatchObject({
        unresolvedParentId: 'root',
      })
    })

    contract.case('of 10,000 stored levels overflows no stack', async () => {
      const corpus = await contract.open()
      const puts = Array.from({ length: levels }, (_, at) =>
        corpus.putSession(
          session(`level ${at}`, [], at === 0 ? {} : { parentSession: `level ${at - 1}` }),
        ),
      )
      await Promise.all(puts)
      await deep(corpus)
    })

    contract.case('of 10,000 live levels overflows no stack', async () => {
      const corpus = await contract.open()
      const adding = Array.from({ length: levels }, (_, at) =>
        add(corpus, 'live', `level ${at}`, at === 0 ? undefined : `level ${at - 1}`, 1),
      )
      await Promise.all(adding)
      await deep(corpus)
    })
  })
}

/** Adds a session without events; one that is live alone is created, as a fork would have another parent. */
async function add(
  corpus: SessionCorpus,
  placement: Placement,
  id: string,
  parentSession: string | undefined,
  createdAt: number,
): Promise<void> {
  const header: Omit<SessionHeader, 'version'> = {
    id,
    createdAt,
    ...(parentSession === undefined ? {} : { parentSession }),
  }
  if (placement === 'live') await corpus.sessions.create(header, { persist: false })
  else await place(corpus, placement, session(id, [], header))
}

async function deep(corpus: SessionCorpus): Promise<void> {
  const last = await corpus.traceSession({ sessionId: `level ${levels - 1}` })
  expect(last.ancestors).toHaveLength(levels - 1)
  expect(last.ancestors.at(-1)?.header.id).toBe('level 0')
  let depth = 0
  let below = (await corpus.traceSession({ sessionId: 'level 0' })).descendants
  for (; below.length > 0; below = below[0]?.descendants ?? []) {
    depth += 1
    expect(below[0]?.session.header.id).toBe(`level ${depth}`)
  }
  expect(depth).toBe(levels - 1)
}

type Shape = readonly [string, readonly Shape[]]

function shape(trees: readonly SessionTree[]): Shape[] {
  return trees.map(({ session: { header }, descendants }) => [header.id, shape(descendants)])
}
