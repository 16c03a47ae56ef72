import type { IndexStatus, SessionCorpus, SessionStore } from '../../src/core/corpus.ts'
import { optionsObject, resolveOptions, type CorpusOptions } from '../../src/core/options.ts'
import { fileRooms } from '../../src/edge/file-rooms.ts'
import { Changes } from '../../src/live/changes.ts'
import { createLogicalCorpus } from '../../src/live/logical-corpus.ts'
import { createStore } from '../../src/sql/create-store.ts'
import { withNames, type SqlDatabase } from '../../src/sql/database.ts'
import { processEnvironment } from '../../worker/in-process.ts'
import { loadSqlite } from '../../worker/sqlite.ts'
import { storeThread } from '../../worker/store-thread.ts'

const sqlite = await loadSqlite()

/** A host with one database for everything: no file of its own, no other database beside it, small values. */
export interface Host {
  readonly log: SqlDatabase
  readonly store: SessionStore
  readonly corpus: SessionCorpus
  /** What is run on the database, if anything is to watch it. */
  watch: ((sql: string) => void) | undefined
}

/**
 * Opens a corpus in a database, which outlives it.
 *
 * @param longestText that it takes in a column
 */
export function openHost(db: SqlDatabase, longestText = 5000, given: CorpusOptions = {}): Host {
  const options = resolveOptions(optionsObject(given))
  const host: { watch: Host['watch'] } = { watch: undefined }
  const seen = (prefix: string): SqlDatabase => ({
    ownsFile: false,
    prefix,
    longestText,
    query(sql, values = []) {
      if (/^\s*(PRAGMA|ATTACH|VACUUM)/i.test(sql)) throw new Error(`Not here: ${sql}`)
      const large = values.find((value) => value instanceof Uint8Array && value.length > 2_000_000)
      if (large !== undefined) throw new Error('A value is too large.')
      host.watch?.(sql)
      return db.query(withNames(sql, prefix), values)
    },
    columns: (sql, values) => db.columns(withNames(sql, prefix), values),
    transaction: (body) => db.transaction(body),
    interruptible: (due, body) => db.interruptible(due, body),
    size: () => db.size(),
    close: () => undefined,
  })
  const log = seen('log_')
  const thread = { ...storeThread(sqlite), openRoom: fileRooms(log) }
  const storage = { kind: 'memory' } as const
  const changes = new Changes()
  const onIndexChange = (index: IndexStatus): void => changes.tell({ kind: 'index', index })
  const index = seen('index_')
  const store = createStore({ log, index, storage, options, thread, onIndexChange })
  const parts = { store, environment: processEnvironment, options, changes }
  const { corpus } = createLogicalCorpus(parts)
  return Object.assign(host, { log, store, corpus })
}
