import { firstValue, numberOf, textOf, textOfKey, type SqlDatabase } from './database.ts'
import { createTables, logSchema, renewSchema } from './schema.ts'

/**
 * Has an empty log stand in for the one that is there, with an identity of its own: at once, and for good. What was
 * there is set aside, for {@link removeSetAside}.
 *
 * @returns the ids of the sessions that are gone, and the new identity
 */
export function setAside(log: SqlDatabase): { removed: string[]; identity: string } {
  return log.transaction(() => {
    const removed = log.query('SELECT id FROM {sessions}').map(([id]) => textOfKey(textOf(id)))
    // What an earlier removal set aside may be there still.
    const place = textOf(firstValue(log.query('SELECT lower(hex(randomblob(8)))')))
    for (const index of ['events_by_seq', 'titles']) log.query(`DROP INDEX {${index}}`)
    const tables = ['sessions', 'events', ...(log.longestText < Infinity ? ['long_texts'] : [])]
    for (const table of tables) {
      log.query(`ALTER TABLE {${table}} RENAME TO {${aside}${place}_${table}}`)
    }
    createTables(log, logSchema)
    return { removed, identity: renewSchema(log) }
  })
}

/**
 * Removes some of what was set aside, overwriting it.
 *
 * @returns how many rows are left
 */
export function removeSetAside(log: SqlDatabase): number {
  const [table] = setAsideIn(log)
  if (table === undefined) return 0
  log.transaction(() => {
    // Where the file is not ours to overwrite, deleting row by row would only cost.
    const rows = log.ownsFile
      ? log.query(
          `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} LIMIT ${sliceRows}) RETURNING 1`,
        )
      : []
    if (rows.length < sliceRows) log.query(`DROP TABLE ${table}`)
  })
  return leftAside(log)
}

/** How many rows are set aside. */
export function leftAside(log: SqlDatabase): number {
  return setAsideIn(log).reduce(
    // One more for the table itself, which goes last.
    (sum, table) => sum + 1 + numberOf(firstValue(log.query(`SELECT count(*) FROM ${table}`))),
    0,
  )
}

const aside = 'removed_'
const isSetAside = `type = 'table' AND name GLOB '{${aside}}*'`

/** Rows that are removed before others have their turn. */
const sliceRows = 500

function setAsideIn(log: SqlDatabase): string[] {
  return log
    .query(`SELECT name FROM sqlite_schema WHERE ${isSetAside} ORDER BY name`)
    .map(([name]) => textOf(name))
}
