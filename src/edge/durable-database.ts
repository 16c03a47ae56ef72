import {
  isSessionQueryError,
  persistenceFailed,
  SessionQueryError,
  type PersistenceReason,
} from '../core/errors.ts'
import { withNames, type SqlDatabase, type SqlRow, type SqlValue } from '../sql/database.ts'
import type { DurableStorage, DurableValue } from './durable-storage.ts'

/**
 * The tables of a prefix in a Durable Object's one database.
 *
 * Statements cannot be interrupted here, so a deadline is looked at before each of them and between their rows.
 */
export class DurableDatabase implements SqlDatabase {
  readonly ownsFile = false
  readonly prefix: string
  readonly longestText = longestText
  readonly #storage: DurableStorage
  readonly #named = new Map<string, string>()
  /** Whether the statement that runs is to be ended. */
  #due: (() => boolean) | undefined
  readonly #counted: boolean
  #open = true

  /** @param counted whether its size is that of the object's database, which is told of one part only */
  constructor(storage: DurableStorage, prefix: string, counted = false) {
    this.#storage = storage
    this.prefix = prefix
    this.#counted = counted
  }

  query(sql: string, values: readonly SqlValue[] = []): readonly SqlRow[] {
    const rows: SqlRow[] = []
    this.#run(sql, values, (row) => void rows.push(row.map(ourValue)))
    return rows
  }

  columns(sql: string, values: readonly SqlValue[] = []): readonly (readonly number[])[] {
    const columns: number[][] = []
    this.#run(sql, values, (row) => {
      for (const [at, value] of row.entries()) {
        const column = (columns[at] ??= [])
        column.push(typeof value === 'number' ? value : 0)
      }
    })
    return columns
  }

  transaction<Result>(body: () => Result): Result {
    return translating(() => this.#storage.transactionSync(body))
  }

  interruptible<Result>(due: () => boolean, body: () => Result): Result {
    this.#due = due
    try {
      return body()
    } finally {
      this.#due = undefined
    }
  }

  /** Of everything in the object's database, or 0. */
  size(): number {
    return this.#counted ? this.#storage.sql.databaseSize : 0
  }

  close(): void {
    this.#open = false
  }

  #run(sql: string, values: readonly SqlValue[], take: (row: readonly unknown[]) => void): void {
    if (!this.#open) throw persistenceFailed('unavailable', 'The database is closed.')
    translating(() => {
      this.#look()
      let untilLook = rowsBetweenLooks
      for (const row of this.#storage.sql.exec(this.#name(sql), ...values.map(theirValue)).raw()) {
        take(row)
        untilLook -= 1
        if (untilLook > 0) continue
        this.#look()
        untilLook = rowsBetweenLooks
      }
    })
  }

  #look(): void {
    if (this.#due?.() !== true) return
    throw new SessionQueryError('SESSION_QUERY_TIMEOUT', 'The statement was ended.')
  }

  #name(sql: string): string {
    const known = this.#named.get(sql)
    if (known !== undefined) return known
    const named = withNames(sql, this.prefix)
    this.#named.set(sql, named)
    return named
  }
}

/** In UTF-16 units, of at most three bytes each; a value may have two million bytes. */
const longestText = 600_000

/** Some milliseconds of rows. */
const rowsBetweenLooks = 5000

function theirValue(value: SqlValue): DurableValue {
  // A view of a larger buffer must not be stored with the rest of it.
  return value instanceof Uint8Array ? value.slice().buffer : value
}

function ourValue(value: unknown): SqlValue {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : (value as SqlValue)
}

function translating<Result>(body: () => Result): Result {
  try {
    return body()
  } catch (error) {
    if (isSessionQueryError(error) || !isFromSqlite(error)) throw error
    if (error.message.includes('SQLITE_TOOBIG')) throw persistenceFailed('failed', tooLong, error)
    const reason = reasonOf(error.message)
    throw persistenceFailed(reason, sentences[reason], error)
  }
}

/** Its errors are plain ones, with SQLite's result code in the message. */
function isFromSqlite(error: unknown): error is Error {
  return error instanceof Error && error.message.includes('SQLITE_')
}

function reasonOf(message: string): PersistenceReason {
  if (message.includes('SQLITE_FULL')) return 'full'
  return /SQLITE_(CORRUPT|NOTADB)/.test(message) ? 'corrupt' : 'failed'
}

const tooLong =
  'An id, cwd, parent or type is longer than a column takes, which is 2 MB; nothing of this was written.'

const sentences: { readonly [Reason in PersistenceReason]: string } = {
  unavailable: 'The database cannot be reached.',
  full: 'The object has no room left to store this; nothing of it was written.',
  busy: 'The database is in use elsewhere.',
  corrupt: 'The database of the object is damaged.',
  failed: 'The database of the object could not carry out this operation.',
}
