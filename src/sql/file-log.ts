import { numberOf, textOf, type SqlDatabase } from './database.ts'
import { beforeAll, eventRows } from './event-rows.ts'
import {
  idIn,
  notAsMarked,
  openedWhole,
  refuseStrange,
  type HeaderRow,
  type LogFile,
} from './log-file.ts'
import { firstReadable, salvaged, unlessDamaged } from './salvage.ts'
import { logSchema, openSchema, versionOf } from './schema.ts'
import { StoredSessions } from './sessions.ts'

/**
 * Judges a database that came from outside as a session log, and brings it to the present version.
 *
 * @param open opens it
 * @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` with reason `corrupt` or `failed`
 */
export function openFileLog(open: () => SqlDatabase): LogFile {
  return openedWhole(() => {
    const db = open()
    refuseStrange(versionOf(db, logSchema), () =>
      db.query('SELECT type, name, tbl_name, sql FROM sqlite_schema'),
    )
    openSchema(db, logSchema)
    // Here, and not half-way, where a table is not what the mark promises.
    if (unlessDamaged(() => [headerRow(db, 0), eventRows(db, 0, beforeAll, 1)]) === undefined) {
      throw notAsMarked()
    }
    const stored = new StoredSessions(db)
    return {
      sessions: () => sessionsIn(db),
      header: (session) => headerRow(db, session),
      events: (session, place, most, mostBytes) => eventRows(db, session, place, most, mostBytes),
      json: (session, seq) => stored.json(session, seq),
    }
  })
}

/** The sessions of a log by number and id, as far as they can be read. */
function sessionsIn(db: SqlDatabase): ReturnType<LogFile['sessions']> {
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

function headerRow(db: SqlDatabase, session: number): HeaderRow | undefined {
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
