import { expect, it } from 'vitest'
import { resolveOptions } from '../../src/core/options.ts'
import type { SessionLog } from '../../src/core/session.ts'
import { createStore } from '../../src/sql/create-store.ts'
import type { SqlDatabase, SqlValue } from '../../src/sql/database.ts'
import { loadSqlite, openMemoryDatabase } from '../../worker/sqlite.ts'
import { storeThread } from '../../worker/store-thread.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { lasting } from './lasting.ts'

const sqlite = await loadSqlite()

// The statements are frozen as they once were: what they made is out there.
const mark = [
  'CREATE TABLE session_query (application TEXT, version INTEGER, identity TEXT) STRICT',
  `INSERT INTO session_query VALUES ('session-query/log', 1, 'abcdef')`,
  'PRAGMA application_id = 1397836903',
  'PRAGMA user_version = 1',
]

const indexes = [
  'CREATE INDEX events_by_seq ON events (session, seq)',
  `CREATE INDEX titles ON events (session, id) WHERE type = 'session/title'`,
]

/** Version 1 as it was first: keys of any kind, nothing to filter by. */
const firstShape = [
  ...mark,
  `CREATE TABLE sessions (
      session INTEGER PRIMARY KEY AUTOINCREMENT,
      id ANY NOT NULL UNIQUE,
      length INTEGER NOT NULL,
      header TEXT NOT NULL
    ) STRICT`,
  `CREATE TABLE events (
      id INTEGER PRIMARY KEY,
      session INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      type ANY NOT NULL,
      event TEXT NOT NULL
    ) STRICT`,
  ...indexes,
]

/** Version 1 as it was then. */
const secondShape = [
  ...mark,
  `CREATE TABLE sessions (
      session INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      created_at REAL NOT NULL,
      cwd TEXT,
      parent TEXT,
      length INTEGER NOT NULL,
      header TEXT NOT NULL
    ) STRICT`,
  `CREATE TABLE events (
      id INTEGER PRIMARY KEY,
      session INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      type TEXT NOT NULL,
      time REAL NOT NULL,
      event TEXT NOT NULL
    ) STRICT`,
  ...indexes,
]

const odd = 'odd\u0000\ud800'
const logs: readonly SessionLog[] = [
  session(
    'plain',
    [userMessage('deploy the shop'), { type: 'x/y', data: { z: 1, 10: 2, lone: '\udfff\u0000' } }],
    { cwd: '/shop', origin: 'here' },
  ),
  session(odd, [{ type: `kind\u0000`, data: 0 }, userMessage('another shop')], {
    cwd: '/\ud83d',
    parentSession: 'plain',
  }),
  session('empty', []),
]

function oldKey(text: string): SqlValue {
  if (!/[\0\p{Surrogate}]/u.test(text)) return text
  return Uint8Array.from(
    Array.from({ length: text.length * 2 }, (_, at) => {
      const unit = text.charCodeAt(at >> 1)
      return at % 2 === 0 ? unit >> 8 : unit & 0xff
    }),
  )
}

function newKey(text: string): string {
  return /[\0\p{Surrogate}]/u.test(text) ? `\uffff${JSON.stringify(text)}` : text
}

function fillFirstShape(db: SqlDatabase): void {
  for (const { header, events } of logs) {
    const [row] = db.query(
      'INSERT INTO sessions (id, length, header) VALUES (?1, ?2, ?3) RETURNING session',
      [oldKey(header.id), events.length, JSON.stringify(header)],
    )
    for (const event of events) {
      db.query('INSERT INTO events (session, seq, type, event) VALUES (?1, ?2, ?3, ?4)', [
        row?.[0] ?? null,
        event.seq,
        oldKey(event.type),
        JSON.stringify(event),
      ])
    }
  }
}

function fillSecondShape(db: SqlDatabase): void {
  for (const { header, events } of logs) {
    const { id, createdAt, cwd, parentSession } = header
    const [row] = db.query(
      'INSERT INTO sessions (id, created_at, cwd, parent, length, header) VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING session',
      [
        newKey(id),
        createdAt,
        cwd === undefined ? null : newKey(cwd),
        parentSession === undefined ? null : newKey(parentSession),
        events.length,
        JSON.stringify(header),
      ],
    )
    for (const event of events) {
      db.query('INSERT INTO events (session, seq, type, time, event) VALUES (?1, ?2, ?3, ?4, ?5)', [
        row?.[0] ?? null,
        event.seq,
        newKey(event.type),
        event.time,
        JSON.stringify(event),
      ])
    }
  }
}

const shapes: readonly (readonly [string, readonly string[], (db: SqlDatabase) => void])[] = [
  ['version 1, first shape', firstShape, fillFirstShape],
  ['version 1, second shape', secondShape, fillSecondShape],
]

function made(statements: readonly string[], fill: (db: SqlDatabase) => void): SqlDatabase {
  const db = lasting(openMemoryDatabase(sqlite))
  for (const statement of statements) db.query(statement)
  fill(db)
  return db
}

const opened = (log: SqlDatabase) =>
  createStore({
    log,
    index: openMemoryDatabase(sqlite),
    storage: { kind: 'memory' },
    options: resolveOptions({}),
    thread: storeThread(sqlite),
  })

it.each(shapes)('a log of %s is read, searched and gone on with', async (_name, statements, fill) => {
  const log = made(statements, fill)
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
  const log = made(firstShape, fillFirstShape)
  log.query('DELETE FROM sessions WHERE session > 1')
  opened(log)
  log.query(`INSERT INTO sessions (id, created_at, length, header) VALUES ('n', 0, 0, '{}')`)
  expect(log.query(`SELECT session FROM sessions WHERE id = 'n'`)).toEqual([[4]])
})

it('rows that are damaged stay as they are', async () => {
  const log = made(firstShape, fillFirstShape)
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
  const log = made(firstShape, fillFirstShape)
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

it.each(shapes)(
  'a log of %s that is of a newer version is left untouched',
  (_name, statements, fill) => {
    const log = made(statements, fill)
    log.query('UPDATE session_query SET version = 3')
    const before = log.query('SELECT * FROM sqlite_schema')
    expect(() => opened(log)).toThrow(/has format 3.*left as it is/)
    expect(log.query('SELECT * FROM sqlite_schema')).toEqual(before)
    expect(log.query('PRAGMA user_version')).toEqual([[1]])
  },
)
