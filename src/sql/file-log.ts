import { isSessionQueryError, persistenceFailed } from '../core/errors.ts'
import { numberOf, textOf, textOfKey, type SqlDatabase, type SqlRow } from './database.ts'
import { firstReadable, salvaged, unlessDamaged } from './salvage.ts'
import { logSchema, openSchema, versionOf } from './schema.ts'

/** A place in a log, by which the next events are found. */
export interface Place {
  readonly seq: number
  readonly id: number
}

export const beforeAll: Place = { seq: Number.MIN_SAFE_INTEGER, id: Number.MIN_SAFE_INTEGER }

/** An event's row, as it is. */
export interface EventRow extends Place {
  readonly type: string
  readonly time: number
  readonly json: string
}

/** A session's row, as it is. */
export interface HeaderRow {
  readonly session: number
  readonly id: string
  readonly length: number
  readonly columns: SqlRow
  readonly json: string
}

/**
 * Judges a database that came from outside as a session log, and brings it to the present version.
 *
 * @param open opens it
 * @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` with reason `corrupt` or `failed`
 */
export function openFileLog(open: () => SqlDatabase): SqlDatabase {
  try {
    const db = open()
    const version = versionOf(db, logSchema)
    const strange = version === undefined || version === 'empty' ? undefined : strangerIn(db)
    if (version === undefined || version === 'empty' || strange !== undefined) {
      throw persistenceFailed(
        'failed',
        `The file is not a session log of session-query${strange === undefined ? '' : `: it holds ${strange}`}. Nothing of it was taken in.`,
      )
    }
    if (version > logSchema.version) {
      throw persistenceFailed(
        'failed',
        `The file has format ${version}; this version of session-query reads format ${logSchema.version} and older ones. Nothing of it was taken in.`,
      )
    }
    openSchema(db, logSchema)
    // Here, and not half-way, where a table is not what the mark promises.
    if (unlessDamaged(() => [headerRow(db, 0), eventRows(db, 0, beforeAll, 1)]) === undefined) {
      throw persistenceFailed('corrupt', 'Its tables are not what its mark says.')
    }
    return db
  } catch (error) {
    if (!isSessionQueryError(error) || error.reason !== 'corrupt') throw error
    throw persistenceFailed(
      'corrupt',
      'The file is not an SQLite database, or a damaged one. Nothing of it was taken in.',
      error.cause ?? error,
    )
  }
}

/** The sessions of a log by number and id, as far as they can be read. */
export function sessionsIn(
  db: SqlDatabase,
): readonly { session: number; id: string; length: number }[] {
  const [row] = firstReadable(
    () => db.query('SELECT max(session) FROM {sessions}'),
    () => db.query(`SELECT seq FROM sqlite_sequence WHERE name = '{sessions}'`),
  )
  return salvaged(0, numberOf(row?.[0]), (from, to) =>
    db.query(
      'SELECT session, id, length FROM {sessions} WHERE session BETWEEN ?1 AND ?2 ORDER BY session',
      [from, to],
    ),
  ).map(([session, id, length]) => ({
    session: numberOf(session),
    id: idIn(textOf(id)),
    length: numberOf(length),
  }))
}

export function headerRow(db: SqlDatabase, session: number): HeaderRow | undefined {
  const [row] = db.query(
    'SELECT id, created_at, cwd, parent, length, header FROM {sessions} WHERE session = ?1',
    [session],
  )
  if (row === undefined) return undefined
  const [id, createdAt = 0, cwd = null, parent = null, length, header] = row
  return {
    session,
    id: idIn(textOf(id)),
    length: numberOf(length),
    columns: [textOf(id), numberOf(createdAt), cwd, parent],
    json: textOf(header),
  }
}

/** The next events of a session behind a place: so many, or so many bytes, and one at least where there is one. */
export function eventRows(
  db: SqlDatabase,
  session: number,
  { seq, id }: Place,
  most: number,
  mostBytes: number = sliceBytes,
): readonly EventRow[] {
  const where = 'FROM {events} WHERE session = ?1 AND (seq, id) > (?2, ?3) ORDER BY seq, id LIMIT ?4'
  const sizes = db.query(`SELECT octet_length(event) ${where}`, [session, seq, id, most])
  let bytes = 0
  let count = 0
  for (const [size] of sizes) {
    if (count > 0 && bytes >= mostBytes) break
    bytes += numberOf(size)
    count += 1
  }
  return db
    .query(`SELECT seq, id, type, time, event ${where}`, [session, seq, id, count])
    .map(([rowSeq, rowId, type, time, json]) => ({
      seq: numberOf(rowSeq),
      id: numberOf(rowId),
      type: textOf(type),
      time: numberOf(time),
      json: textOf(json),
    }))
}

/** What a slice may hold: some tens of milliseconds of work. */
const sliceBytes = 1 << 18

/** A key that is none stands for itself. */
function idIn(key: string): string {
  try {
    return textOfKey(key)
  } catch {
    return key
  }
}

/** What a session log has no use for: it could make reading it run code of somebody else's. */
function strangerIn(db: SqlDatabase): string | undefined {
  const stranger = db
    .query('SELECT type, name, tbl_name, sql FROM sqlite_schema')
    .find(
      ([type, , table, sql]) =>
        (type !== 'table' && type !== 'index') ||
        /^\s*CREATE\s+VIRTUAL/i.test(textOf(sql)) ||
        !(known.has(textOf(table)) || textOf(table).startsWith('sqlite_')),
    )
  return stranger === undefined ? undefined : `a ${textOf(stranger[0])} named ${textOf(stranger[1])}`
}

const known = new Set(['session_query', 'sessions', 'events'])
