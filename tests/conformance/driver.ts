import { createStore } from '../../src/sql/create-store.ts'
import { logSchema, openSchema } from '../../src/sql/schema.ts'
import { processEnvironment } from '../../worker/in-process.ts'
import { loadSqlite, openMemoryDatabase } from '../../worker/sqlite.ts'
import { storeThread } from '../../worker/store-thread.ts'
import { driverOver, optionsOf, type CaseSetting, type Driver } from './operations.ts'
import { storeAsItIs } from './store-as-it-is.ts'

const sqlite = loadSqlite()

/** Opens the corpus in this thread over a log database that holds the sessions just as they are given. */
export async function openDriver(setting: CaseSetting): Promise<Driver> {
  const log = openMemoryDatabase(await sqlite)
  openSchema(log, logSchema)
  for (const session of setting.sessions) if (session.persisted) storeAsItIs(log, session)
  const index = openMemoryDatabase(await sqlite)
  const options = optionsOf(setting.config)
  const store = createStore({
    log,
    index,
    storage: { kind: 'memory' },
    options,
    thread: storeThread(await sqlite),
  })
  return driverOver(store, setting, processEnvironment)
}
