import { expect } from 'vitest'
import type { SessionCorpus } from '../../src/core/corpus.ts'
import type { SessionEvent, SessionHeader } from '../../src/core/session.ts'
import { logOf, session, userMessage } from '../fixtures/logs.ts'
import { refused, type Contract, type ShortCode } from './contract.ts'
import { talk } from './logs.ts'

const event = (seq: number): SessionEvent => ({ type: 'turn/start', seq, time: 0, data: {} })

/** putSession, appendEvents and deleteSession. */
export function writeCases(contract: Contract): void {
  contract.topic('writes', () => {
    contract.case('add a session, and change nothing the second time', async (corpus) => {
      const result = { sessionId: 'talk', created: true, appended: 4, length: 4 }
      expect(await corpus.putSession(talk)).toEqual(result)
      expect(await corpus.putSession(talk)).toEqual({ ...result, created: false, appended: 0 })
      expect((await corpus.searchEvents({ query: 'shop' })).items).toHaveLength(2)
    })

    contract.case('add a session without events', async (corpus) => {
      const empty = session('empty', [])
      expect(await corpus.putSession(empty)).toMatchObject({ created: true, appended: 0, length: 0 })
      expect(await corpus.putSession(empty)).toMatchObject({ created: false, appended: 0, length: 0 })
    })

    contract.case(
      'continue a stored log by a longer one, and leave it for a shorter',
      async (corpus) => {
        await corpus.putSession({ ...talk, events: talk.events.slice(0, 2) })
        expect(await corpus.putSession(talk)).toMatchObject({ created: false, appended: 2, length: 4 })
        expect(await corpus.putSession({ ...talk, events: [] })).toMatchObject({
          appended: 0,
          length: 4,
        })
        expect((await corpus.readSession({ sessionId: 'talk' })).events).toEqual(talk.events)
      },
    )

    contract.case('take undefined fields of a header for absent ones', async (corpus) => {
      await corpus.putSession(session('s', [], { cwd: undefined as never, origin: 'o' }))
      const [record] = await corpus.listSessions()
      expect(Object.keys(record?.header ?? {})).toEqual(['version', 'id', 'createdAt', 'origin'])
    })

    contract.case('recognise appended events by their seq', async (corpus) => {
      await corpus.putSession(talk)
      const events = logOf([...talk.events, userMessage('Thanks')]).slice(2)
      const append = { sessionId: 'talk', events }
      expect(await corpus.appendEvents(append)).toMatchObject({ appended: 1, length: 5 })
      expect(await corpus.appendEvents(append)).toMatchObject({ appended: 0, length: 5 })
      expect(await corpus.appendEvents({ sessionId: 'talk', events: [] })).toMatchObject({ length: 5 })
    })

    contract.case('take all of a batch or nothing', async (corpus) => {
      await corpus.putSession(talk)
      const events = [event(4), event(5), { ...event(6), surfaceOp: 'append' as const }]
      await refused(corpus.appendEvents({ sessionId: 'talk', events }), 'INVALID_SURFACE', /seq 6/)
      const append = { sessionId: 'talk', events: [event(4)] }
      expect(await corpus.appendEvents(append)).toMatchObject({ length: 5 })
    })

    contract.case('of calls that are not waited for happen in their order', async (corpus) => {
      const events = logOf(Array.from({ length: 50 }, () => ({})))
      const calls = events.map((one) => corpus.appendEvents({ sessionId: 'many', events: [one] }))
      await Promise.allSettled(calls)
      await refused(corpus.readSession({ sessionId: 'many' }), 'SESSION_NOT_FOUND')
      const put = corpus.putSession(session('many', []))
      await Promise.all([
        put,
        ...events.map((one) => corpus.appendEvents({ sessionId: 'many', events: [one] })),
      ])
      expect((await corpus.readSession({ sessionId: 'many' })).events).toEqual(events)
    })

    contract.case('delete a session with all that search knows of it', async (corpus) => {
      await corpus.putSession(talk)
      expect(await corpus.deleteSession({ sessionId: 'talk' })).toBeUndefined()
      expect(await corpus.listSessions()).toEqual([])
      expect((await corpus.searchSessions({ query: 'shop' })).items).toEqual([])
      const again = corpus.deleteSession({ sessionId: 'talk' })
      await refused(again, 'SESSION_NOT_FOUND', /^There is no session "talk" in this corpus\.$/)
      expect(await corpus.putSession(talk)).toMatchObject({ created: true })
    })

    contract.case('keep apart ids that are hard to tell apart', async (corpus) => {
      const ids = [
        '\ud800',
        '\ud801',
        'a\u0000b',
        'a\u0000c',
        'a',
        'A',
        'a ',
        '\uFFFD',
        '\uFFFF',
        'é',
        'e\u0301',
      ]
      for (const id of ids)
        await corpus.putSession(session(id, [userMessage(`of ${JSON.stringify(id)}`)]))
      for (const id of ids) {
        const { session: header, events } = await corpus.readSession({ sessionId: id })
        expect(header.id).toBe(id)
        expect(events).toEqual(logOf([userMessage(`of ${JSON.stringify(id)}`)]))
      }
    })

    refusals(contract)
    identity(contract)
  })
}

function refusals(contract: Contract): void {
  const writes: readonly [string, (corpus: SessionCorpus) => Promise<unknown>, ShortCode, RegExp][] = [
    [
      'another event',
      (c) => c.putSession(session('talk', [{ type: 'turn/end' }])),
      'SOURCE_CONFLICT',
      /seq 0/,
    ],
    [
      'a log that parts from the stored one',
      (c) => c.putSession({ ...talk, events: [...talk.events.slice(0, 3), event(3), event(4)] }),
      'SOURCE_CONFLICT',
      /seq 3/,
    ],
    [
      'a gap',
      (c) => c.appendEvents({ sessionId: 'talk', events: [event(9)] }),
      'INVALID_SURFACE',
      /seq 9.*seq 4/,
    ],
    [
      'a log that does not fold',
      (c) => c.putSession(session('new', [{ type: 'user/message' }])),
      'INVALID_SURFACE',
      /user\/message/,
    ],
    [
      'an unknown session',
      (c) => c.appendEvents({ sessionId: 'none', events: [] }),
      'SESSION_NOT_FOUND',
      /"none"/,
    ],
    [
      'what is lossy',
      (c) => c.putSession(session('new', [{ data: Number.NaN }])),
      'CORRUPT_SESSION',
      /NaN/,
    ],
    [
      'an event without data',
      (c) => c.putSession({ ...session('new', []), events: [{ type: 'x', seq: 0, time: 0 } as never] }),
      'CORRUPT_SESSION',
      /data/,
    ],
    [
      'an event without type',
      (c) => c.putSession(session('new', [{ type: '' }])),
      'CORRUPT_SESSION',
      /type is ""/,
    ],
    [
      'a time that is text',
      (c) => c.putSession(session('new', [{ time: '1' as never }])),
      'CORRUPT_SESSION',
      /time is "1"/,
    ],
    [
      'a header of another version',
      (c) => c.putSession(session('new', [], { version: 7 })),
      'CORRUPT_SESSION',
      /version is 7/,
    ],
    ['a header without id', (c) => c.putSession(session('', [])), 'CORRUPT_SESSION', /id is ""/],
    [
      'a header with a time of its own kind',
      (c) => c.putSession(session('new', [], { createdAt: -1 })),
      'CORRUPT_SESSION',
      /createdAt is -1/,
    ],
    [
      'a workspace that is no text',
      (c) => c.putSession(session('new', [], { cwd: 5 as never })),
      'CORRUPT_SESSION',
      /cwd is 5/,
    ],
    ['no request at all', (c) => c.putSession(undefined as never), 'CORRUPT_SESSION', /header/],
    [
      'events that are no list',
      (c) => c.appendEvents({ sessionId: 'talk', events: 5 as never }),
      'CORRUPT_SESSION',
      /events is 5/,
    ],
  ]
  for (const [name, write, code, message] of writes) {
    contract.case(`refuse ${name} and store nothing of it`, async (corpus) => {
      await corpus.putSession(talk)
      await refused(write(corpus), code, message)
      expect(await corpus.status()).toMatchObject({ sessions: 1, events: 4 })
      expect((await corpus.readSession({ sessionId: 'talk' })).events).toEqual(talk.events)
    })
  }
}

function identity(contract: Contract): void {
  const full: Partial<SessionHeader> = {
    cwd: '/shop',
    parentSession: 'p',
    seedLength: 2,
    delegationDepth: 1,
  }
  const others: readonly Partial<SessionHeader>[] = [
    { createdAt: 5 },
    { cwd: '/shop/' },
    { parentSession: 'q' },
    { seedLength: 3 },
    { delegationDepth: 2 },
  ]
  for (const other of others) {
    contract.case(
      `refuse a log whose header differs in ${Object.keys(other).join()}`,
      async (corpus) => {
        await corpus.putSession(session('s', [{}], full))
        await refused(
          corpus.putSession(session('s', [{}, {}], { ...full, ...other })),
          'SOURCE_CONFLICT',
          /header/,
        )
        expect((await corpus.readSession({ sessionId: 's' })).events).toHaveLength(1)
      },
    )
  }

  contract.case(
    'take a header that differs in what tells no sessions apart, and keep the first',
    async (corpus) => {
      const first = session('s', [{}], { origin: 'one' })
      await corpus.putSession(first)
      const second = session('s', [{}, {}], { origin: 'two', delegationDepth: 0 })
      expect(await corpus.putSession(second)).toMatchObject({ created: false, appended: 1 })
      expect((await corpus.listSessions()).map(({ header }) => header)).toEqual([first.header])
    },
  )
}
