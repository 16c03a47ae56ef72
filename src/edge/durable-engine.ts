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
  const prefixOf = (part: string) => `session_query_${name}_${part}_`
  const database = (part: string, counted = false) =>
    new DurableDatabase(storage, prefixOf(part), counted)
  const log = database('log', true)
  const scratch = () => new ScratchDatabase(storage, prefixOf('live'))
  // What was open and never stored when the object was put out of memory is not to stay.
  scratch()
  return createEngine({
    ...parts,
    log,
    index: database('index'),
    storage: { kind: 'durable-object' },
    thread: {
      openMemory: scratch,
      now: () => Date.now(),
      pause: nextTask,
      openRoom: fileRooms(database('file')),
    },
  })
}

/** A database for what is open and not stored, as there is no memory to have one in: it begins and ends empty. */
class ScratchDatabase extends DurableDatabase {
  constructor(storage: DurableStorage, prefix: string) {
    super(storage, prefix)
    this.#empty()
  }

  override close(): void {
    this.#empty()
    super.close()
  }

  #empty(): void {
    for (const table of ['word_instances', 'words']) this.query(`DROP TABLE IF EXISTS {${table}}`)
  }
}

function nextTask(): Promise<void> {
  return new Promise((resume) => {
    setTimeout(resume)
  })
}
