import type { StoreThread } from '../src/sql/create-store.ts'
import { scratchRoom } from '../src/sql/scratch-room.ts'
import { memoryScratch, type OpenScratch } from './scratch.ts'
import { openMemoryDatabase, type Sqlite } from './sqlite.ts'

/** The clock and the memory of this thread, which scratch databases are in where they are not put elsewhere. */
export function storeThread(
  sqlite: Sqlite,
  pause: () => Promise<void> = nextTask,
  openScratch: OpenScratch = memoryScratch(sqlite),
): StoreThread {
  return {
    openRoom: async () => scratchRoom(await openScratch()),
    openMemory: () => openMemoryDatabase(sqlite),
    now: () => performance.now(),
    pause,
  }
}

function nextTask(): Promise<void> {
  return new Promise((resume) => {
    setTimeout(resume)
  })
}
