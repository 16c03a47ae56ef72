import { firstValue, numberOf, type SqlDatabase } from './database.ts'

/**
 * Writes the words of the index anew, without those of documents that are gone, a slice at a time.
 *
 * @param pause lets other calls have their turn
 * @param stopped whether to go on no more
 */
export async function rewriteWords(
  db: SqlDatabase,
  pause: () => Promise<void>,
  stopped: () => boolean,
): Promise<void> {
  // A negative number of pages begins a merge of everything, whatever there is to gain.
  for (let pages = -slicePages; merged(db, pages) > 1; pages = slicePages) {
    await pause()
    if (stopped()) return
  }
}

/** Pages that are merged before others have their turn: some tens of milliseconds. */
const slicePages = 256

/** Goes on with a merge; by how many rows it changes FTS5 says whether there is more to do. */
function merged(db: SqlDatabase, pages: number): number {
  const before = totalChanges(db)
  db.query(`INSERT INTO {words} ({words}, rank) VALUES ('merge', ?1)`, [pages])
  return totalChanges(db) - before
}

function totalChanges(db: SqlDatabase): number {
  return numberOf(firstValue(db.query('SELECT total_changes()')))
}
