import { expose } from 'comlink'
import { corpusLock, lifeLock } from '../../../src/core/tabs.ts'
import { createStore } from '../../../src/sql/create-store.ts'
import { createHost } from '../../../worker/host.ts'
import { holdLock } from '../../../worker/locks.ts'
import { loadSqlite } from '../../../worker/sqlite.ts'
import { soleSeat } from '../../../worker/seat.ts'
import { opfsStorage } from '../../../worker/storage.ts'
import { storeThread } from '../../../worker/store-thread.ts'
import { turns } from '../../../worker/turns.ts'
import { inspect } from './inspection.ts'

const turn = turns()

/** The worker of the library, which its name makes do something with the databases first. */
const host = createHost(turn, async ({ options, tab, name }, tell) => {
  await holdLock(lifeLock(tab))
  await holdLock(corpusLock(name))
  const sqlite = await loadSqlite()
  const storage = await opfsStorage(sqlite, name)
  if (self.name === 'inspect') postMessage({ inspection: inspect(storage) })
  else storage.index.query('UPDATE session_query SET version = 0')
  const store = createStore({
    ...storage,
    options,
    thread: storeThread(sqlite, turn),
    onIndexChange: (index) => tell({ kind: 'index', index }),
  })
  return soleSeat(store, { kind: 'opfs' })
})

expose(host)
