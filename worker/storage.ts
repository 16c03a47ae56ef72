import type { SAHPoolUtil } from '@sqlite.org/sqlite-wasm'
import type { StorageKind } from '../src/core/corpus.ts'
import { isSessionQueryError, persistenceFailed } from '../src/core/errors.ts'
import type { HostOptions } from '../src/core/protocol.ts'
import type { SqlDatabase } from '../src/sql/database.ts'
import { freeInSlices, indexSchema, isOurs, logSchema, type Schema } from '../src/sql/schema.ts'
import { memoryScratch, poolScratch, removeScratch, type OpenScratch } from './scratch.ts'
import { openMemoryDatabase, WasmDatabase, type Sqlite } from './sqlite.ts'

/** The two databases of a corpus, where they are, and how to let go of them. */
export interface Storage {
  readonly log: SqlDatabase
  readonly index: SqlDatabase
  readonly storage: { readonly kind: StorageKind; readonly because?: string }
  /** Makes a database beside them, for work that copies the log. */
  readonly openScratch: OpenScratch
  /** Gives the files back for the next page to use; the databases have to be closed by then. */
  onClose(): void
}

/**
 * Opens the databases in OPFS or in memory, as asked. With `auto` memory is taken only where OPFS
 * cannot be had at all, and the result says why.
 *
 * @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` with reason `unavailable`, `busy` or `failed`
 */
export async function openStorage(
  sqlite: Sqlite,
  { name, storage }: Pick<HostOptions, 'name' | 'storage'>,
): Promise<Storage> {
  if (storage === 'memory') return inMemory(sqlite)
  try {
    return await inOpfs(sqlite, name)
  } catch (error) {
    const unavailable = isSessionQueryError(error) && error.reason === 'unavailable'
    if (storage === 'opfs' || !unavailable) throw error
    return inMemory(sqlite, error.message)
  }
}

/**
 * Takes a Web Lock and returns when it is held.
 *
 * @param patience how long to wait for it, in milliseconds
 * @returns what gives it back
 * @throws DOMException `TimeoutError` when somebody else held it all that time
 */
export async function holdLock(name: string, patience = Infinity): Promise<() => void> {
  if (!('locks' in navigator)) return () => undefined
  const signal = Number.isFinite(patience) ? AbortSignal.timeout(patience) : undefined
  return new Promise((resolve, reject) => {
    const held = new Promise<void>((release) => {
      navigator.locks
        .request(name, signal === undefined ? {} : { signal }, () => {
          resolve(release)
          return held
        })
        .catch(reject)
    })
  })
}

/** How long another page may take to go away, in milliseconds: ending a worker in mid-query takes 2 s. */
const lockPatience = 4000

/** A pool whose handles are still being released by the browser is tried again after these times. */
const poolRetries = [100, 300, 900]

/** What browsers throw where OPFS is not to be had; anything else may be better the next time. */
const refusals = new Set(['SecurityError', 'NotAllowedError', 'NotSupportedError', 'UnknownError'])

/** Files in the pool: two databases, each with its journal, and room for temporary ones. */
const poolCapacity = 8

function inMemory(sqlite: Sqlite, because?: string): Storage {
  return {
    log: openMemoryDatabase(sqlite),
    index: openMemoryDatabase(sqlite),
    openScratch: memoryScratch(sqlite),
    storage: { kind: 'memory', ...(because === undefined ? {} : { because }) },
    onClose: () => undefined,
  }
}

async function inOpfs(sqlite: Sqlite, name: string): Promise<Storage> {
  await probeOpfs()
  // First the lock, then SQLite: two pages that open one pool at the same time can lose all of it.
  const release = await ownership(name)
  try {
    const pool = await openPool(sqlite, name)
    try {
      removeScratch(pool)
      return {
        log: openFile(sqlite, pool, '/log.sqlite3', logSchema),
        index: openIndexFile(sqlite, pool),
        openScratch: poolScratch(sqlite, pool),
        storage: { kind: 'opfs' },
        onClose() {
          pool.pauseVfs()
          release()
        },
      }
    } catch (error) {
      pool.pauseVfs()
      throw error
    }
  } catch (error) {
    release()
    throw error
  }
}

async function probeOpfs(): Promise<void> {
  try {
    if (typeof FileSystemFileHandle.prototype.createSyncAccessHandle !== 'function')
      throw new TypeError()
    await navigator.storage.getDirectory()
  } catch (cause) {
    throw persistenceFailed(
      'unavailable',
      'This browser gives the page no private file system (OPFS), as in some private windows and old web views.',
      cause,
    )
  }
}

async function ownership(name: string): Promise<() => void> {
  try {
    return await holdLock(`session-query/${name}`, lockPatience)
  } catch (cause) {
    throw busy(name, cause)
  }
}

async function openPool(sqlite: Sqlite, name: string): Promise<SAHPoolUtil> {
  // Without the first of the last two, a pool that fails to open is deleted. The types lack the second.
  const options = {
    name: 'session-query',
    directory: `/session-query/${name}`,
    initialCapacity: poolCapacity,
    preserveOnInitFailure: true,
    forceReinitIfPreviouslyFailed: true,
  }
  for (const pause of [...poolRetries, undefined]) {
    try {
      return await sqlite.api.installOpfsSAHPoolVfs(options)
    } catch (cause) {
      const { name: kind } = cause instanceof Error ? cause : new Error()
      if (refusals.has(kind)) {
        throw persistenceFailed(
          'unavailable',
          'This browser lets the page use no private file system (OPFS).',
          cause,
        )
      }
      if (kind !== 'NoModificationAllowedError') {
        throw persistenceFailed(
          'failed',
          'The private file system (OPFS) of this page could not be opened.',
          cause,
        )
      }
      if (pause === undefined) throw busy(name, cause)
      await new Promise((resume) => setTimeout(resume, pause))
    }
  }
  throw busy(name)
}

function openFile(sqlite: Sqlite, pool: SAHPoolUtil, path: string, schema: Schema): SqlDatabase {
  const db = WasmDatabase.open(sqlite, () => new pool.OpfsSAHPoolDb(path))
  try {
    db.query('PRAGMA locking_mode = exclusive')
    // What is not ours is not touched, not even its journal mode; opening the corpus will refuse it.
    if (!isOurs(db, schema)) return db
    // What was deleted is overwritten, also where the file is not made smaller.
    db.query('PRAGMA secure_delete = on')
    freeInSlices(db)
    db.query('PRAGMA journal_mode = wal')
    db.query('PRAGMA synchronous = normal')
    db.query('PRAGMA journal_size_limit = 4194304')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** The index can always be made anew, so a file that is damaged is given up. */
function openIndexFile(sqlite: Sqlite, pool: SAHPoolUtil): SqlDatabase {
  const path = '/index.sqlite3'
  try {
    return openFile(sqlite, pool, path, indexSchema)
  } catch (error) {
    if (!isSessionQueryError(error) || error.reason !== 'corrupt') throw error
    pool.unlink(path)
    return openFile(sqlite, pool, path, indexSchema)
  }
}

function busy(name: string, cause?: unknown): Error {
  return persistenceFailed(
    'busy',
    `The corpus ${JSON.stringify(name)} is open in another tab or worker; close it there and try again.`,
    cause,
  )
}
