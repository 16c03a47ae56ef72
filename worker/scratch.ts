import type { Database, SAHPoolUtil } from '@sqlite.org/sqlite-wasm'
import { persistenceFailed } from '../src/core/errors.ts'
import type { ScratchDatabase } from '../src/sql/scratch.ts'
import { RawFile } from './raw-file.ts'
import { translating, WasmDatabase, type Sqlite } from './sqlite.ts'

/** Makes an empty scratch database. */
export type OpenScratch = () => Promise<ScratchDatabase>

/** Scratch databases in memory, which are gone with their last connection. */
export function memoryScratch(sqlite: Sqlite): OpenScratch {
  return async () => {
    made += 1
    const place = `file:/scratch-${made}?vfs=memdb`
    return scratchAt(
      sqlite,
      () => new sqlite.api.oo1.DB(place, 'c'),
      () => undefined,
    )
  }
}

/** Numbers what is made in memory: one thread may have several corpora. */
let made = 0

/** Scratch databases in the pool of a corpus, which grows by their files. */
export function poolScratch(sqlite: Sqlite, pool: SAHPoolUtil): OpenScratch {
  let count = 0
  return async () => {
    count += 1
    const path = `${scratchPrefix}${count}.sqlite3`
    await pool.reserveMinimumCapacity(pool.getFileCount() + spareFiles)
    return scratchAt(
      sqlite,
      () => new pool.OpfsSAHPoolDb(path),
      () => pool.unlink(path),
    )
  }
}

/** Removes the scratch databases that were left behind when a worker ended in the midst of its work. */
export function removeScratch(pool: SAHPoolUtil): void {
  for (const name of pool.getFileNames()) {
    if (name.startsWith(scratchPrefix)) pool.unlink(name)
  }
}

const scratchPrefix = '/scratch-'

/** Beside the one that is made: journals that come and go, and what SQLite sorts in. */
const spareFiles = 5

interface OpenFile {
  readonly connection: Database
  readonly file: RawFile
}

function scratchAt(sqlite: Sqlite, open: () => Database, unlink: () => void): ScratchDatabase {
  const opened = (): OpenFile => {
    const connection = translating(sqlite, open)
    return { connection, file: new RawFile(sqlite, connection) }
  }
  let raw = opened()
  let db: WasmDatabase | undefined
  let removed = false

  /** What a pointer stands for is gone with its connection. */
  function file(): RawFile {
    if (!removed) return raw.file
    throw persistenceFailed('unavailable', 'The file was removed: the work that it was for has ended.')
  }

  return {
    database() {
      if (db !== undefined) return db
      // What was written past SQLite is seen by a connection that comes later.
      const later = opened()
      raw.connection.close()
      raw = later
      db = WasmDatabase.open(sqlite, () => raw.connection)
      db.query('PRAGMA locking_mode = exclusive')
      // Nobody goes on with it after a crash.
      db.query('PRAGMA journal_mode = memory')
      db.query('PRAGMA synchronous = off')
      db.query('PRAGMA secure_delete = on')
      return db
    },
    size: () => file().size(),
    read: (offset, length) => file().read(offset, length),
    write: (offset, bytes) => file().write(offset, bytes),
    remove() {
      if (removed) return
      removed = true
      if (db === undefined) raw.connection.close()
      else db.close()
      unlink()
    },
  }
}
