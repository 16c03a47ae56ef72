import { expect } from 'vitest'
import type { LiveSession, SessionCorpus } from '../../src/core/corpus.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { refused, type Contract } from './contract.ts'
import { append, compacted, talk } from './logs.ts'
import { place } from './placements.ts'

/** create, fork, resume, close: what is open and what is stored. */
export function liveSessionCases(contract: Contract): void {
  contract.topic('live sessions', () => {
    contract.case('begin with an id and the present time', async (corpus) => {
      const before = Date.now()
      const [one, two] = [
        await corpus.sessions.create(),
        await corpus.sessions.create({ cwd: undefined as never }),
      ]
      expect(one.header).toEqual({ version: 0, id: one.id, createdAt: expect.any(Number) as number })
      expect(Object.keys(two.header)).not.toContain('cwd')
      expect(one.header.createdAt).toBeGreaterThanOrEqual(before)
      expect(one.header.createdAt).toBeLessThanOrEqual(Date.now())
      expect(one.id).not.toBe(two.id)
      expect([one.length, one.events]).toEqual([0, []])
      expect(corpus.sessions.list().map(({ id }) => id)).toEqual([one.id, two.id])
    })

    contract.case('do not begin with a header that is none', async (corpus) => {
      const wrong: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
        [{ id: '' }, /id is ""/],
        [{ id: 5 }, /id is 5/],
        [{ createdAt: -1 }, /createdAt is -1/],
        [{ cwd: 5 }, /cwd is 5/],
        [{ version: 1 }, /version is 1/],
        [{ seedLength: 0.5 }, /seedLength is 0\.5/],
        [{ more: [Number.NaN] }, /header\.more\[0\] is NaN/],
        [{ more: () => 1 }, /header\.more is a function/],
      ]
      for (const [header, message] of wrong) {
        await refused(corpus.sessions.create(header as never), 'CORRUPT_SESSION', message)
      }
      expect(corpus.sessions.list()).toEqual([])
    })

    contract.case('grow by one event at a time, which is there at once', async (corpus) => {
      const live = await corpus.sessions.create({ id: 'live' }, { persist: false })
      const first = append(live, 'turn/start', { turn: 1 })
      const second = append(live, 'user/message', userMessage('hello').data ?? null, {
        surfaceOp: 'append',
      })
      expect([first.seq, second.seq, live.length]).toEqual([0, 1, 2])
      expect(live.events).toEqual([first, second])
      const reading = corpus.readSession({ sessionId: 'live' })
      append(live, 'turn/end', {}, { ignorable: true })
      expect(await reading).toEqual({ session: live.header, events: [first, second] })
      expect(live.events[2]).toEqual({
        type: 'turn/end',
        seq: 2,
        time: expect.any(Number) as number,
        data: {},
        ignorable: true,
      })
    })

    contract.case('that close are read from where they are stored', async (corpus) => {
      const live = await corpus.sessions.create({ id: 'live', cwd: '/shop' })
      append(live, 'user/message', userMessage('hello').data ?? null, { surfaceOp: 'append' })
      const { header, events } = live
      await live.close()
      expect(corpus.sessions.list()).toEqual([])
      expect(await corpus.listSessions()).toEqual([{ header, live: false, persisted: true }])
      expect(await corpus.readSession({ sessionId: 'live' })).toEqual({ session: header, events })
      await live.close()
    })

    contract.case('that are not persisted are gone when they close', async (corpus) => {
      const live = await corpus.sessions.create({ id: 'live' }, { persist: false })
      append(live, 'turn/start', {})
      await live.flush()
      expect(await corpus.status()).toMatchObject({ sessions: 0, events: 0, live: 1 })
      await live.close()
      expect(await corpus.listSessions()).toEqual([])
      await refused(corpus.readEvent({ sessionId: 'live', seq: 0 }), 'SESSION_NOT_FOUND')
      expect(await corpus.sessions.create({ id: 'live' })).toMatchObject({ length: 0 })
    })

    contract.case('end with a scope', async (corpus) => {
      let kept: LiveSession
      {
        await using live = await corpus.sessions.create({ id: 'live' })
        kept = live
        append(live, 'turn/start', {})
      }
      expect(() => append(kept, 'turn/end', {})).toThrow(/closed/)
      expect(await corpus.listSessions()).toMatchObject([{ live: false, persisted: true }])
    })

    contract.case('that are closed take nothing more', async (corpus) => {
      const live = await corpus.sessions.create({ id: 'live' })
      const closing = live.close()
      expect(() => append(live, 'turn/start', {})).toThrow(
        expect.objectContaining({ code: 'SESSION_QUERY_WORKER_FAILED' }),
      )
      await closing
      expect(() => append(live, 'turn/start', {})).toThrow(
        expect.objectContaining({ code: 'SESSION_QUERY_WORKER_FAILED' }),
      )
      await refused(live.flush(), 'WORKER_FAILED', /"live" is closed/)
      expect((await corpus.readSession({ sessionId: 'live' })).events).toEqual([])
    })

    contract.case('hide their stored copies as long as they are open', async (corpus) => {
      await corpus.putSession(talk)
      const live = await corpus.sessions.resume('talk')
      expect(live.events).toEqual(talk.events)
      expect(live.header).toEqual(talk.header)
      append(live, 'session/title', { title: 'Later', messageSeqs: [], source: { kind: 'user' } })
      expect(await corpus.readTitle({ sessionId: 'talk' })).toMatchObject({
        title: 'Later',
        eventSeq: 4,
      })
      expect(await corpus.listSessions()).toEqual([
        { header: talk.header, live: true, persisted: true },
      ])
      await live.close()
      expect(await corpus.readTitle({ sessionId: 'talk' })).toMatchObject({
        title: 'Later',
        eventSeq: 4,
      })
      expect(await corpus.listSessions()).toEqual([
        { header: talk.header, live: false, persisted: true },
      ])
    })

    contract.case('are resumed as often as one likes, one after the other', async (corpus) => {
      for (let round = 0; round < 5; round += 1) {
        const live =
          round === 0
            ? await corpus.sessions.create({ id: 'live' })
            : await corpus.sessions.resume('live')
        expect(live.length).toBe(round * 2)
        append(live, 'turn/start', { turn: round })
        append(live, 'turn/end', { turn: round })
        await live.close()
      }
      const { events } = await corpus.readSession({ sessionId: 'live' })
      expect(events.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    })

    exclusion(contract)
    forks(contract)
  })
}

function exclusion(contract: Contract): void {
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

function forks(contract: Contract): void {
  for (const placement of ['stored', 'live', 'live and stored'] as const) {
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
