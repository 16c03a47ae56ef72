import { assert, asyncProperty, array, boolean, constantFrom, integer } from 'fast-check'
import { expect, it } from 'vitest'
import type { EventPage, SearchEventsRequest, SessionCorpus } from '../../src/core/corpus.ts'
import type { SessionLog } from '../../src/core/session.ts'
import { openMemoryCorpus } from '../../worker/in-process.ts'
import { loadSqlite, openMemoryDatabase } from '../../worker/sqlite.ts'
import { openHost } from '../edge-file/one-database.ts'
import { session, userMessage } from '../fixtures/logs.ts'

const sqlite = await loadSqlite()

/** Words of every kind that the index treats in its own way. */
const vocabulary = (
  'the how deploy deploying deployed shop shops error worker foldSurface session_query src/worker/open.ts ' +
  '東京 東京都 京都 🚀 🚀🔥 Straße don’t v1.2 a aa'
).split(' ')
const text = array(constantFrom(...vocabulary), { minLength: 1, maxLength: 12 })
const logs = array(array(text, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 })
const query = array(constantFrom(...vocabulary), { minLength: 1, maxLength: 4 })

async function filled(corpus: SessionCorpus, sessions: readonly SessionLog[]): Promise<SessionCorpus> {
  for (const log of sessions) await corpus.putSession(log)
  return corpus
}

function sessionsOf(texts: readonly (readonly (readonly string[])[])[]): SessionLog[] {
  return texts.map((events, at) =>
    session(
      `s${at}`,
      events.map((words) => userMessage(words.join(' '))),
    ),
  )
}

function placesIn({ items }: EventPage): unknown[] {
  return items.map(({ sessionId, seq, matched }) => [sessionId, seq, matched])
}

it('orders as it does where FTS5 calls a function of ours, whatever is asked', async () => {
  await assert(
    asyncProperty(
      logs,
      query,
      constantFrom('auto', 'any', 'all', 'phrase'),
      constantFrom('relevance', 'occurrences'),
      boolean(),
      async (texts, words, match, rank, prefixLast) => {
        const sessions = sessionsOf(texts)
        await using here = await filled(await openMemoryCorpus(), sessions)
        const { corpus } = openHost(openMemoryDatabase(sqlite), 100_000)
        await using there = await filled(corpus, sessions)
        const request: SearchEventsRequest = {
          query: words.join(' '),
          match,
          rank,
          limit: 100,
          ...(match === 'auto' ? { prefixLast } : {}),
        }
        const [wanted, found] = [await here.searchEvents(request), await there.searchEvents(request)]
        expect(placesIn(found)).toEqual(placesIn(wanted))
      },
    ),
    { numRuns: 150 },
  )
}, 120_000)

it('orders documents in pieces as it does whole ones, by their words', async () => {
  // What is made of several words is looked for in each piece by itself.
  const single = query.filter((words) => !words.includes('🚀🔥'))
  await assert(
    asyncProperty(
      array(array(text, { minLength: 5, maxLength: 40 }), { minLength: 1, maxLength: 5 }),
      single,
      constantFrom('any', 'all'),
      integer({ min: 240, max: 600 }),
      async (texts, words, match, longestText) => {
        const sessions = texts.map((parts, at) =>
          session(`s${at}`, [userMessage(parts.flat().join(' ')), userMessage('short')]),
        )
        await using here = await filled(await openMemoryCorpus(), sessions)
        const { corpus } = openHost(openMemoryDatabase(sqlite), longestText)
        await using there = await filled(corpus, sessions)
        const request: SearchEventsRequest = { query: words.join(' '), match, limit: 100 }
        const [wanted, found] = [await here.searchEvents(request), await there.searchEvents(request)]
        expect(placesIn(found)).toEqual(placesIn(wanted))
      },
    ),
    { numRuns: 80 },
  )
}, 120_000)
