import sqlite3InitModule, {
  type Database,
  type PreparedStatement,
  type Sqlite3Static,
} from '@sqlite.org/sqlite-wasm'
import {
  isSessionQueryError,
  persistenceFailed,
  SessionQueryError,
  type PersistenceReason,
} from '../src/core/errors.ts'
import { isBreakdown } from './breakdown.ts'
import { MatchScanner, visitFunction } from './match-scanner.ts'
import {
  numberOf,
  withNames,
  type SqlDatabase,
  type SqlRow,
  type SqlValue,
} from '../src/sql/database.ts'

/** SQLite as loaded in this thread. */
export interface Sqlite {
  readonly api: Sqlite3Static
  /** What ended the engine, after which nothing of it can be trusted. */
  brokenBy?: unknown
  /** Has something called again and again while statements run. */
  whileBusy(beat: () => void): void
  /** Called in the course of a statement. */
  beat(): void
  /** The error that the file system gave last, which SQLite reports only as an input or output error. */
  takeFileError(): unknown
}

/**
 * Loads SQLite, once in a thread. Its own notices are kept off the console: what goes wrong reaches the
 * caller as an error.
 *
 * @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` when it cannot be loaded
 */
export async function loadSqlite(): Promise<Sqlite> {
  loading ??= load()
  try {
    return await loading
  } catch (error) {
    loading = undefined
    throw error
  }
}

let loading: Promise<Sqlite> | undefined

async function load(): Promise<Sqlite> {
  let fileError: unknown
  const scope = globalThis as { sqlite3ApiConfig?: object }
  // SQLite reads this while it starts, and removes it.
  scope.sqlite3ApiConfig = {
    // Left on, each of these starts a worker of its own where the page is isolated.
    disable: { vfs: { opfs: true, 'opfs-wl': true } },
    debug: ignore,
    log: ignore,
    warn: ignore,
    error: (...details: readonly unknown[]) => {
      fileError = details.find((detail) => detail instanceof Error) ?? fileError
    },
  }
  try {
    const api = await sqlite3InitModule()
    let beat = ignore
    return {
      api,
      whileBusy: (wanted) => void (beat = wanted),
      beat: () => beat(),
      takeFileError() {
        const taken = fileError
        fileError = undefined
        return taken
      },
    }
  } catch (cause) {
    throw persistenceFailed(
      'unavailable',
      'SQLite could not be loaded; is sqlite3.wasm served beside the worker?',
      cause,
    )
  }
}

/** Virtual machine steps between two looks at the clock: some microseconds. */
const stepsBetweenChecks = 1000

/** A database that lives as long as it is open. */
export function openMemoryDatabase(sqlite: Sqlite): SqlDatabase {
  return WasmDatabase.open(sqlite, () => new sqlite.api.oo1.DB(':memory:', 'c'))
}

/** Adapts an open database of the wasm build. */
export class WasmDatabase implements SqlDatabase {
  readonly ownsFile = true
  readonly prefix = ''
  readonly longestText = Infinity
  readonly #sqlite: Sqlite
  readonly #db: Database
  readonly #statements = new Map<string, PreparedStatement>()
  #scanner: MatchScanner | undefined
  /** Whether the statement that runs is to be ended. */
  #due: () => boolean = never

  private constructor(sqlite: Sqlite, db: Database) {
    this.#sqlite = sqlite
    this.#db = db
    const look = (): number => {
      sqlite.beat()
      return this.#due() ? 1 : 0
    }
    sqlite.api.capi.sqlite3_progress_handler(db, stepsBetweenChecks, look, 0)
  }

  /** @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` */
  static open(sqlite: Sqlite, make: () => Database): WasmDatabase {
    return new WasmDatabase(sqlite, translating(sqlite, make))
  }

  query(sql: string, values: readonly SqlValue[] = []): readonly SqlRow[] {
    return translating(this.#sqlite, () => {
      const statement = this.#prepared(sql)
      try {
        this.#bind(statement, values)
        const rows: SqlRow[] = []
        while (statement.step()) rows.push(statement.get([]) as SqlValue[])
        return rows
      } finally {
        statement.reset(true)
      }
    })
  }

  columns(sql: string, values: readonly SqlValue[] = []): readonly (readonly number[])[] {
    return translating(this.#sqlite, () => {
      const statement = this.#prepared(sql)
      const { pointer, columnCount } = statement
      const columns = Array.from({ length: columnCount }, (): number[] => [])
      try {
        this.#bind(statement, values)
        // The functions as SQLite exports them: what is laid over them costs more than they do.
        const { sqlite3_step: step, sqlite3_column_double: number } = this.#sqlite.api.wasm
          .exports as unknown as NumberExports
        let result = step(pointer)
        for (; result === rowIsThere; result = step(pointer)) {
          for (let at = 0; at < columnCount; at += 1) columns[at]?.push(number(pointer, at))
        }
        if (result !== noMoreRows) this.#db.checkRc(result)
        return columns
      } finally {
        statement.reset(true)
      }
    })
  }

  transaction<Result>(body: () => Result): Result {
    this.query('BEGIN IMMEDIATE')
    try {
      const result = body()
      this.query('COMMIT')
      return result
    } catch (error) {
      // SQLite ends the transaction by itself after some failures.
      if (this.#sqlite.api.capi.sqlite3_get_autocommit(this.#db) === 0) this.query('ROLLBACK')
      throw error
    }
  }

  scan(match: string, visit: (doc: number, occurrences: number) => void): void {
    this.#scanner ??= new MatchScanner(this.#sqlite, this.#db)
    this.#scanner.during(visit, () => {
      // The function is called for each match from inside SQLite: no row comes out, nothing is sorted.
      this.query(
        `SELECT total(z) FROM (SELECT ${visitFunction}({words}) AS z FROM {words} WHERE {words} MATCH ?1 LIMIT -1 OFFSET 0)`,
        [match],
      )
    })
  }

  interruptible<Result>(due: () => boolean, body: () => Result): Result {
    let interrupted = false
    this.#due = () => (interrupted ||= due())
    try {
      return body()
    } catch (error) {
      if (!interrupted) throw error
      throw new SessionQueryError('SESSION_QUERY_TIMEOUT', 'The statement was interrupted.', {
        cause: error,
      })
    } finally {
      this.#due = never
    }
  }

  size(): number {
    const [row] = this.query('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size')
    return numberOf(row?.[0])
  }

  close(): void {
    for (const statement of this.#statements.values()) statement.finalize()
    this.#statements.clear()
    this.#db.close()
  }

  #bind(statement: PreparedStatement, values: readonly SqlValue[]): void {
    if (values.length === 0) return
    statement.bind([...values])
    for (const [at, value] of values.entries()) {
      // Whole numbers that are too large for an integer would wrap around.
      if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
        this.#sqlite.api.capi.sqlite3_bind_double(statement, at + 1, value)
      }
    }
  }

  #prepared(sql: string): PreparedStatement {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#db.prepare(withNames(sql, this.prefix))
    this.#statements.set(sql, statement)
    return statement
  }
}

/** What reading numbers needs of the wasm module's exports. */
interface NumberExports {
  sqlite3_step(this: void, statement: unknown): number
  sqlite3_column_double(this: void, statement: unknown, column: number): number
}

/** SQLITE_ROW and SQLITE_DONE. */
const [rowIsThere, noMoreRows] = [100, 101]

/** Runs `body`; an error of SQLite becomes one of ours. */
export function translating<Result>(sqlite: Sqlite, body: () => Result): Result {
  sqlite.takeFileError()
  try {
    if (sqlite.brokenBy !== undefined) throw sqlite.brokenBy
    return body()
  } catch (error) {
    if (isSessionQueryError(error)) throw error
    if (isBreakdown(error)) sqlite.brokenBy = error
    throw translated(error, sqlite.takeFileError())
  }
}

/** @param fileError what the file system said in the same statement, if anything */
function translated(error: unknown, fileError: unknown): Error {
  const full = fileError instanceof Error && fileError.name === 'QuotaExceededError'
  const reason = full ? 'full' : reasonOf(error)
  return persistenceFailed(reason, sentences[reason], full ? fileError : error)
}

const sentences: { readonly [Reason in PersistenceReason]: string } = {
  unavailable: 'The database cannot be reached.',
  full: 'There is no room left to store this; nothing of it was written.',
  busy: 'The database is in use elsewhere.',
  corrupt: 'The database file is damaged.',
  failed: 'The database could not carry out this operation.',
}

/** By SQLite's primary result codes, the low byte of what it reports. */
function reasonOf(error: unknown): PersistenceReason {
  const code = isResult(error) ? error.resultCode & 0xff : 0
  switch (code) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return 'busy'
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return 'corrupt'
    case 13: // SQLITE_FULL
      return 'full'
    case 14: // SQLITE_CANTOPEN
      return 'unavailable'
    default:
      return 'failed'
  }
}

function isResult(error: unknown): error is { readonly resultCode: number } {
  return error instanceof Error && 'resultCode' in error && typeof error.resultCode === 'number'
}

function ignore(): void {}

function never(): boolean {
  return false
}
