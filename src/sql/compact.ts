import { emptyJournal, firstValue, numberOf, type SqlDatabase } from './database.ts'

/**
 * Gives back some of the pages that are free.
 *
 * A database from before free pages could be given back a few at a time is written anew, once, in one statement that
 * takes as long as it takes; SQLite keeps the copy in a file meanwhile where there are files, and takes it over in
 * one transaction.
 *
 * @returns whether there is more to give back
 */
export function giveBack(db: SqlDatabase): boolean {
  if (!db.ownsFile) return false
  if (numberOf(firstValue(db.query('PRAGMA auto_vacuum'))) !== incremental) {
    db.query('PRAGMA auto_vacuum = incremental')
    db.query('PRAGMA temp_store = file')
    try {
      db.query('VACUUM')
    } finally {
      db.query('PRAGMA temp_store = default')
    }
  } else {
    db.query(`PRAGMA incremental_vacuum(${slicePages})`)
  }
  if (freePages(db) > 0) return true
  emptyJournal(db)
  return false
}

const incremental = 2

/** Pages that are given back before others have their turn. */
const slicePages = 256

function freePages(db: SqlDatabase): number {
  return numberOf(firstValue(db.query('PRAGMA freelist_count')))
}
