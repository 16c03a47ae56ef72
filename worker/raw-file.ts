import type { Database } from '@sqlite.org/sqlite-wasm'
import { persistenceFailed } from '../src/core/errors.ts'
import type { Sqlite } from './sqlite.ts'

/** The bytes of a database's file, through the very functions that SQLite reads and writes it with. */
export class RawFile {
  readonly #sqlite: Sqlite
  readonly #file: number
  readonly #calls: FileCalls

  /** @param db has the file open, and is not in the midst of anything when the file is read or written */
  constructor(sqlite: Sqlite, db: Database) {
    const { capi, wasm } = sqlite.api
    this.#sqlite = sqlite
    const place = wasm.alloc(8)
    try {
      wasm.pokePtr(place, 0)
      capi.sqlite3_file_control(db.pointer ?? 0, 'main', capi.SQLITE_FCNTL_FILE_POINTER, place)
      this.#file = wasm.peekPtr(place)
    } finally {
      wasm.dealloc(place)
    }
    const methods = wasm.peekPtr(this.#file)
    const entry = (offset: number) => wasm.functionEntry(wasm.peekPtr(methods + offset)) as FileCall
    this.#calls = { read: entry(xRead), write: entry(xWrite), size: entry(xFileSize) }
  }

  size(): number {
    return this.#within(8, (place) => {
      this.#check(this.#calls.size(this.#file, place))
      // A bigint, whatever its type says.
      const size: unknown = this.#sqlite.api.wasm.peek(place, 'i64')
      return Number(size)
    })
  }

  read(offset: number, length: number): Uint8Array {
    return this.#within(length, (place) => {
      this.#check(this.#calls.read(this.#file, place, length, BigInt(offset)))
      return this.#sqlite.api.wasm.heap8u().slice(place, place + length)
    })
  }

  write(offset: number, bytes: Uint8Array): void {
    this.#within(bytes.length, (place) => {
      this.#sqlite.api.wasm.heap8u().set(bytes, place)
      this.#check(this.#calls.write(this.#file, place, bytes.length, BigInt(offset)))
    })
  }

  #within<Result>(length: number, body: (place: number) => Result): Result {
    const { wasm } = this.#sqlite.api
    this.#sqlite.takeFileError()
    const place = wasm.alloc(Math.max(1, length))
    try {
      return body(place)
    } finally {
      wasm.dealloc(place)
    }
  }

  #check(code: number | bigint): void {
    if (Number(code) === 0) return
    const cause = this.#sqlite.takeFileError()
    const full =
      (cause instanceof Error && cause.name === 'QuotaExceededError') || Number(code) === sqliteFull
    throw persistenceFailed(
      full ? 'full' : 'failed',
      full ? 'There is no room left for a copy of the log.' : 'A file could not be read or written.',
      cause,
    )
  }
}

type FileCall = (...values: readonly (number | bigint)[]) => number | bigint

interface FileCalls {
  readonly read: FileCall
  readonly write: FileCall
  readonly size: FileCall
}

// Offsets of members in sqlite3_io_methods, 4 bytes each behind the version.
const xRead = 8
const xWrite = 12
const xFileSize = 24

/** SQLITE_FULL: also what memory says when it is at its limit. */
const sqliteFull = 13
