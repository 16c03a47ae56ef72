import { expect } from 'vitest'
import type { CallOptions, SessionCorpus } from '../../src/core/corpus.ts'
import { refused, type Contract } from './contract.ts'
import { compacted, talk } from './logs.ts'
import { place } from './placements.ts'
import { session } from '../fixtures/logs.ts'

type Call = (corpus: SessionCorpus, sessionId: string, options: CallOptions) => Promise<unknown>

const reads: readonly (readonly [string, Call])[] = [
  ['listSessions', (corpus, _id, options) => corpus.listSessions({}, options)],
  ['filterSessions', (corpus, _id, options) => corpus.filterSessions({ filters: [] }, options)],
  ['readSession', (corpus, sessionId, options) => corpus.readSession({ sessionId }, options)],
  ['readSurface', (corpus, sessionId, options) => corpus.readSurface({ sessionId }, options)],
  ['readTitle', (corpus, sessionId, options) => corpus.readTitle({ sessionId }, options)],
  [
    'readTitles',
    (corpus, sessionId, options) => corpus.readTitles({ sessionIds: [sessionId] }, options),
  ],
  ['listEvents', (corpus, sessionId, options) => corpus.listEvents({ sessionId }, options)],
  [
    'filterEvents',
    (corpus, sessionId, options) => corpus.filterEvents({ sessionId, filters: [] }, options),
  ],
  ['readEvent', (corpus, sessionId, options) => corpus.readEvent({ sessionId, seq: 0 }, options)],
  ['traceSession', (corpus, sessionId, options) => corpus.traceSession({ sessionId }, options)],
  ['traceEvent', (corpus, sessionId, options) => corpus.traceEvent({ sessionId, seq: 0 }, options)],
  ['searchSessions', (corpus, _id, options) => corpus.searchSessions({ query: 'shop' }, options)],
  ['searchEvents', (corpus, _id, options) => corpus.searchEvents({ query: 'shop' }, options)],
  ['status', (corpus, _id, options) => corpus.status({}, options)],
]

const writes: readonly (readonly [string, Call])[] = [
  ['putSession', (corpus, _id, options) => corpus.putSession(session('new', [{}]), options)],
  [
    'appendEvents',
    (corpus, sessionId, options) =>
      corpus.appendEvents({ sessionId, events: compacted.events }, options),
  ],
  ['deleteSession', (corpus, sessionId, options) => corpus.deleteSession({ sessionId }, options)],
]

/** What an aborted call rejects with, and that nothing comes of it. */
export function abortCases(contract: Contract): void {
  contract.topic('abort', () => {
    contract.case(
      'before a call rejects it with the very reason, and nothing is done',
      async (corpus) => {
        await place(corpus, 'stored', talk)
        await place(corpus, 'live', compacted)
        const before = await corpus.listSessions()
        const reason = { mine: true }
        const signal = AbortSignal.abort(reason)
        for (const [name, call] of [...reads, ...writes]) {
          for (const id of ['talk', 'compacted', 'none']) {
            await expect(call(corpus, id, { signal }), name).rejects.toBe(reason)
          }
        }
        expect(await corpus.listSessions()).toEqual(before)
        expect((await corpus.readSession({ sessionId: 'talk' })).events).toEqual(talk.events)
      },
    )

    contract.case('is judged before the request', async (corpus) => {
      const reason = new Error('enough')
      const options = { signal: AbortSignal.abort(reason) }
      await expect(corpus.filterSessions(undefined as never, options)).rejects.toBe(reason)
      await expect(corpus.readEvent(undefined as never, options)).rejects.toBe(reason)
      await expect(corpus.putSession(undefined as never, options)).rejects.toBe(reason)
      await expect(corpus.searchEvents(undefined as never, options)).rejects.toBe(reason)
    })

    contract.case('without a reason of its own has the signal’s, or a code', async (corpus) => {
      const signal = AbortSignal.abort()
      await expect(corpus.listSessions({}, { signal })).rejects.toBe(signal.reason)
      await refused(corpus.listSessions({}, { signal: AbortSignal.abort(null) }), 'ABORTED')
    })

    for (const [name, call] of [...reads, ...writes.slice(0, 1)]) {
      contract.case(
        `during ${name} of what is stored rejects it with the very reason`,
        async (corpus) => {
          await place(corpus, 'stored', talk)
          const reason = { mine: true }
          const controller = new AbortController()
          const calling = call(corpus, 'talk', { signal: controller.signal })
          controller.abort(reason)
          await expect(calling).rejects.toBe(reason)
          expect((await corpus.listSessions()).map(({ header }) => header.id)).toEqual(['talk'])
          expect((await corpus.readSession({ sessionId: 'talk' })).events).toEqual(talk.events)
        },
      )
    }

    contract.case('after a call changes nothing', async (corpus) => {
      const controller = new AbortController()
      await corpus.putSession(talk, { signal: controller.signal })
      controller.abort()
      expect(await corpus.listSessions()).toHaveLength(1)
    })
  })
}

/** The cases that need a call to take a while. */
export const abortsDuring: readonly string[] = [...reads, ...writes.slice(0, 1)].map(
  ([name]) => `abort: during ${name} of what is stored rejects it with the very reason`,
)
