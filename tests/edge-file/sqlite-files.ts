import { onTestFinished } from 'vitest'
import type { SqlDatabase } from '../../src/sql/database.ts'
import { loadSqlite } from '../../worker/sqlite.ts'
import { databaseOfBytes } from '../node/database-of-bytes.ts'
import { FileReader } from '../../src/edge/file/file-reader.ts'
import {
  FileWriter,
  type FileLayout,
  type FileMarks,
  type SchemaEntry,
} from '../../src/edge/file/file-writer.ts'
import type { FileValue } from '../../src/edge/file/write-record.ts'

const sqlite = await loadSqlite()
const { capi } = sqlite.api

/** A database of SQLite's own, of which the bytes can be had, and which can be made of bytes. */
export interface SqliteFile {
  readonly db: SqlDatabase
  readonly bytes: () => Uint8Array
  /** Keeps the last bytes of each page free; comes before the first table. */
  readonly reserve: (bytes: number) => void
}

/** SQLITE_FCNTL_RESERVE_BYTES. */
const reserveBytes = 38

/** @param given what it is made of; empty without */
export function sqliteFile(given?: Uint8Array): SqliteFile {
  const { raw, db, bytes } = databaseOfBytes(given)
  onTestFinished(() => db.close())
  return {
    db,
    bytes,
    reserve(count) {
      const place = sqlite.api.wasm.alloc(4)
      sqlite.api.wasm.poke(place, count, 'i32')
      capi.sqlite3_file_control(raw.pointer ?? 0, 'main', reserveBytes, place)
      sqlite.api.wasm.dealloc(place)
    },
  }
}

export function readerOf(bytes: Uint8Array): FileReader {
  return new FileReader((offset, length) => bytes.subarray(offset, offset + length), bytes.length)
}

/** What goes into a file: a table with rows, or an index with entries. */
export interface Tree {
  readonly entry: SchemaEntry
  readonly rows: readonly { readonly rowid: number; readonly values: readonly FileValue[] }[]
}

/** The bytes of a file with these trees. */
export function written(marks: FileMarks, trees: readonly Tree[]): Uint8Array {
  const pages: Uint8Array[] = []
  const layout = filled(FileWriter.counting(marks), trees)
  filled(
    FileWriter.writing(marks, layout, (page) => pages.push(page)),
    trees,
  )
  return Buffer.concat(pages)
}

function filled(writer: FileWriter, trees: readonly Tree[]): FileLayout {
  for (const { entry, rows } of trees) {
    writer.begin(entry)
    for (const { rowid, values } of rows) {
      if (entry.type === 'table') writer.addRow(rowid, values)
      else writer.addEntry(values)
    }
    writer.end()
  }
  return writer.finish()
}
