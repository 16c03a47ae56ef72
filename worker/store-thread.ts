import type { StoreThread } from '../src/sql/create-store.ts'
import { openMemoryDatabase, type Sqlite } from './sqlite.ts'

/** The clock and the memory of this thread. */
export function storeThread(sqlite: Sqlite, pause: () => Promise<void> = nextTask): StoreThread {
  return {
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
