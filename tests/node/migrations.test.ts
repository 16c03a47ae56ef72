import { expect, it } from 'vitest'
import { resolveOptions } from '../../src/core/options.ts'
import { createStore } from '../../src/sql/create-store.ts'
import type { SqlDatabase } from '../../src/sql/database.ts'
import { loadSqlite, openMemoryDatabase } from '../../worker/sqlite.ts'
import { storeThread } from '../../worker/store-thread.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { formerShapes, logs, makeFormer, odd, type Shape } from './former-logs.ts'
import { lasting } from './lasting.ts'

const sqlite = await loadSqlite()

const made = (shape: Shape): SqlDatabase => makeFormer(lasting(openMemoryDatabase(sqlite)), shape)

const [first] = formerShapes

const opened = (log: SqlDatabase) =>
  createStore({
    log,
    index: openMemoryDatabase(sqlite),
    storage: { kind: 'memory' },
    options: resolveOptions({}),
    thread: storeThread(sqlite),
  })

it.each(formerShapes)('a log of %s is read, searched and gone on with', async (...shape) => {
  const log = made(shape)
  const store = opened(log)
  for (const { header, events } of logs) {
    const read = await store.readLog({ sessionId: header.id })
    expect(JSON.stringify(read)).toBe(JSON.stringify({ header, events }))
  }
  const found = await store.searchEvents({ query: 'shop' })
  expect(found.items.map(({ sessionId }) => sessionId).toSorted()).toEqual([odd, 'plain'])
  const ids = async (filters: Parameters<typeof store.filterSessions>[0]['filters']) =>
    (await store.filterSessions({ filters })).map(({ header }) => header.id)
  expect(await ids([{ kind: 'cwd', values: ['/\ud83d'] }])).toEqual([odd])
  expect(await ids([{ kind: 'parent', values: ['plain'] }])).toEqual([odd])
  expect(await ids([{ kind: 'created-at', from: 1000 }])).toHaveLength(3)
  const timed = await store.filterEvents({ sessionId: odd, filters: [{ kind: 'time', from: 1001 }] })
  expect(timed.map(({ seq }) => seq)).toEqual([1])
  for (const known of logs) {
    expect(await store.putSession(known)).toMatchObject({ appended: 0 })
  }
  expect(await store.putSession(session('new', [userMessage('shop')]))).toMatchObject({ created: true })
  expect(log.query('SELECT version, identity FROM session_query')).toEqual([[2, 'abcdef']])
  expect(log.query('PRAGMA user_version')).toEqual([[2]])
  const names = log.query(`SELECT name FROM sqlite_schema WHERE name LIKE 'former%'`)
  expect(names).toEqual([])
})

it('numbers that sessions had are not given again', () => {
  const log = made(first)
  log.query('DELETE FROM sessions WHERE session > 1')
  opened(log)
  log.query(`INSERT INTO sessions (id, created_at, length, header) VALUES ('n', 0, 0, '{}')`)
  expect(log.query(`SELECT session FROM sessions WHERE id = 'n'`)).toEqual([[4]])
})

it('rows that are damaged stay as they are', async () => {
  const log = made(first)
  log.query(`UPDATE events SET event = '{broken' WHERE session = 1 AND seq = 1`)
  log.query(`UPDATE sessions SET header = 'broken' WHERE session = 3`)
  const store = opened(log)
  expect(log.query(`SELECT event FROM events WHERE event LIKE '{broken'`)).toHaveLength(1)
  expect((await store.listSessions()).map(({ header }) => header.id).toSorted()).toEqual([
    'empty',
    odd,
    'plain',
  ])
  expect((await store.readEvent({ sessionId: 'plain', seq: 0 })).target.seq).toBe(0)
})

it('what fails half-way leaves the log as it was', () => {
  const log = made(first)
  const dump = (): unknown =>
    ['sqlite_schema', 'sessions', 'events', 'session_query'].map((name) =>
      log.query(`SELECT * FROM ${name}`),
    )
  // Ids that are no text are the same to the new table, which refuses the second one.
  log.query(`INSERT INTO sessions (id, length, header) VALUES (7, 0, '{}'), (8, 0, '{}')`)
  const before = dump()
  expect(() => opened(log)).toThrow(
    expect.objectContaining({ code: 'SESSION_QUERY_PERSISTENCE_FAILED' }),
  )
  expect(dump()).toEqual(before)
})

it.each(formerShapes)('a log of %s that is of a newer version is left untouched', (...shape) => {
  const log = made(shape)
  log.query('UPDATE session_query SET version = 3')
  const before = log.query('SELECT * FROM sqlite_schema')
  expect(() => opened(log)).toThrow(/has format 3.*left as it is/)
  expect(log.query('SELECT * FROM sqlite_schema')).toEqual(before)
  expect(log.query('PRAGMA user_version')).toEqual([[1]])
})
