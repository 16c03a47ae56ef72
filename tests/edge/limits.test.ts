import { expect, it } from 'vitest'
import { openDurableCorpus, type DurableCorpus, type DurableStorage } from '../../src/edge/index.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { inObject } from './in-object.ts'

/** Runs something with the corpus of an object of its own. */
async function withCorpus(name: string, body: (corpus: DurableCorpus) => Promise<void>): Promise<void> {
  await inObject(name, async (storage) => {
    const corpus = openDurableCorpus(storage)
    await body(corpus)
    await corpus.close()
  })
}

/** A storage that tells how many UTF-16 units of text each statement gave. */
function watched(storage: DurableStorage, took: (units: number) => void): DurableStorage {
  return {
    transactionSync: (body) => storage.transactionSync(body),
    sql: {
      get databaseSize() {
        return storage.sql.databaseSize
      },
      exec(sql, ...values) {
        const rows = Array.from(storage.sql.exec(sql, ...values).raw())
        const texts = rows.flat().filter((value) => typeof value === 'string')
        took(texts.reduce((sum, { length }) => sum + length, 0))
        return { raw: () => rows }
      },
    },
  }
}

function nextTask(): Promise<undefined> {
  return new Promise((resume) => {
    setTimeout(() => resume(undefined))
  })
}

const [megabyte, long] = [1_000_000, 60_000]

it.each([1.9, 2.1, 10])(
  'an event of %d MB comes back to the last unit, and its words are found',
  async (size) => {
    // Characters of one to four bytes, half of one, and what ends texts elsewhere.
    const strange = 'Grüße, 東京 🚀 \u0000 \uD800 "quoted" \\ '
    const filler = 'plain words and more '
    const middle = strange.repeat(Math.ceil((size * megabyte) / 2 / strange.length))
    const text = `aardvark ${middle} walrus ${filler.repeat((size * megabyte) / 2 / filler.length)} zebra`
    const log = session('large', [userMessage('small'), userMessage(text), userMessage('after')])
    await withCorpus(`large ${size}`, async (corpus) => {
      await corpus.putSession(log)
      const { events } = await corpus.readSession({ sessionId: 'large' })
      expect(JSON.stringify(events) === JSON.stringify(log.events)).toBe(true)
      const { events: window } = await corpus.readEvent({ sessionId: 'large', seq: 1, after: 1 })
      expect(JSON.stringify(window) === JSON.stringify(log.events.slice(1))).toBe(true)
      for (const query of ['aardvark', 'walrus', 'zebra']) {
        const { items } = await corpus.searchEvents({ query })
        expect(items.map(({ seq }) => seq)).toEqual([1])
        expect(items[0]?.snippet).toContain(query)
      }
      // Words that stand in different pieces.
      const both = await corpus.searchEvents({ query: 'zebra aardvark', match: 'all' })
      expect(both.items.map(({ seq }) => seq)).toEqual([1])
      expect((await corpus.searchEvents({ query: 'zebra aardvark' })).items).toMatchObject([
        { seq: 1, matched: 'all' },
      ])
      expect(await corpus.putSession(log)).toMatchObject({ created: false, appended: 0 })
      expect((await corpus.status()).index).toEqual({ state: 'ready', documents: 3 })
      await corpus.deleteSession({ sessionId: 'large' })
      expect((await corpus.searchEvents({ query: 'zebra' })).items).toEqual([])
    })
  },
)

it('a header that is longer than a column comes back', async () => {
  const log = session('long', [userMessage('word')], { more: 'long '.repeat(megabyte) })
  await withCorpus('header', async (corpus) => {
    await corpus.putSession(log)
    expect(await corpus.readSession({ sessionId: 'long' })).toEqual({
      session: log.header,
      events: log.events,
    })
    expect(await corpus.listSessions()).toMatchObject([{ header: log.header }])
  })
})

it('10,000 ids in a filter, and 32,000 long ones, find what they name', async () => {
  await withCorpus('filters', async (corpus) => {
    for (const id of ['a', 'b', 'c']) await corpus.putSession(session(id, [userMessage('word')]))
    const ids = Array.from({ length: 10_000 }, (_, at) => `session-${at}`)
    const few = [{ kind: 'id' as const, values: [...ids, 'a', 'c'] }]
    expect((await corpus.filterSessions({ filters: few })).map(({ header }) => header.id)).toEqual(
      expect.arrayContaining(['a', 'c']),
    )
    const { items } = await corpus.searchSessions({ query: 'word', sessionFilters: few })
    expect(items).toHaveLength(2)
    const many = Array.from({ length: 31_999 }, (_, at) => `${at} ${'x'.repeat(200)}`)
    const values = [...many, 'b']
    expect(await corpus.filterSessions({ filters: [{ kind: 'id', values }] })).toMatchObject([
      { header: { id: 'b' } },
    ])
    const clauses = Array.from({ length: 300 }, (_, at) => ({
      kind: 'created-at' as const,
      from: at,
    }))
    expect(await corpus.filterSessions({ filters: clauses })).toHaveLength(3)
  })
})

it('large events are indexed a few at a time, and few of them are in memory at once', async () => {
  await inObject('many large', async (storage) => {
    const events = Array.from({ length: 40 }, (_, at) =>
      userMessage(`number${at} ${'x'.repeat(megabyte)}`),
    )
    await openDurableCorpus(storage).putSession(session('large', events))
    let most = 0
    const corpus = openDurableCorpus(watched(storage, (units) => (most = Math.max(most, units))))
    expect(await corpus.advanceIndex(500)).toBe(false)
    const { index } = await corpus.status()
    expect(index.progress?.eventsDone).toBeLessThan(4)
    expect((await corpus.searchEvents({ query: 'number39' })).items).toMatchObject([{ seq: 39 }])
    expect(await corpus.advanceIndex()).toBe(true)
    expect(most).toBeGreaterThan(megabyte)
    expect(most).toBeLessThan(4 * megabyte)
  })
})

it('a long session is indexed in slices, while reads are answered', async () => {
  await withCorpus('slices', async (corpus) => {
    const events = Array.from({ length: long }, (_, at) => userMessage(`event ${at % 700} of many`))
    await corpus.putSession(session('long', events))
    expect(await corpus.advanceIndex(10_000)).toBe(false)
    const { index } = await corpus.status()
    expect(index).toMatchObject({ state: 'building', documents: 10_000 })
    expect(index.progress).toEqual({ eventsDone: 10_000, eventsTotal: long })
    const search = corpus.searchEvents({ query: '699', limit: 100 })
    const found = search.then(({ items }) => items)
    let reads = 0
    while ((await Promise.race([found, nextTask()])) === undefined) {
      await corpus.readEvent({ sessionId: 'long', seq: reads })
      reads += 1
    }
    expect(await found).toHaveLength(Math.floor(long / 700))
    expect(reads).toBeGreaterThan(5)
    expect(await corpus.advanceIndex()).toBe(true)
  })
})
