import { expect } from 'vitest'
import type { SessionCorpus } from '../../src/core/corpus.ts'
import type { SessionEvent } from '../../src/core/session.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import type { Contract } from './contract.ts'
import { append, compacted, talk, titled } from './logs.ts'
import { place, placements } from './placements.ts'

type Read = (corpus: SessionCorpus) => Promise<unknown>

const sessionId = 'compacted'

const reads: readonly (readonly [string, Read])[] = [
  ['listSessions', (corpus) => corpus.listSessions()],
  ['filterSessions', (corpus) => corpus.filterSessions({ filters: [] })],
  ['readSession', (corpus) => corpus.readSession({ sessionId })],
  ['readSurface', (corpus) => corpus.readSurface({ sessionId })],
  ['readTitle', (corpus) => corpus.readTitle({ sessionId })],
  ['readTitles', (corpus) => corpus.readTitles({ sessionIds: [sessionId] })],
  ['listEvents', (corpus) => corpus.listEvents({ sessionId })],
  ['filterEvents', (corpus) => corpus.filterEvents({ sessionId, filters: [] })],
  ['readEvent', (corpus) => corpus.readEvent({ sessionId, seq: 3, before: 9, after: 9 })],
  ['traceSession', (corpus) => corpus.traceSession({ sessionId })],
  ['traceEvent of a replaced event', (corpus) => corpus.traceEvent({ sessionId, seq: 0 })],
  ['traceEvent of a replacement', (corpus) => corpus.traceEvent({ sessionId, seq: 6 })],
  ['status', (corpus) => corpus.status()],
]

/** Nothing that is done to a result or to a request reaches the corpus, and the other way round. */
export function detachmentCases(contract: Contract): void {
  contract.topic('detachment', () => {
    for (const placement of placements) {
      for (const [name, read] of reads) {
        contract.case(`of what ${name} gives, for a session that is ${placement}`, async (corpus) => {
          const events = [...compacted.events, { ...titled('T'), seq: 9, time: 0 } as SessionEvent]
          await place(corpus, placement, { header: { ...compacted.header, more: { a: [1] } }, events })
          const result = await read(corpus)
          const before = textOf(result)
          spoil(result)
          expect(textOf(result)).not.toBe(before)
          for (const [, other] of reads) await other(corpus)
          expect(textOf(await read(corpus))).toBe(before)
        })
      }
    }

    contract.case('of a log that is stored', async (corpus) => {
      const given = structuredClone(compacted)
      const storing = corpus.putSession(given)
      spoil(given)
      await storing
      expect(await corpus.readSession({ sessionId })).toEqual({
        session: compacted.header,
        events: compacted.events,
      })
    })

    contract.case('of events that are appended', async (corpus) => {
      await corpus.putSession(session('s', []))
      const request = { sessionId: 's', events: structuredClone(talk.events) }
      const storing = corpus.appendEvents(request)
      spoil(request)
      await storing
      expect((await corpus.readSession({ sessionId: 's' })).events).toEqual(talk.events)
    })

    contract.case('of filters and requests, before anything is waited for', async (corpus) => {
      await place(corpus, 'stored', talk)
      await place(corpus, 'live', compacted)
      const filters = [{ kind: 'id' as const, values: ['talk', 'compacted'] }]
      const listing = corpus.filterSessions({ filters })
      spoil(filters)
      expect(await listing).toHaveLength(2)
      for (const id of ['talk', 'compacted']) {
        const texts = { sessionId: id, filters: [{ kind: 'seq' as const, from: 1, to: 2 }] }
        const scanning = corpus.filterEvents(texts)
        spoil(texts)
        expect((await scanning).map(({ seq }) => seq)).toEqual([1, 2])
        const window = { sessionId: id, seq: 1, before: 1 }
        const reading = corpus.readEvent(window)
        spoil(window)
        expect(await reading).toMatchObject({ startSeq: 0, endSeq: 1, session: { id } })
      }
      const titles = { sessionIds: ['compacted', 'talk'] }
      const reading = corpus.readTitles(titles)
      spoil(titles)
      expect((await reading).map((result) => result.status)).toEqual(['fulfilled', 'fulfilled'])
    })

    contract.case('of the header that a live session is given', async (corpus) => {
      const header = { id: 'live', cwd: '/shop', more: { a: [1] } }
      const opening = corpus.sessions.create(header)
      spoil(header)
      const live = await opening
      expect(live.header).toMatchObject({ id: 'live', cwd: '/shop', more: { a: [1] } })
    })

    contract.case('of what a live session is given and gives', async (corpus) => {
      const live = await corpus.sessions.create({ id: 'live', more: { a: [1] } })
      const { data } = userMessage('first')
      const given = structuredClone({ data: data ?? null, sources: [] as number[] })
      const event = append(live, 'assistant/x', given.data)
      spoil(given)
      const expected = { type: 'assistant/x', seq: 0, time: event.time, data }
      const list = live.events as SessionEvent[]
      expect(list).toEqual([expected])
      list.length = 0
      for (const held of [event, live.events[0], live.header]) {
        spoil(held)
        expect(isFrozen(held)).toBe(true)
      }
      expect(live.events).toEqual([expected])
      expect(live.length).toBe(1)
      expect((await corpus.readSession({ sessionId: 'live' })).events).toEqual([expected])
    })

    contract.case('of a result from what happens later', async (corpus) => {
      const live = await corpus.sessions.create({ id: 'live' })
      append(live, 'turn/start', {})
      const [log, list, events] = [
        await corpus.readSession({ sessionId: 'live' }),
        live.events,
        await corpus.listEvents({ sessionId: 'live' }),
      ]
      append(live, 'turn/end', {})
      expect([log.events.length, list.length, events.length]).toEqual([1, 1, 1])
    })
  })
}

/** All of a value but the sizes of files, which what goes on in the background changes too. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (key, part: unknown) =>
    key.endsWith('Bytes') && typeof part === 'number' ? 0 : part,
  )
}

/** Changes everything in a value that can be changed. */
function spoil(root: unknown): void {
  const seen = new Set<unknown>()
  const open = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null || seen.has(node) || node instanceof Error) continue
    seen.add(node)
    for (const key of Object.keys(node)) {
      open.push(Reflect.get(node, key))
      Reflect.set(node, key, 'spoiled')
    }
    Reflect.set(node, 'spoiled', true)
    if (Array.isArray(node) && !Object.isFrozen(node)) node.push('spoiled')
  }
}

function isFrozen(root: unknown): boolean {
  if (typeof root !== 'object' || root === null) return true
  return Object.isFrozen(root) && Object.values(root).every(isFrozen)
}
