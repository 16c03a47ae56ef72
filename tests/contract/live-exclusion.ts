import { expect } from 'vitest'
import type { SessionCorpus } from '../../src/core/corpus.ts'
import { session } from '../fixtures/logs.ts'
import { refused, type Contract } from './contract.ts'
import { append, compacted, talk } from './logs.ts'
import { place } from './placements.ts'

/** A session is open in one place at a time; what else is refused. */
export function exclusionCases(contract: Contract): void {
  const taken: readonly (readonly [string, (corpus: SessionCorpus) => Promise<unknown>])[] = [
    ['create', (corpus) => corpus.sessions.create({ id: 'talk' })],
    ['create without storing', (corpus) => corpus.sessions.create({ id: 'talk' }, { persist: false })],
    ['fork', (corpus) => corpus.sessions.fork('compacted', undefined, { id: 'talk' })],
    ['resume', (corpus) => corpus.sessions.resume('talk')],
    ['put', (corpus) => corpus.putSession(talk)],
    ['append', (corpus) => corpus.appendEvents({ sessionId: 'talk', events: [] })],
    ['delete', (corpus) => corpus.deleteSession({ sessionId: 'talk' })],
  ]
  for (const [name, call] of taken) {
    contract.case(`that are open elsewhere in the page refuse to ${name} their id`, async (corpus) => {
      await place(corpus, 'stored', compacted)
      await place(corpus, 'live and stored', talk)
      await refused(call(corpus), 'SOURCE_CONFLICT', /"talk"/)
      expect(corpus.sessions.list()).toHaveLength(1)
      expect((await corpus.readSession({ sessionId: 'talk' })).events).toEqual(talk.events)
    })
  }

  contract.case('are not begun under an id that is stored', async (corpus) => {
    await place(corpus, 'stored', talk)
    await refused(corpus.sessions.create({ id: 'talk' }), 'SOURCE_CONFLICT', /"talk" is stored/)
    await refused(corpus.sessions.create({ id: 'talk' }, { persist: false }), 'SOURCE_CONFLICT')
    await refused(corpus.sessions.fork('talk', 0, { id: 'talk' }), 'SOURCE_CONFLICT')
    expect(corpus.sessions.list()).toEqual([])
  })

  contract.case('are opened once, by whoever comes first', async (corpus) => {
    await place(corpus, 'stored', talk)
    const opening = [
      corpus.sessions.resume('talk'),
      corpus.sessions.resume('talk'),
      corpus.sessions.create({ id: 'talk' }),
    ]
    const [first, second, third] = await Promise.allSettled(opening)
    expect([first?.status, second?.status, third?.status]).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
    ])
    const begun = await Promise.allSettled([1, 2, 3].map(() => corpus.sessions.create({ id: 'new' })))
    expect(begun.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(corpus.sessions.list().map(({ id }) => id)).toEqual(['talk', 'new'])
  })

  contract.case('cannot be resumed when they are not stored', async (corpus) => {
    await refused(corpus.sessions.resume('none'), 'SESSION_NOT_FOUND', /"none"/)
    await refused(corpus.sessions.resume(5 as never), 'SESSION_NOT_FOUND')
    await corpus.sessions.create({ id: 'none' })
  })

  contract.case('that are being begun cannot be stored by others', async (corpus) => {
    const begun = corpus.sessions.create({ id: 'new' })
    const stored = corpus.putSession(session('new', [{}]))
    const outcomes = await Promise.allSettled([begun, stored])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  contract.case('are refused for arguments that are none, with an error of ours', async (corpus) => {
    await corpus.putSession(talk)
    const calls: readonly (() => Promise<unknown>)[] = [
      () => corpus.sessions.create(null as never),
      () => corpus.sessions.create(5 as never),
      () => corpus.sessions.create([] as never),
      () => corpus.sessions.create({}, null as never),
      () => corpus.sessions.fork(undefined as never),
      () => corpus.sessions.fork('talk', 0, null as never),
      () => corpus.sessions.resume(undefined as never),
    ]
    const errors = await Promise.all(
      calls.map((call) =>
        call().then(
          () => 'done',
          (error: Error) => error.name,
        ),
      ),
    )
    expect(errors).toEqual(calls.map(() => 'SessionQueryError'))
  })

  contract.case('that are being resumed cannot be deleted or written by others', async (corpus) => {
    for (const [id, write] of [
      ['deleted', () => corpus.deleteSession({ sessionId: 'deleted' })],
      [
        'appended',
        () =>
          corpus.appendEvents({
            sessionId: 'appended',
            events: [...talk.events, { type: 'x', seq: 4, time: 0, data: 0 }],
          }),
      ],
    ] as const) {
      await corpus.putSession({ ...talk, header: { ...talk.header, id } })
      const resuming = corpus.sessions.resume(id)
      const writing = write().then(
        () => 'done',
        () => 'refused',
      )
      const live = await resuming.catch(() => undefined)
      const outcome = await writing
      if (live !== undefined) append(live, 'turn/start')
      expect([
        outcome,
        await live?.flush().then(
          () => 'stored',
          () => 'lost',
        ),
      ]).toEqual(['refused', 'stored'])
    }
  })
}
