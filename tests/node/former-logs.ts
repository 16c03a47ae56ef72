import type { SessionLog } from '../../src/core/session.ts'
import type { SqlDatabase, SqlValue } from '../../src/sql/database.ts'
import { session, userMessage } from '../fixtures/logs.ts'

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

/** An id that SQLite text cannot hold. */
export const odd = 'odd\u0000\ud800'
/** What the databases hold. */
export const logs: readonly SessionLog[] = [
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

/** Each shape that there was, by its name. */
export const formerShapes: readonly [Shape, Shape] = [
  ['version 1, first shape', firstShape, fillFirstShape],
  ['version 1, second shape', secondShape, fillSecondShape],
]

/** A name, the statements that made it, and what filled it. */
export type Shape = readonly [string, readonly string[], (db: SqlDatabase) => void]

/** Makes a database of a former shape in an empty one. */
export function makeFormer(db: SqlDatabase, [, statements, fill]: Shape): SqlDatabase {
  for (const statement of statements) db.query(statement)
  fill(db)
  return db
}
