import { expose } from 'comlink'
import { createStore } from '../src/sql/create-store.ts'
import { createHost } from './host.ts'
import { loadSqlite } from './sqlite.ts'
import { holdLock, openStorage } from './storage.ts'
import { storeThread } from './store-thread.ts'
import { turns } from './turns.ts'

const turn = turns()

const host = createHost(turn, async ({ options, lifeLock, name, storage: choice }, onIndexChange) => {
  await holdLock(lifeLock)
  const sqlite = await loadSqlite()
  const { openScratch, ...storage } = await openStorage(sqlite, { name, storage: choice })
  return createStore({
    ...storage,
    options,
    thread: storeThread(sqlite, turn, openScratch),
    onIndexChange,
  })
})

expose(host)
