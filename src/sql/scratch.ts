import type { SqlDatabase } from './database.ts'

/**
 * A database that is made for one piece of work and removed at its end, and whose file can be read and written
 * past SQLite. It is not worth its journal: what is left of it after a crash is removed.
 */
export interface ScratchDatabase {
  /** The database, opened when it is asked for first; nothing is written past SQLite from then on. */
  database(): SqlDatabase
  /** Size of the file, in bytes. */
  size(): number
  read(offset: number, length: number): Uint8Array
  /** @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` with reason `full` or `failed` */
  write(offset: number, bytes: Uint8Array): void
  /** Closes the database and removes its file. */
  remove(): void
}
