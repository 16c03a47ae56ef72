import type { Database } from '@sqlite.org/sqlite-wasm'
import { loadSqlite, WasmDatabase } from '../../worker/sqlite.ts'

const sqlite = await loadSqlite()
const { capi } = sqlite.api

export interface DatabaseOfBytes {
  readonly raw: Database
  readonly db: WasmDatabase
  /** Every byte of it as a file. */
  readonly bytes: () => Uint8Array
}

/** @param bytes what it is made of; empty without */
export function databaseOfBytes(bytes?: Uint8Array): DatabaseOfBytes {
  const raw = new sqlite.api.oo1.DB(':memory:', 'c')
  if (bytes !== undefined) {
    const place = sqlite.api.wasm.allocFromTypedArray(Uint8Array.from(bytes))
    const flags = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_RESIZEABLE
    capi.sqlite3_deserialize(raw.pointer ?? 0, 'main', place, bytes.length, bytes.length, flags)
  }
  const db = WasmDatabase.open(sqlite, () => raw)
  return { raw, db, bytes: () => capi.sqlite3_js_db_export(raw) }
}
