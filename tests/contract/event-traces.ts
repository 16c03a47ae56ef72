import { expect } from 'vitest'
import { logOf, session, userMessage } from '../fixtures/logs.ts'
import type { Contract } from './contract.ts'
import { append, compacted, replacing } from './logs.ts'
import { place, placements } from './placements.ts'

interface Ties {
  readonly surface: string
  readonly replacedBy?: number
  readonly replacementChain?: readonly number[]
  readonly replacedEventSeqs?: readonly number[]
  readonly sourceEventSeqs?: readonly number[]
  readonly derivedEventSeqs?: readonly number[]
}

const ties: readonly Ties[] = [
  { surface: 'shadowed', replacedBy: 6, replacementChain: [6], derivedEventSeqs: [6, 8] },
  { surface: 'shadowed', replacedBy: 4, replacementChain: [4, 6], derivedEventSeqs: [4] },
  { surface: 'log-only' },
  { surface: 'shadowed', replacedBy: 5, replacementChain: [5], derivedEventSeqs: [5] },
  {
    surface: 'shadowed',
    replacedBy: 6,
    replacementChain: [6],
    replacedEventSeqs: [1],
    sourceEventSeqs: [1],
    derivedEventSeqs: [6],
  },
  { surface: 'current', replacedEventSeqs: [3], sourceEventSeqs: [3] },
  { surface: 'current', replacedEventSeqs: [0, 4], sourceEventSeqs: [0, 4], derivedEventSeqs: [8] },
  { surface: 'log-only' },
  { surface: 'current', sourceEventSeqs: [0, 6] },
]

/** traceEvent. */
export function eventTraceCases(contract: Contract): void {
  contract.topic('event traces', () => {
    for (const placement of placements) {
      contract.case(`tell every direct tie, in a session that is ${placement}`, async (corpus) => {
        const { header, events } = await place(corpus, placement, compacted)
        for (const [seq, { surface, ...tie }] of ties.entries()) {
          expect(await corpus.traceEvent({ sessionId: 'compacted', seq })).toEqual({
            session: header,
            target: {
              sessionId: 'compacted',
              seq,
              type: events[seq]?.type,
              time: events[seq]?.time,
              surface,
            },
            replacementChain: [],
            replacedEventSeqs: [],
            sourceEventSeqs: [],
            derivedEventSeqs: [],
            ...tie,
          })
        }
      })

      contract.case(
        `give sources as recorded and removed nodes in model order, in a session that is ${placement}`,
        async (corpus) => {
          const mixed = session('mixed', [
            userMessage('a'),
            userMessage('b'),
            userMessage('c', replacing(0, 0, [0])),
            userMessage('d', replacing(2, 1, [1, 2, 0])),
          ])
          await place(corpus, placement, mixed)
          expect(await corpus.traceEvent({ sessionId: 'mixed', seq: 3 })).toMatchObject({
            replacedEventSeqs: [2, 1],
            sourceEventSeqs: [1, 2, 0],
          })
          expect(await corpus.traceEvent({ sessionId: 'mixed', seq: 0 })).toMatchObject({
            replacementChain: [2, 3],
            derivedEventSeqs: [2, 3],
          })
        },
      )

      contract.case(`follow a chain of 10,000, in a session that is ${placement}`, async (corpus) => {
        const chain = Array.from({ length: 10_000 }, (_, seq) =>
          userMessage(`version ${seq}`, seq === 0 ? {} : replacing(seq - 1, seq - 1, [seq - 1])),
        )
        await place(corpus, placement, session('chain', chain))
        const first = await corpus.traceEvent({ sessionId: 'chain', seq: 0 })
        expect(first.replacementChain).toEqual(Array.from({ length: 9999 }, (_, at) => at + 1))
        expect(await corpus.traceEvent({ sessionId: 'chain', seq: 9999 })).toMatchObject({
          target: { surface: 'current' },
          replacementChain: [],
          replacedEventSeqs: [9998],
        })
        expect((await corpus.readSurface({ sessionId: 'chain' })).events).toHaveLength(1)
      })
    }

    contract.case('keep up with a log that grows', async (corpus) => {
      await corpus.putSession(session('s', [userMessage('a')]))
      expect(await corpus.traceEvent({ sessionId: 's', seq: 0 })).toMatchObject({
        target: { surface: 'current' },
      })
      const events = logOf([userMessage('a'), userMessage('b', replacing(0, 0, [0]))]).slice(1)
      await corpus.appendEvents({ sessionId: 's', events })
      expect(await corpus.traceEvent({ sessionId: 's', seq: 0 })).toMatchObject({
        replacedBy: 1,
        derivedEventSeqs: [1],
      })
      const live = await corpus.sessions.resume('s')
      append(live, 'user/message', userMessage('c').data ?? null, replacing(1, 1, [1]))
      expect(await corpus.traceEvent({ sessionId: 's', seq: 0 })).toMatchObject({
        replacementChain: [1, 2],
      })
    })
  })
}
