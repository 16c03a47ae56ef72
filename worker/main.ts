import { expose } from 'comlink'
import { createStore } from '../src/sql/create-store.ts'
import { createHost } from './host.ts'
import { loadSqlite } from './sqlite.ts'
import { holdLock, openStorage } from './storage.ts'

const host = createHost(async ({ options, lifeLock, ...where }) => {
  await holdLock(lifeLock)
  const storage = await openStorage(await loadSqlite(), where)
  return createStore({ ...storage, options })
})

expose(host)
