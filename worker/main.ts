import { expose } from 'comlink'
import { resolveOptions } from '../src/core/options.ts'
import { createStore } from '../src/sql/create-store.ts'
import { createHost } from './host.ts'
import { loadSqlite } from './sqlite.ts'
import { holdLock, openStorage } from './storage.ts'

const host = createHost(async (options) => {
  const resolved = resolveOptions(options)
  await holdLock(options.lifeLock)
  const storage = await openStorage(await loadSqlite(), options)
  return createStore({ ...storage, options: resolved })
})

expose(host)
