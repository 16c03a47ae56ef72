import { expose } from 'comlink'
import { createStore } from '../src/sql/create-store.ts'
import { createHost } from './host.ts'
import { turns } from './turns.ts'
import { loadSqlite, openMemoryDatabase } from './sqlite.ts'
import { holdLock, openStorage } from './storage.ts'

const turn = turns()

const host = createHost(turn, async ({ options, lifeLock, name, storage: choice }) => {
  await holdLock(lifeLock)
  const sqlite = await loadSqlite()
  const storage = await openStorage(sqlite, { name, storage: choice })
  return createStore({
    ...storage,
    options,
    openMemory: () => openMemoryDatabase(sqlite),
    now: () => performance.now(),
    pause: turn,
  })
})

expose(host)
