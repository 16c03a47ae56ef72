import { expect } from 'vitest'
import { logOf, session } from '../fixtures/logs.ts'
import { refused, type Contract } from './contract.ts'
import { talk, titled } from './logs.ts'
import { place, placements } from './placements.ts'

/** readEvent. */
export function windowCases(contract: Contract): void {
  contract.topic('windows', () => {
    const ten = session(
      'ten',
      Array.from({ length: 10 }, (_, at) => ({ type: 'step/start', data: at })),
    )
    const windows: readonly [
      seq: number,
      before: number | undefined,
      after: number | undefined,
      from: number,
      to: number,
    ][] = [
      [4, undefined, undefined, 4, 4],
      [4, 0, 0, 4, 4],
      [4, 2, undefined, 2, 4],
      [4, undefined, 3, 4, 7],
      [4, 2, 3, 2, 7],
      [0, 5, 1, 0, 1],
      [9, 1, 5, 8, 9],
      [5, 50, 50, 0, 9],
    ]
    for (const placement of placements) {
      contract.case(
        `show an event between its neighbours, in a session that is ${placement}`,
        async (corpus) => {
          const { header, events } = await place(corpus, placement, ten)
          for (const [seq, before, after, startSeq, endSeq] of windows) {
            expect(await corpus.readEvent({ sessionId: 'ten', seq, before, after })).toEqual({
              session: header,
              target: events[seq],
              events: events.slice(startSeq, endSeq + 1),
              startSeq,
              endSeq,
            })
          }
        },
      )

      contract.case(
        `are refused past their bounds, in a session that is ${placement}`,
        async (corpus) => {
          await place(corpus, placement, talk)
          const wrong: readonly [Readonly<Record<string, unknown>>, RegExp][] = [
            [{ before: -1 }, /before is -1; it has to be a whole number from 0 to 50/],
            [{ after: 51 }, /after is 51/],
            [{ after: 0.5 }, /after is 0\.5/],
            [{ before: '1' }, /before is "1"/],
            [{ before: Number.NaN }, /before is/],
            [{ after: Infinity }, /after is/],
            [{ after: null }, /after is null/],
            [{ after: 2 ** 53 }, /after is 9007199254740992/],
          ]
          for (const [window, message] of wrong) {
            await refused(
              corpus.readEvent({ sessionId: 'talk', seq: 0, ...window }),
              'INVALID_WINDOW',
              message,
            )
          }
        },
      )

      contract.case(
        `show no event that is not there, in a session that is ${placement}`,
        async (corpus) => {
          await place(corpus, placement, talk)
          for (const seq of [4, -1, 0.5, '0', undefined, null, Number.NaN, Infinity, 2 ** 53]) {
            const request = { sessionId: 'talk', seq: seq as number }
            await refused(corpus.readEvent(request), 'EVENT_NOT_FOUND', /"talk".*seq 0 to 3/)
            await refused(corpus.traceEvent(request), 'EVENT_NOT_FOUND', /"talk".*seq 0 to 3/)
          }
          await place(corpus, placement, session('empty', []))
          await refused(corpus.readEvent({ sessionId: 'empty', seq: 0 }), 'EVENT_NOT_FOUND', /empty/)
        },
      )
    }

    contract.case('reach as far as the corpus was opened for', async () => {
      const corpus = await contract.open({ readWindowMax: 2 })
      for (const placement of placements) {
        await place(corpus, placement, { header: { ...ten.header, id: placement }, events: ten.events })
        const request = { sessionId: placement, seq: 5 }
        expect(await corpus.readEvent({ ...request, before: 2, after: 2 })).toMatchObject({
          startSeq: 3,
          endSeq: 7,
        })
        await refused(corpus.readEvent({ ...request, before: 3 }), 'INVALID_WINDOW', /from 0 to 2/)
      }
    })
  })
}

/** readTitle and readTitles. */
export function titleCases(contract: Contract): void {
  contract.topic('titles', () => {
    for (const placement of placements) {
      contract.case(
        `are the latest well-formed ones, of a session that is ${placement}`,
        async (corpus) => {
          const partial = [
            titled('First'),
            titled('Second'),
            {},
            titled(5),
            { type: 'session/title', data: null },
          ]
          const { events } = await place(corpus, placement, session('s', partial))
          expect(await corpus.readTitle({ sessionId: 's' })).toEqual({
            title: 'Second',
            messageSeqs: [1],
            source: { kind: 'user' },
            eventSeq: 1,
            updatedAt: events[1]?.time,
          })
        },
      )

      contract.case(
        `are undefined where there are none, in a session that is ${placement}`,
        async (corpus) => {
          await place(corpus, placement, session('mute', [{}, titled(null)]))
          expect(await corpus.readTitle({ sessionId: 'mute' })).toBeUndefined()
        },
      )
    }

    contract.case('are read together, each with its own fate', async (corpus) => {
      for (const placement of placements) {
        await place(corpus, placement, {
          header: { ...talk.header, id: placement },
          events: talk.events,
        })
      }
      await place(corpus, 'stored', session('mute', []))
      const sessionIds = ['live', 'none', 'stored', 'live', 'mute', 'live and stored', 'none']
      const results = await corpus.readTitles({ sessionIds })
      expect(results).toEqual([
        given('live'),
        {
          sessionId: 'none',
          status: 'rejected',
          error: expect.objectContaining({
            name: 'SessionQueryError',
            code: 'SESSION_QUERY_SESSION_NOT_FOUND',
            message: 'There is no session "none" in this corpus.',
          }),
        },
        given('stored'),
        {
          sessionId: 'mute',
          status: 'fulfilled',
          session: { version: 0, id: 'mute', createdAt: 1000 },
        },
        given('live and stored'),
      ])
      const [, missing] = results
      expect(missing?.status === 'rejected' && missing.error).toBeInstanceOf(Error)
      expect(await corpus.readTitles({ sessionIds: [] })).toEqual([])
    })

    contract.case('are not read for what is no list of ids', async (corpus) => {
      for (const sessionIds of [undefined, 'talk', [1], [null]]) {
        await refused(
          corpus.readTitles({ sessionIds: sessionIds as never }),
          'INVALID_FILTER',
          /sessionIds is/,
        )
      }
    })

    contract.case('of 10,000 sessions are read in one call', async (corpus) => {
      await place(corpus, 'stored', talk)
      await place(corpus, 'live', session('open', logOf([titled('Open')])))
      const sessionIds = ['open', ...Array.from({ length: 10_000 }, (_, at) => `none ${at}`), 'talk']
      const results = await corpus.readTitles({ sessionIds })
      expect(results.map(({ sessionId }) => sessionId)).toEqual(sessionIds)
      const found = results.filter(({ status }) => status === 'fulfilled')
      expect(found.map(({ sessionId }) => sessionId)).toEqual(['open', 'talk'])
    })
  })
}

/** The result for a session that is titled as `talk` is. */
function given(sessionId: string): object {
  return {
    sessionId,
    status: 'fulfilled',
    session: expect.objectContaining({ id: sessionId }),
    title: expect.objectContaining({ title: 'Deploying', eventSeq: 3 }),
  }
}
