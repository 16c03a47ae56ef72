import { isObject } from '../core/json.ts'
import { keyOf, numberOf, textOf, type SqlDatabase, type SqlValue } from './database.ts'

/**
 * Brings a log of version 1 to version 2. Two shapes went by that number: the second is the present one, and
 * only its mark changes. The first had no columns for what sessions and events are filtered by, and held what
 * SQLite text cannot hold as UTF-16 in a blob.
 *
 * @param statements make the tables of version 2
 */
export function toVersion2(db: SqlDatabase, statements: readonly string[]): void {
  const columns = db.query(`SELECT name FROM pragma_table_info('sessions')`).map(([name]) => name)
  if (columns.includes('created_at')) return
  for (const table of tables) db.query(`ALTER TABLE ${table} RENAME TO former_${table}`)
  for (const index of ['events_by_seq', 'titles']) db.query(`DROP INDEX ${index}`)
  for (const statement of statements) db.query(statement)
  copySessions(db)
  copyEvents(db)
  // Numbers that were given stay given.
  db.query(`DELETE FROM sqlite_sequence WHERE name = '{sessions}'`)
  db.query(`UPDATE sqlite_sequence SET name = '{sessions}' WHERE name = 'former_sessions'`)
  for (const table of tables) db.query(`DROP TABLE former_${table}`)
}

const tables = ['sessions', 'events'] as const

function copySessions(db: SqlDatabase): void {
  const sessions = db.query('SELECT session, id, length, header FROM former_sessions')
  for (const [session = null, id, length = null, header = null] of sessions) {
    const { createdAt, cwd, parentSession } = objectIn(header)
    db.query(
      `INSERT INTO {sessions} (session, id, created_at, cwd, parent, length, header)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
      [
        session,
        keyOf(formerText(id)),
        typeof createdAt === 'number' ? createdAt : 0,
        typeof cwd === 'string' ? keyOf(cwd) : null,
        typeof parentSession === 'string' ? keyOf(parentSession) : null,
        length,
        header,
      ],
    )
  }
}

function copyEvents(db: SqlDatabase): void {
  for (let last = Number.MIN_SAFE_INTEGER; ;) {
    const rows = db.query(
      'SELECT id, session, seq, type, event FROM former_events WHERE id > ?1 ORDER BY id LIMIT 200',
      [last],
    )
    for (const [id = null, session = null, seq = null, type, event = null] of rows) {
      const { time } = objectIn(event)
      db.query(
        `INSERT INTO {events} (id, session, seq, type, time, event) VALUES (?1, ?2, ?3, ?4, ?5, ?6)`,
        [id, session, seq, keyOf(formerText(type)), typeof time === 'number' ? time : 0, event],
      )
      last = numberOf(id)
    }
    if (rows.length === 0) return
  }
}

/** A row that is damaged keeps its text and has nothing to filter by. */
function objectIn(json: SqlValue): { readonly [key: string]: unknown } {
  try {
    const value: unknown = JSON.parse(textOf(json))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** A key of the first shape: text, or UTF-16 units with the high byte first. */
function formerText(key: SqlValue | undefined): string {
  if (!(key instanceof Uint8Array)) return textOf(key)
  let text = ''
  for (let at = 0; at + 1 < key.length; at += 2) {
    text += String.fromCharCode(((key[at] ?? 0) << 8) | (key[at + 1] ?? 0))
  }
  return text
}
