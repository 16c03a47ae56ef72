import { expect, it } from 'vitest'
import { resolveOptions } from '../../src/core/options.ts'
import { createStore } from '../../src/sql/create-store.ts'
import { openMemoryCorpus } from '../../worker/in-process.ts'
import { loadSqlite, openMemoryDatabase } from '../../worker/sqlite.ts'
import { storeThread } from '../../worker/store-thread.ts'
import { session, userMessage } from '../fixtures/logs.ts'

const sqlite = await loadSqlite()

function open() {
  const [log, index] = [openMemoryDatabase(sqlite), openMemoryDatabase(sqlite)]
  const store = createStore({
    log,
    index,
    storage: { kind: 'memory' },
    options: resolveOptions({}),
    thread: storeThread(sqlite),
  })
  return { store, log, index }
}

const good = session('good', [userMessage('deploy the shop')], { cwd: '/shop' })

it('a word of any length harms neither its session nor others', async () => {
  await using corpus = await openMemoryCorpus()
  await corpus.putSession(good)
  await corpus.putSession(session('long', [userMessage(`${'w'.repeat(20_000_000)} shop`)]))
  expect((await corpus.searchSessions({ query: 'shop' })).items).toHaveLength(2)
  expect((await corpus.searchSessions({ query: 'w'.repeat(256) })).items).toHaveLength(1)
  expect((await corpus.status()).issues).toEqual([])
})

it.each([
  ['an event that is not JSON', `UPDATE events SET event = '{broken' WHERE session = 2`],
  ['an event that is not an object', `UPDATE events SET event = 'null' WHERE session = 2`],
])('%s spoils its own session alone', async (_name, damage) => {
  const { store, log } = open()
  await store.putSession(good)
  await store.putSession(session('bad', [userMessage('the shop')]))
  log.query(damage)
  const reopened = createStore({
    log,
    index: openMemoryDatabase(sqlite),
    storage: { kind: 'memory' },
    options: resolveOptions({}),
    thread: storeThread(sqlite),
  })
  expect(
    (await reopened.searchSessions({ query: 'shop' })).items.map((item) => item.header.id),
  ).toEqual(['good'])
  expect((await store.searchSessions({ query: 'shop' })).items.map((item) => item.header.id)).toEqual([
    'good',
  ])
  expect((await reopened.status()).issues).toEqual([
    { sessionId: 'bad', code: 'SESSION_QUERY_CORRUPT_SESSION' },
  ])
  await expect(reopened.readEvent({ sessionId: 'bad', seq: 0 })).rejects.toMatchObject({
    code: 'SESSION_QUERY_CORRUPT_SESSION',
    message: expect.stringContaining('seq 0'),
  })
  expect(await reopened.listSessions()).toHaveLength(2)
})

it('a damaged header leaves its session listed, by what is left of it', async () => {
  const { store, log } = open()
  await store.putSession(session('bad', [userMessage('the shop')], { cwd: '/a\u0000', origin: 'lost' }))
  await store.putSession(good)
  log.query(`UPDATE sessions SET header = '{broken' WHERE session = 1`)
  expect((await store.listSessions()).map(({ header }) => header)).toEqual([
    { version: 0, id: 'bad', createdAt: 1000, cwd: '/a\u0000' },
    good.header,
  ])
})

it('an index ahead of its log is brought back to it', async () => {
  const { store, log, index } = open()
  await store.putSession(session('cut', [userMessage('the shop'), userMessage('the market')]))
  log.query('DELETE FROM events WHERE seq = 1')
  log.query('UPDATE sessions SET length = 1')
  const options = resolveOptions({})
  const reopened = createStore({
    log,
    index,
    storage: { kind: 'memory' },
    options,
    thread: storeThread(sqlite),
  })
  expect((await reopened.searchEvents({ query: 'market' })).items).toEqual([])
  const again = { type: 'user/message', seq: 1, time: 5, ...userMessage('the harbour') } as const
  await reopened.appendEvents({ sessionId: 'cut', events: [again as never] })
  expect(
    (await reopened.searchEvents({ query: 'the' })).items.map((item) => item.snippet).toSorted(),
  ).toEqual(['the harbour', 'the shop'])
})

it.each<[string, () => Promise<unknown>, string, RegExp]>([
  [
    'an option that is none',
    () => openMemoryCorpus({ nmae: 'x' } as object),
    'INVALID_CONFIG',
    /nmae is not an option/,
  ],
  [
    'options that are none',
    () => openMemoryCorpus(null as never),
    'INVALID_CONFIG',
    /options are null/,
  ],
  [
    'a query without end',
    async () => (await openMemoryCorpus()).searchEvents({ query: 'a'.repeat(10_001) }),
    'INVALID_QUERY',
    /10001 characters/,
  ],
  [
    'a read of nothing',
    async () => (await openMemoryCorpus()).readEvent(undefined as never),
    'SESSION_NOT_FOUND',
    /undefined/,
  ],
  [
    'a signal that is none',
    async () => (await openMemoryCorpus()).listSessions({}, { signal: 5 as never }),
    'INVALID_CONFIG',
    /signal is 5/,
  ],
])('refuses %s', async (_name, call, code, message) => {
  await expect(call()).rejects.toMatchObject({
    code: `SESSION_QUERY_${code}`,
    message: expect.stringMatching(message),
  })
})
