import { persistenceFailed } from '../core/errors.ts'
import { firstValue, textOf, type SqlDatabase } from '../sql/database.ts'

/** The bytes of a file that came in piece by piece, in rows of a table that is there as long as they are needed. */
export class ReceivedFile {
  readonly #db: SqlDatabase
  readonly #table: string
  #size = 0
  /** The row in the making: each is written once, since each time costs. */
  #row: Uint8Array | undefined
  #made = false
  readonly #kept = new Map<number, Uint8Array>()

  /** @param name of the table, one that no other file has */
  constructor(db: SqlDatabase, name: number) {
    this.#db = db
    this.#table = `{${tables}${name}}`
  }

  get size(): number {
    return this.#size
  }

  write(offset: number, bytes: Uint8Array): void {
    if (offset !== this.#size) {
      throw persistenceFailed(
        'failed',
        `The file has to come from its beginning to its end: what comes next is at ${this.#size}, and ${offset} came.`,
      )
    }
    for (let from = 0; from < bytes.length;) {
      const place = this.#size % rowBytes
      const part = bytes.subarray(from, from + rowBytes - place)
      this.#row ??= new Uint8Array(rowBytes)
      this.#row.set(part, place)
      if (place + part.length === rowBytes) {
        this.#store(Math.floor(this.#size / rowBytes), this.#row)
        this.#row = undefined
      }
      from += part.length
      this.#size += part.length
    }
  }

  /** As many bytes as there are of those that are asked for. */
  read(offset: number, length: number): Uint8Array {
    const to = Math.min(offset + length, this.#size)
    const [first, last] = [Math.floor(offset / rowBytes), Math.floor((to - 1) / rowBytes)]
    if (first === last) return this.#part(first).subarray(offset % rowBytes, to - first * rowBytes)
    const whole = new Uint8Array(Math.max(0, to - offset))
    for (let at = offset; at < to;) {
      const row = Math.floor(at / rowBytes)
      const part = this.#part(row).subarray(at % rowBytes, to - row * rowBytes)
      whole.set(part, at - offset)
      at += part.length
    }
    return whole
  }

  remove(): void {
    this.#row = undefined
    this.#kept.clear()
    if (this.#made) this.#db.query(`DROP TABLE IF EXISTS ${this.#table}`)
    this.#made = false
  }

  #store(part: number, bytes: Uint8Array): void {
    this.#db.transaction(() => {
      if (!this.#made) {
        this.#db.query(
          `CREATE TABLE ${this.#table} (part INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT`,
        )
      }
      this.#db.query(`INSERT INTO ${this.#table} (part, bytes) VALUES (?1, ?2)`, [part, bytes])
    })
    this.#made = true
  }

  #part(part: number): Uint8Array {
    const kept = this.#kept.get(part) ?? this.#load(part)
    // The one that was used last goes last.
    this.#kept.delete(part)
    this.#kept.set(part, kept)
    if (this.#kept.size > rowsKept) {
      const [oldest = part] = this.#kept.keys()
      this.#kept.delete(oldest)
    }
    return kept
  }

  #load(part: number): Uint8Array {
    if (this.#row !== undefined && part === Math.floor(this.#size / rowBytes)) return this.#row
    const bytes = firstValue(this.#db.query(`SELECT bytes FROM ${this.#table} WHERE part = ?1`, [part]))
    if (bytes instanceof Uint8Array && bytes.length === rowBytes) return bytes
    throw persistenceFailed('failed', 'A part of the file that came in is gone.')
  }
}

/** Removes what was left behind when everything ended in the midst of an import. */
export function removeReceived(db: SqlDatabase): void {
  const [from, length] = [db.prefix.length + 1, tables.length]
  const left = db.query(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, ?1) = ?2`,
    [from - 1 + length, `${db.prefix}${tables}`],
  )
  for (const [name] of left) db.query(`DROP TABLE {${textOf(name).slice(from - 1)}}`)
}

const tables = 'received_'

/** A value may not be larger than 2 MB. */
const rowBytes = 1 << 20
const rowsKept = 6
