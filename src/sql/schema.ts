import { persistenceFailed } from '../core/errors.ts'
import { firstValue, numberOf, textOf, type SqlDatabase } from './database.ts'
import { longTextsStatement } from './long-texts.ts'
import { toVersion2 } from './migrate-log.ts'

/** One of the two databases of a corpus. */
export interface Schema {
  /** What a person would call it, for messages. */
  readonly title: string
  /** Marks a database as ours, and as this one of the two. */
  readonly application: string
  /** The same mark in the file's header, where `file` and other tools look for it. */
  readonly applicationId: number
  readonly version: number
  readonly statements: readonly string[]
  /** What is made beside where a column does not take any text. */
  readonly forLongTexts?: readonly string[]
  /** What makes the next version of each former one; runs in one transaction with the change of the mark. */
  readonly migrations: { readonly [version: number]: (db: SqlDatabase, schema: Schema) => void }
}

/** The truth: headers and events, each as the exact JSON that came in. */
export const logSchema: Schema = {
  title: 'session log',
  application: 'session-query/log',
  applicationId: 0x53514c67, // "SQLg"
  version: 2,
  statements: [
    // Session numbers are never used again, so that an index entry cannot meet another session.
    `CREATE TABLE {sessions} (
      session INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      created_at REAL NOT NULL,
      cwd TEXT,
      parent TEXT,
      length INTEGER NOT NULL,
      header TEXT NOT NULL
    ) STRICT`,
    // The order of the log is the order of id; seq follows it in every log that folds.
    `CREATE TABLE {events} (
      id INTEGER PRIMARY KEY,
      session INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      type TEXT NOT NULL,
      time REAL NOT NULL,
      event TEXT NOT NULL
    ) STRICT`,
    'CREATE INDEX {events_by_seq} ON {events} (session, seq)',
    `CREATE INDEX {titles} ON {events} (session, id) WHERE type = 'session/title'`,
  ],
  forLongTexts: [longTextsStatement],
  migrations: { 1: (db, { statements }) => toVersion2(db, statements) },
}

/** The words come folded and separated by spaces, so the plainest tokenizer is the right one. */
export const wordsStatement = `CREATE VIRTUAL TABLE {words} USING fts5(text, parts, stems, content='', contentless_delete=1, tokenize='ascii')`

/** Lists where each word stands; holds nothing itself. */
export const instancesStatement =
  'CREATE VIRTUAL TABLE {word_instances} USING fts5vocab({words}, instance)'

/** What search needs; derived from the log and thrown away whenever it does not suit. */
export const indexSchema: Schema = {
  title: 'search index',
  application: 'session-query/index',
  applicationId: 0x53516978, // "SQix"
  version: 3,
  statements: [
    `CREATE TABLE {sessions} (
      session INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      through INTEGER NOT NULL,
      problem TEXT
    ) STRICT`,
    'CREATE TABLE {types} (type INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT',
    // surface: 0 current, 1 shadowed, 2 log-only. An event that is long can have several, one behind the other.
    `CREATE TABLE {documents} (
      doc INTEGER PRIMARY KEY,
      session INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      type INTEGER NOT NULL,
      time REAL NOT NULL,
      surface INTEGER NOT NULL,
      words INTEGER NOT NULL,
      chars INTEGER NOT NULL
    ) STRICT`,
    'CREATE INDEX {documents_by_seq} ON {documents} (session, seq)',
    wordsStatement,
    instancesStatement,
  ],
  // Made anew instead.
  migrations: {},
}

/**
 * Makes sure that a database is the one that `schema` describes; an empty one becomes it, and one of a former
 * version is brought to this one.
 *
 * @returns the identity of the database's content, a random text made with it
 * @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` when it belongs to something else or to a
 *   newer version; it is left as it was
 */
export function openSchema(db: SqlDatabase, schema: Schema): string {
  const found = identify(db, schema)
  if (found === 'empty') {
    freeInSlices(db)
    db.transaction(() => create(db, schema))
  } else if (found !== schema.version) {
    migrate(db, schema, found)
  }
  return identityOf(db)
}

/** Gives a database another identity, as if it had just been made; returns it. */
export function renewSchema(db: SqlDatabase): string {
  db.query('UPDATE {session_query} SET identity = lower(hex(randomblob(16)))')
  return identityOf(db)
}

/** Has an empty database give back what becomes free a slice at a time; has to come before its first table. */
export function freeInSlices(db: SqlDatabase): void {
  if (!db.ownsFile) return
  // Said again it would be written again, for which there may be no room.
  if (firstValue(db.query('PRAGMA auto_vacuum')) !== incremental)
    db.query('PRAGMA auto_vacuum = incremental')
}

/** What SQLite calls by this number. */
const incremental = 2

/**
 * As {@link openSchema} for the index: one of another format or of another log is made anew, empty.
 *
 * @param identity of the log that it has to belong to
 * @param anew throw away also an index that seems to suit
 */
export function openIndexSchema(db: SqlDatabase, identity: string, anew = false): void {
  const found = identify(db, indexSchema)
  if (!anew && found === indexSchema.version && identityOf(db) === identity) return
  db.transaction(() => {
    for (const table of [
      'word_instances',
      'words',
      'documents',
      'types',
      'sessions',
      'session_query',
    ]) {
      db.query(`DROP TABLE IF EXISTS {${table}}`)
    }
  })
  freeInSlices(db)
  // Of an empty database that is one page; it makes the line before it count.
  if (db.ownsFile) db.query('VACUUM')
  db.transaction(() => create(db, indexSchema, identity))
}

/** Makes the tables of a schema. */
export function createTables(db: SqlDatabase, { statements, forLongTexts = [] }: Schema): void {
  const all = db.longestText < Infinity ? [...statements, ...forLongTexts] : statements
  for (const statement of all) db.query(statement)
}

/** Whether a database is empty or made by this library as the one that `schema` describes. */
export function isOurs(db: SqlDatabase, schema: Schema): boolean {
  return versionOf(db, schema) !== undefined
}

function migrate(db: SqlDatabase, schema: Schema, found: number): void {
  const steps = Array.from(
    { length: Math.max(0, schema.version - found) },
    (_, step) => schema.migrations[found + step],
  )
  if (steps.length === 0 || steps.includes(undefined)) {
    throw persistenceFailed(
      'failed',
      `The ${schema.title} has format ${found}; this version of session-query reads format ${schema.version} and older ones. It was left as it is.`,
    )
  }
  db.transaction(() => {
    for (const step of steps) step?.(db, schema)
    db.query('UPDATE {session_query} SET version = ?1', [schema.version])
    if (db.ownsFile) db.query(`PRAGMA user_version = ${schema.version}`)
  })
}

function identify(db: SqlDatabase, schema: Schema): number | 'empty' {
  const version = versionOf(db, schema)
  if (version !== undefined) return version
  const [mark, names] = [markOf(db), namesIn(db)]
  throw persistenceFailed(
    'failed',
    `The database opened as the ${schema.title} belongs to another application (id ${mark}, tables: ${names.slice(0, 3).join(', ') || 'none'}). It was left as it is.`,
  )
}

/** The version of a database that `schema` describes, or undefined for one that is something else. */
export function versionOf(db: SqlDatabase, schema: Schema): number | 'empty' | undefined {
  const names = namesIn(db)
  if (names.length === 0 && markOf(db) === 0) return 'empty'
  if (!names.includes('session_query')) return undefined
  const [row] = db.query('SELECT application, version FROM {session_query}')
  return row?.[0] === schema.application ? numberOf(row[1]) : undefined
}

function namesIn(db: SqlDatabase): string[] {
  const { prefix } = db
  return db
    .query('SELECT name FROM sqlite_schema WHERE substr(name, 1, ?1) = ?2', [prefix.length, prefix])
    .map(([name]) => textOf(name).slice(prefix.length))
}

function markOf(db: SqlDatabase): number {
  return db.ownsFile ? numberOf(firstValue(db.query('PRAGMA application_id'))) : 0
}

function create(db: SqlDatabase, schema: Schema, identity?: string): void {
  db.query('CREATE TABLE {session_query} (application TEXT, version INTEGER, identity TEXT) STRICT')
  db.query('INSERT INTO {session_query} VALUES (?1, ?2, coalesce(?3, lower(hex(randomblob(16)))))', [
    schema.application,
    schema.version,
    identity ?? null,
  ])
  createTables(db, schema)
  if (!db.ownsFile) return
  db.query(`PRAGMA application_id = ${schema.applicationId}`)
  db.query(`PRAGMA user_version = ${schema.version}`)
}

function identityOf(db: SqlDatabase): string {
  return textOf(firstValue(db.query('SELECT identity FROM {session_query}')))
}
