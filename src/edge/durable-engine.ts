import { createEngine, type StoreEngine, type StoreParts } from '../sql/create-store.ts'
import { DurableDatabase } from './durable-database.ts'
import type { DurableStorage } from './durable-storage.ts'
import { fileRooms } from './file-rooms.ts'

/**
 * The stored half of a corpus over a Durable Object's database.
 *
 * @param name tells it apart from others in the same object: letters and digits, so that the names of its tables
 *   begin like no other's
 */
export function createDurableEngine(
  storage: DurableStorage,
  name: string,
  parts: Pick<StoreParts, 'options' | 'onIndexChange' | 'onIndexBehind'>,
): StoreEngine {
  const database = (part: string, counted = false) =>
    new DurableDatabase(storage, `session_query_${name}_${part}_`, counted)
  const log = database('log', true)
  return createEngine({
    ...parts,
    log,
    index: database('index'),
    storage: { kind: 'durable-object' },
    thread: {
      openMemory: () => emptied(database('live')),
      now: () => Date.now(),
      pause: nextTask,
      openRoom: fileRooms(database('file')),
    },
  })
}

/** A database for what is open and not stored; there is no memory to have one in. */
function emptied(db: DurableDatabase): DurableDatabase {
  for (const table of ['word_instances', 'words']) db.query(`DROP TABLE IF EXISTS {${table}}`)
  return db
}

function nextTask(): Promise<void> {
  return new Promise((resume) => {
    setTimeout(resume)
  })
}
