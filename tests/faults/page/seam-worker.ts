import { expose } from 'comlink'
import { createStore } from '../../../src/sql/create-store.ts'
import { createHost } from '../../../worker/host.ts'
import { loadSqlite } from '../../../worker/sqlite.ts'
import { holdLock, openStorage } from '../../../worker/storage.ts'
import { storeThread } from '../../../worker/store-thread.ts'
import { turns } from '../../../worker/turns.ts'
import { inspect } from './inspection.ts'

const turn = turns()

/** The worker of the library, which its name makes do something with the databases first. */
const host = createHost(turn, async ({ options, lifeLock, name, storage: choice }, onIndexChange) => {
  await holdLock(lifeLock)
  const sqlite = await loadSqlite()
  const storage = await openStorage(sqlite, { name, storage: choice })
  if (self.name === 'inspect') postMessage({ inspection: inspect(storage) })
  else storage.index.query('UPDATE session_query SET version = 0')
  return createStore({
    ...storage,
    options,
    thread: storeThread(sqlite, turn),
    onIndexChange,
  })
})

expose(host)
