import type { SqlDatabase } from '../../../src/sql/database.ts'

/** What SQLite says of two databases. */
export interface Inspection {
  /** Empty when nothing is wrong. */
  readonly problems: readonly string[]
  readonly ms: number
}

/** Looks at the databases of a corpus as a kill has left them. */
export function inspect({ log, index }: { log: SqlDatabase; index: SqlDatabase }): Inspection {
  const began = performance.now()
  const problems = [
    ...quickCheck('log', log),
    ...quickCheck('index', index),
    ...nothingOf(log, 'sessions whose length is not the number of their events', lengths),
    ...nothingOf(log, 'events that stand twice, or not in order', order),
    ...nothingOf(log, 'events of no session', orphans),
    ...indexProblems(index),
  ]
  return { problems, ms: performance.now() - began }
}

const lengths = `SELECT id FROM sessions WHERE length <>
  (SELECT count(*) FROM events WHERE events.session = sessions.session)`

const order = `SELECT session, seq FROM
  (SELECT session, seq, lag(seq, 1, -1) OVER (PARTITION BY session ORDER BY id) AS before FROM events)
  WHERE seq <> before + 1`

const orphans = 'SELECT session FROM events WHERE session NOT IN (SELECT session FROM sessions)'

/** What FTS5 keeps of each document, beside what we keep. */
const documents = `SELECT doc FROM documents WHERE doc NOT IN (SELECT id FROM words_docsize)
  UNION ALL SELECT id FROM words_docsize WHERE id NOT IN (SELECT doc FROM documents)`

const twice = 'SELECT session, seq FROM documents GROUP BY session, seq HAVING count(*) > 1'

function quickCheck(title: string, db: SqlDatabase): string[] {
  return db
    .query('PRAGMA quick_check')
    .map(([line]) => String(line))
    .filter((line) => line !== 'ok')
    .map((line) => `${title}: quick_check says ${line}`)
}

function indexProblems(index: SqlDatabase): string[] {
  // The library gives up an index file that is damaged, and begins with an empty one.
  if (index.query(`SELECT 1 FROM sqlite_schema WHERE name = 'words'`).length === 0) {
    return ['The index is gone.']
  }
  try {
    index.query(`INSERT INTO words (words) VALUES ('integrity-check')`)
  } catch (error) {
    return [`index: FTS5's integrity check says ${String(error)}`]
  }
  return [
    ...nothingOf(index, 'documents that only one of two tables has', documents),
    ...nothingOf(index, 'documents that stand twice', twice),
  ]
}

function nothingOf(db: SqlDatabase, what: string, sql: string): string[] {
  const rows = db.query(sql)
  return rows.length === 0 ? [] : [`${rows.length} ${what}, first ${JSON.stringify(rows[0])}`]
}
