import { expect } from 'vitest'
import type { SessionCorpus } from '../../src/core/corpus.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { refused, type Contract } from './contract.ts'
import { compacted, replacing, talk } from './logs.ts'
import { flags, place, placements } from './placements.ts'

/** Lists, whole logs and surfaces. */
export function readCases(contract: Contract): void {
  contract.topic('reads', () => {
    contract.case('list nothing of an empty corpus', async (corpus) => {
      expect(await corpus.listSessions()).toEqual([])
      expect(await corpus.listSessions({})).toEqual([])
    })

    contract.case('list the newest first, then by code point, wherever they are', async (corpus) => {
      const sessions = [
        ['b', 1, 'stored'],
        ['🚀', 2, 'live'],
        ['\uFF01', 2, 'stored'],
        ['a', 2, 'live and stored'],
        ['B', 2, 'stored'],
        ['c', 3, 'live'],
      ] as const
      for (const [id, createdAt, placement] of sessions) {
        await place(corpus, placement, session(id, [], { createdAt }))
      }
      const ids = (await corpus.listSessions()).map((record) => record.header.id)
      expect(ids).toEqual(['c', 'B', 'a', '\uFF01', '🚀', 'b'])
    })

    for (const placement of placements) ofPlacement(contract, placement)

    contract.case('know no session that is not there', async (corpus) => {
      const missing = /^There is no session "none" in this corpus\.$/
      await Promise.all([
        ...readsOf(corpus, 'none').map((read) => refused(read, 'SESSION_NOT_FOUND', missing)),
        ...readsOf(corpus, 7).map((read) => refused(read, 'SESSION_NOT_FOUND', /session 7 .*string/)),
      ])
      await refused(corpus.readSession(undefined as never), 'SESSION_NOT_FOUND')
      await refused(corpus.readEvent(null as never), 'SESSION_NOT_FOUND')
    })
  })
}

function ofPlacement(contract: Contract, placement: (typeof placements)[number]): void {
  contract.case(`list a session that is ${placement}`, async (corpus) => {
    const { header } = await place(
      corpus,
      placement,
      session('s', [{}], { cwd: '/shop', future: { kept: [1] } }),
    )
    expect(await corpus.listSessions()).toEqual([{ header, ...flags(placement) }])
  })

  contract.case(`give the whole log of a session that is ${placement}`, async (corpus) => {
    const { header, events } = await place(corpus, placement, talk)
    expect(await corpus.readSession({ sessionId: 'talk' })).toEqual({ session: header, events })
  })

  contract.case(`give the surface of a session that is ${placement}`, async (corpus) => {
    const { header, events } = await place(corpus, placement, compacted)
    expect(await corpus.readSurface({ sessionId: 'compacted' })).toEqual({
      session: header,
      capturedThroughSeq: 8,
      events: [events[6], events[5], events[8]],
    })
  })

  contract.case(`give an empty log that is ${placement}`, async (corpus) => {
    const { header } = await place(corpus, placement, session('empty', []))
    const sessionId = 'empty'
    expect(await corpus.readSession({ sessionId })).toEqual({ session: header, events: [] })
    expect(await corpus.readSurface({ sessionId })).toEqual({
      session: header,
      capturedThroughSeq: null,
      events: [],
    })
    expect(await corpus.listEvents({ sessionId })).toEqual([])
    expect(await corpus.filterEvents({ sessionId, filters: [] })).toEqual([])
    expect(await corpus.readTitle({ sessionId })).toBeUndefined()
  })

  contract.case(
    `list the events of a session that is ${placement}, with their surface`,
    async (corpus) => {
      const { events } = await place(corpus, placement, compacted)
      const listed = await corpus.listEvents({ sessionId: 'compacted' })
      const states = [
        'shadowed',
        'shadowed',
        'log-only',
        'shadowed',
        'shadowed',
        'current',
        'current',
        'log-only',
        'current',
      ]
      expect(listed).toEqual(
        events.map(({ seq, type, time }, at) => ({
          sessionId: 'compacted',
          seq,
          type,
          time,
          surface: states[at],
        })),
      )
    },
  )

  contract.case(`give the texts of a session that is ${placement}`, async (corpus) => {
    await place(corpus, placement, compacted)
    const found = await corpus.filterEvents({ sessionId: 'compacted', filters: [] })
    expect(found.map(({ seq, text }) => [seq, text])).toEqual([
      [0, 'one'],
      [1, 'two'],
      [2, 'look\n{"at": 1}'],
      [3, 'a long result'],
      [4, 'two, shorter'],
      [5, 'a result'],
      [6, 'one and two'],
      [7, 'error\nlost'],
      [8, 'three'],
    ])
    expect(found[1]).toEqual({
      sessionId: 'compacted',
      seq: 1,
      type: 'assistant/message',
      time: 1001,
      surface: 'shadowed',
      text: 'two',
    })
  })

  contract.case(
    `do not pass off as a message what is none, in a session that is ${placement}`,
    async (corpus) => {
      const broken = { ...userMessage(''), data: { text: 'an old shape' } }
      await place(corpus, placement, session('broken', [broken, userMessage('fine')]))
      const sessionId = 'broken'
      await refused(corpus.readSession({ sessionId }), 'CORRUPT_SESSION', /seq 0 .*"broken"/)
      await refused(corpus.readSurface({ sessionId }), 'CORRUPT_SESSION', /seq 0/)
      expect((await corpus.readEvent({ sessionId, seq: 0 })).target.data).toEqual({
        text: 'an old shape',
      })
      expect(await corpus.listEvents({ sessionId })).toHaveLength(2)
      expect(await corpus.filterEvents({ sessionId, filters: [] })).toMatchObject([
        { seq: 1, text: 'fine' },
      ])
      expect(await corpus.traceEvent({ sessionId, seq: 0 })).toMatchObject({
        target: { surface: 'current' },
      })
      expect((await corpus.listSessions()).map(({ header }) => header.id)).toEqual([sessionId])
    },
  )

  contract.case(
    `give a surface from which the broken message is gone, of a session that is ${placement}`,
    async (corpus) => {
      const broken = { ...userMessage(''), data: null }
      await place(
        corpus,
        placement,
        session('mended', [broken, userMessage('fine', replacing(0, 0, [0]))]),
      )
      expect((await corpus.readSurface({ sessionId: 'mended' })).events.map(({ seq }) => seq)).toEqual([
        1,
      ])
      await refused(corpus.readSession({ sessionId: 'mended' }), 'CORRUPT_SESSION')
    },
  )
}

/** Every read of one session. */
function readsOf(corpus: SessionCorpus, id: unknown): Promise<unknown>[] {
  const sessionId = id as string
  return [
    corpus.readSession({ sessionId }),
    corpus.readSurface({ sessionId }),
    corpus.readTitle({ sessionId }),
    corpus.listEvents({ sessionId }),
    corpus.filterEvents({ sessionId, filters: [] }),
    corpus.readEvent({ sessionId, seq: 0 }),
    corpus.traceSession({ sessionId }),
    corpus.traceEvent({ sessionId, seq: 0 }),
  ]
}
