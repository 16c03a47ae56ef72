import type { SAHPoolUtil } from '@sqlite.org/sqlite-wasm'
import type { StoragePlace } from '../src/core/corpus.ts'
import { isSessionQueryError, persistenceFailed } from '../src/core/errors.ts'
import type { StorageChoice } from '../src/core/protocol.ts'
import type { SqlDatabase } from '../src/sql/database.ts'
import { freeInSlices, indexSchema, isOurs, logSchema, type Schema } from '../src/sql/schema.ts'
import { memoryScratch, poolScratch, removeScratch, type OpenScratch } from './scratch.ts'
import { openMemoryDatabase, WasmDatabase, type Sqlite } from './sqlite.ts'

/** The two databases of a corpus, where they are, and how to let go of them. */
export interface Storage {
  readonly log: SqlDatabase
  readonly index: SqlDatabase
  readonly storage: StoragePlace
  /** Makes a database beside them, for work that copies the log. */
  readonly openScratch: OpenScratch
  /** Gives the files back for the next page to use; the databases have to be closed by then. */
  onClose(): void
}

/**
 * Where a corpus can be kept, by what was asked for. With `auto` memory is taken only where OPFS cannot be had
 * at all, and the result says why.
 *
 * @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` with reason `unavailable`
 */
export async function availableStorage(storage: StorageChoice): Promise<StoragePlace> {
  if (storage === 'memory') return { kind: 'memory' }
  try {
    await probeOpfs()
    return { kind: 'opfs' }
  } catch (error) {
    return orMemory(storage, error)
  }
}

/**
 * What stands in for storage that could not be opened, if anything.
 *
 * @throws the error itself, where it does not say that there is no OPFS, or OPFS was asked for
 */
export function orMemory(storage: StorageChoice, error: unknown): StoragePlace {
  const unavailable = isSessionQueryError(error) && error.reason === 'unavailable'
  if (storage === 'opfs' || !unavailable) throw error
  return { kind: 'memory', because: error.message }
}

/** A pool whose handles are still being released by the browser is tried again after these times. */
const poolRetries = [100, 300, 900]

/** What browsers throw where OPFS is not to be had; anything else may be better the next time. */
const refusals = new Set(['SecurityError', 'NotAllowedError', 'NotSupportedError', 'UnknownError'])

/** Files in the pool: two databases, each with its journal, and room for temporary ones. */
const poolCapacity = 8

/** Databases that are gone when they are closed. */
export function memoryStorage(sqlite: Sqlite, storage: StoragePlace = { kind: 'memory' }): Storage {
  return {
    log: openMemoryDatabase(sqlite),
    index: openMemoryDatabase(sqlite),
    storage,
    openScratch: memoryScratch(sqlite),
    onClose: () => undefined,
  }
}

/**
 * Opens the databases in OPFS. Whoever calls this holds the corpus' Web Lock: two pages that open one pool at the
 * same time can lose all of it.
 *
 * @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` with reason `unavailable`, `full`, `busy`, `corrupt` or
 *   `failed`
 */
export async function opfsStorage(sqlite: Sqlite, name: string): Promise<Storage> {
  const pool = await openPool(sqlite, name)
  try {
    removeScratch(pool)
    // One that ran out of room while it was made has fewer files than it needs.
    await pool.reserveMinimumCapacity(poolCapacity).catch((cause: unknown) => {
      throw notOpened(cause)
    })
    return {
      log: openFile(sqlite, pool, '/log.sqlite3', logSchema),
      index: openIndexFile(sqlite, pool),
      openScratch: poolScratch(sqlite, pool),
      storage: { kind: 'opfs' },
      onClose: () => void pool.pauseVfs(),
    }
  } catch (error) {
    pool.pauseVfs()
    throw error
  }
}

/** How often to look whether the files are still there, in milliseconds. */
const lookEvery = 2000

/**
 * Notices that the browser has removed the files of a corpus. Writing goes on without an error then, into what nobody
 * will find again.
 *
 * @returns what ends the watch
 */
export function whenCleared(name: string, cleared: () => void): () => void {
  const timer = setInterval(async () => {
    try {
      const root = await navigator.storage.getDirectory()
      await (await root.getDirectoryHandle('session-query')).getDirectoryHandle(name)
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== 'NotFoundError') return
      clearInterval(timer)
      cleared()
    }
  }, lookEvery)
  return () => clearInterval(timer)
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
      const pool = await sqlite.api.installOpfsSAHPoolVfs(options)
      // Of an earlier attempt in this worker, which gave its files back.
      if (pool.isPaused()) await pool.unpauseVfs()
      return pool
    } catch (cause) {
      const { name: kind } = cause instanceof Error ? cause : new Error()
      if (refusals.has(kind)) {
        throw persistenceFailed(
          'unavailable',
          'This browser lets the page use no private file system (OPFS).',
          cause,
        )
      }
      if (kind !== 'NoModificationAllowedError') throw notOpened(cause)
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

function notOpened(cause: unknown): Error {
  return cause instanceof Error && cause.name === 'QuotaExceededError'
    ? persistenceFailed('full', 'There is no room left for the files of this corpus.', cause)
    : persistenceFailed(
        'failed',
        'The private file system (OPFS) of this page could not be opened.',
        cause,
      )
}

function busy(name: string, cause?: unknown): Error {
  return persistenceFailed(
    'busy',
    `The corpus ${JSON.stringify(name)} is open in another tab or worker; close it there and try again.`,
    cause,
  )
}
