import { expect } from 'vitest'
import type { LiveSession } from '../../src/core/corpus.ts'
import { userMessage } from '../fixtures/logs.ts'
import { refused, type Contract } from './contract.ts'
import { exclusionCases } from './live-exclusion.ts'
import { forkCases } from './live-forks.ts'
import { append, talk } from './logs.ts'

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

    exclusionCases(contract)
    forkCases(contract)
  })
}
