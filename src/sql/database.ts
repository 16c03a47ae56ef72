/** What a SQLite value can be here. */
export type SqlValue = null | number | string | Uint8Array

export type SqlRow = readonly SqlValue[]

/**
 * All that the corpus needs of a SQLite database with FTS5: small, synchronous, and the same for the
 * wasm build and for a Durable Object.
 *
 * A failure is a `SessionQueryError` with code `SESSION_QUERY_PERSISTENCE_FAILED` and its reason;
 * the binding's own error is the `cause`.
 */
export interface SqlDatabase {
  /**
   * Whether the database is a file of its own, with a header that PRAGMA reaches and room to give back. A Durable
   * Object has one database for everything, and refuses all that.
   */
  readonly ownsFile: boolean

  /**
   * What the names of our tables and indexes begin with in the database, so that others can be beside them. In the
   * SQL of {@link query} and {@link columns} a name in braces stands for it with that.
   */
  readonly prefix: string

  /** The longest text that a column takes, in UTF-16 units; what is longer has to be stored in pieces. */
  readonly longestText: number

  /**
   * Runs one statement to its end.
   *
   * @param values bound to `?1`, `?2` …
   * @returns the rows, each a list of the values of its columns
   */
  query(sql: string, values?: readonly SqlValue[]): readonly SqlRow[]

  /**
   * Runs one statement that gives very many rows of numbers; as rows, they would cost several times as much.
   *
   * @returns for each column its values, in the order of the rows; 0 where there is no number
   */
  columns(sql: string, values?: readonly SqlValue[]): readonly (readonly number[])[]

  /** Commits what `body` wrote when it returns, and nothing of it when it throws. Does not nest. */
  transaction<Result>(body: () => Result): Result

  /**
   * Visits every document of the table `words` that matches, in ascending order of rowid. The visitor must not
   * use the database. Absent where FTS5 cannot call functions of ours.
   *
   * @param match in FTS5's query syntax
   * @param visit is given the rowid, and how often the phrases of `match` occur in the document
   */
  readonly scan?: (match: string, visit: (doc: number, occurrences: number) => void) => void

  /**
   * Ends a statement or scan that runs while `due` says so; it then fails with `SESSION_QUERY_TIMEOUT`.
   * Hosts that cannot interrupt a statement ask between statements only.
   */
  interruptible<Result>(due: () => boolean, body: () => Result): Result

  /** Size of the database, in bytes. */
  size(): number

  close(): void
}

/** SQL as a database takes it whose names begin with a prefix. */
export function withNames(sql: string, prefix: string): string {
  return sql.replaceAll(/\{(\w+)\}/g, `${prefix}$1`)
}

/** The first value of the first row. */
export function firstValue(rows: readonly SqlRow[]): SqlValue | undefined {
  return rows[0]?.[0]
}

/** A column that holds text. */
export function textOf(value: SqlValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** A column that holds a number. */
export function numberOf(value: SqlValue | undefined): number {
  return typeof value === 'number' ? value : 0
}

/**
 * A string as a key column holds it. SQLite text has no room for a NUL or half a surrogate pair, so a
 * string with one of them is stored as JSON behind a mark; no two strings meet.
 */
export function keyOf(text: string): string {
  return /[\0\p{Surrogate}]|^\uFFFF/u.test(text) ? `\uFFFF${JSON.stringify(text)}` : text
}

/** The string that {@link keyOf} made a key of. */
export function textOfKey(key: string): string {
  return key.startsWith('\uFFFF') ? (JSON.parse(key.slice(1)) as string) : key
}

/** Brings what the write-ahead log holds into the database and empties it, so that nothing stays in it. */
export function emptyJournal(db: SqlDatabase): void {
  if (db.ownsFile) db.query('PRAGMA wal_checkpoint(TRUNCATE)')
}
