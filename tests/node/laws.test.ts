import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { SessionCorpus } from '../../src/core/corpus.ts'
import { semanticText } from '../../src/core/document.ts'
import { eventPredicate, sessionPredicate } from '../../src/core/filter.ts'
import type { SessionLog } from '../../src/core/session.ts'
import { titleOf } from '../../src/core/title.ts'
import { openMemoryCorpus } from '../../worker/in-process.ts'
import { eventFilters, headers, logs, sessionFilters } from './generated.ts'

const corpus = await openMemoryCorpus()

afterAll(() => corpus.close())

/** Runs `body` on the corpus with these sessions alone. */
async function holding(
  sessions: readonly SessionLog[],
  body: (corpus: SessionCorpus) => Promise<void>,
): Promise<void> {
  for (const session of sessions) await corpus.putSession(session)
  try {
    await body(corpus)
  } finally {
    for (const live of corpus.sessions.list()) await live.close()
    for (const { header } of await corpus.listSessions())
      await corpus.deleteSession({ sessionId: header.id })
  }
}

describe('on any corpus', () => {
  it('session filters in SQL choose what the predicates choose', async () => {
    await fc.assert(
      fc.asyncProperty(headers, sessionFilters, fc.nat(), async (all, filters, open) => {
        await holding(
          all.map((header) => ({ header, events: [] })),
          async () => {
            const [opened] = all.slice(open % 8)
            if (opened !== undefined) await corpus.sessions.resume(opened.id)
            const records = await corpus.listSessions()
            expect(await corpus.filterSessions({ filters })).toEqual(
              records.filter(sessionPredicate(filters)),
            )
          },
        )
      }),
      { numRuns: 500 },
    )
  })

  it('event filters in SQL choose what the predicates choose', async () => {
    await fc.assert(
      fc.asyncProperty(logs, eventFilters, async (log, filters) => {
        await holding([log], async () => {
          const sessionId = log.header.id
          const passes = eventPredicate(filters)
          const texts = new Map(log.events.map((event) => [event.seq, semanticText(event)]))
          const expected = (await corpus.listEvents({ sessionId }))
            .map((record) => ({ ...record, text: texts.get(record.seq) ?? '' }))
            .filter((event) => event.text !== '' && passes(event))
          expect(await corpus.filterEvents({ sessionId, filters })).toEqual(expected)
          await corpus.sessions.resume(sessionId)
          expect(await corpus.filterEvents({ sessionId, filters })).toEqual(expected)
        })
      }),
      { numRuns: 500 },
    )
  })
})

describe('of any log', () => {
  const sessionId = 'log'

  it('a window is the slice around its target', async () => {
    await fc.assert(
      fc.asyncProperty(
        logs,
        fc.nat(11),
        fc.nat(50),
        fc.nat(50),
        fc.boolean(),
        async (log, seq, before, after, open) => {
          await holding([log], async () => {
            if (open) await corpus.sessions.resume(sessionId)
            const reading = corpus.readEvent({ sessionId, seq, before, after })
            if (seq >= log.events.length) {
              await expect(reading).rejects.toMatchObject({ code: 'SESSION_QUERY_EVENT_NOT_FOUND' })
              return
            }
            const window = await reading
            expect(window.target).toEqual(log.events[seq])
            expect(window.events).toEqual(
              log.events.filter((event) => event.seq >= seq - before && event.seq <= seq + after),
            )
            expect([window.startSeq, window.endSeq]).toEqual([
              window.events[0]?.seq,
              window.events.at(-1)?.seq,
            ])
            expect(window.endSeq - window.startSeq).toBe(window.events.length - 1)
          })
        },
      ),
    )
  })

  it('the title is that of the last event that gives one, and stays until the next', async () => {
    await fc.assert(
      fc.asyncProperty(logs, async (log) => {
        await holding([{ header: log.header, events: [] }], async () => {
          let expected: unknown
          for (const event of log.events) {
            await corpus.appendEvents({ sessionId, events: [event] })
            expected = titleOf(event) ?? expected
            expect(await corpus.readTitle({ sessionId })).toEqual(expected)
          }
          await corpus.sessions.resume(sessionId)
          expect(await corpus.readTitle({ sessionId })).toEqual(expected)
          const [result] = await corpus.readTitles({ sessionIds: [sessionId, sessionId] })
          expect(result).toEqual({
            sessionId,
            status: 'fulfilled',
            session: log.header,
            ...(expected === undefined ? {} : { title: expected }),
          })
        })
      }),
    )
  })

  it('the surface is made of the current events, and every event that was removed names its replacer', async () => {
    await fc.assert(
      fc.asyncProperty(logs, async (log) => {
        await holding([log], async () => {
          const records = await corpus.listEvents({ sessionId })
          const current = records.filter(({ surface }) => surface === 'current').map(({ seq }) => seq)
          const { events } = await corpus.readSurface({ sessionId })
          expect(events.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(current)
          for (const { seq, surface } of records) {
            const trace = await corpus.traceEvent({ sessionId, seq })
            expect(trace.replacedBy !== undefined).toBe(surface === 'shadowed')
            expect(trace.replacementChain[0]).toBe(trace.replacedBy)
            for (const removed of trace.replacedEventSeqs) {
              expect((await corpus.traceEvent({ sessionId, seq: removed })).replacedBy).toBe(seq)
            }
            for (const source of trace.sourceEventSeqs) {
              expect((await corpus.traceEvent({ sessionId, seq: source })).derivedEventSeqs).toContain(
                seq,
              )
            }
          }
        })
      }),
    )
  })

  it('appending to a live session refuses what storing refuses', async () => {
    const operations = fc.oneof(
      fc.constantFrom('append', undefined, null),
      fc.record({ op: fc.constant('replace'), start: fc.nat(4), end: fc.nat(4) }),
    )
    const attempt = fc.record({
      type: fc.constantFrom('user/message', 'assistant/message', 'tool/result', 'of/another'),
      surfaceOp: operations,
      sourceEventSeqs: fc.option(fc.array(fc.nat(4), { maxLength: 4 }), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(attempt, { maxLength: 8 }), async (attempts) => {
        await holding(
          [{ header: { version: 0, id: 'stored', createdAt: 0 }, events: [] }],
          async () => {
            const live = await corpus.sessions.create({ id: 'live' }, { persist: false })
            for (const { type, surfaceOp, sourceEventSeqs } of attempts) {
              const taken = resultOf(() =>
                live.append(type, {}, { surfaceOp: surfaceOp as never, sourceEventSeqs }),
              )
              const given = {
                ...(surfaceOp === undefined ? {} : { surfaceOp }),
                ...(sourceEventSeqs === undefined ? {} : { sourceEventSeqs }),
              }
              const event = {
                type,
                seq: live.length - (taken === 'taken' ? 1 : 0),
                time: 0,
                data: {},
                ...given,
              }
              const stored = await corpus
                .appendEvents({ sessionId: 'stored', events: [event as never] })
                .then(
                  () => 'taken',
                  (error: { message: string }) => error.message,
                )
              expect(taken).toBe(stored)
            }
          },
        )
      }),
      { numRuns: 300 },
    )
  })
})

function resultOf(body: () => unknown): string {
  try {
    body()
    return 'taken'
  } catch (error) {
    return (error as Error).message
  }
}
