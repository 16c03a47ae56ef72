import { expect } from 'vitest'
import { session } from '../fixtures/logs.ts'
import { refused, type Contract } from './contract.ts'
import { append, compacted, talk } from './logs.ts'
import { place, placements } from './placements.ts'

/** fork. */
export function forkCases(contract: Contract): void {
  for (const placement of placements) {
    contract.case(`begin with the events of one that is ${placement}`, async (corpus) => {
      await place(corpus, placement, session('origin', compacted.events, { cwd: '/shop' }))
      const whole = await corpus.sessions.fork('origin')
      expect(whole.header).toEqual({
        version: 0,
        id: whole.id,
        createdAt: expect.any(Number) as number,
        cwd: '/shop',
        parentSession: 'origin',
        seedLength: 9,
      })
      expect(whole.events).toEqual(compacted.events)
      const part = await corpus.sessions.fork('origin', 2, {
        id: 'part',
        cwd: '/else',
        agentPreset: 'p',
      })
      expect(part.header).toMatchObject({
        id: 'part',
        cwd: '/else',
        agentPreset: 'p',
        parentSession: 'origin',
        seedLength: 3,
      })
      expect(part.events).toEqual(compacted.events.slice(0, 3))
      expect(append(part, 'turn/start', {}).seq).toBe(3)
      await part.close()
      expect((await corpus.readSession({ sessionId: 'part' })).events).toHaveLength(4)
      expect((await corpus.readSession({ sessionId: 'origin' })).events).toHaveLength(9)
      expect((await corpus.readSurface({ sessionId: 'part' })).events.map(({ seq }) => seq)).toEqual([
        0, 1,
      ])
    })

    contract.case(`do not begin past the end of one that is ${placement}`, async (corpus) => {
      await place(corpus, placement, talk)
      for (const seq of [4, -1, 0.5, Number.NaN, Infinity]) {
        await refused(
          corpus.sessions.fork('talk', seq, { id: 'fork' }),
          'EVENT_NOT_FOUND',
          /seq 0 to 3/,
        )
      }
    })
  }

  contract.case('do not begin at what is no seq', async (corpus) => {
    await place(corpus, 'stored', talk)
    for (const seq of ['length', '1', null, true]) {
      await refused(corpus.sessions.fork('talk', seq as never, { id: 'fork' }), 'EVENT_NOT_FOUND')
    }
  })

  contract.case('do not begin with one that is not there', async (corpus) => {
    await refused(corpus.sessions.fork('none'), 'SESSION_NOT_FOUND', /"none"/)
    expect(corpus.sessions.list()).toEqual([])
  })

  contract.case('begin with an empty one', async (corpus) => {
    await place(corpus, 'stored', session('empty', []))
    const fork = await corpus.sessions.fork('empty')
    expect([fork.length, fork.header.seedLength]).toEqual([0, 0])
    await fork.close()
    expect(await corpus.listSessions()).toHaveLength(2)
  })
}
