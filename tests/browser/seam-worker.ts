import { expose } from 'comlink'
import type { CorpusHost } from '../../src/core/protocol.ts'
import type { SessionLog } from '../../src/core/session.ts'
import { createStore } from '../../src/sql/create-store.ts'
import { logSchema, openSchema } from '../../src/sql/schema.ts'
import { createHost } from '../../worker/host.ts'
import { soleSeat } from '../../worker/seat.ts'
import { loadSqlite, openMemoryDatabase } from '../../worker/sqlite.ts'
import { storeThread } from '../../worker/store-thread.ts'
import { turns } from '../../worker/turns.ts'
import { storeAsItIs } from '../conformance/store-as-it-is.ts'

/** The worker of the library, of which a test can ask more. */
export interface SeamHost extends CorpusHost {
  /** Begins anew, with logs that are stored just as they are. */
  begin(logs: string): void
}

let host: Readonly<CorpusHost> = holding([])

/** A host in memory that holds these logs once it is opened. */
function holding(logs: readonly SessionLog[]): Readonly<CorpusHost> {
  return createHost(turns(), async ({ options }) => {
    const sqlite = await loadSqlite()
    const log = openMemoryDatabase(sqlite)
    openSchema(log, logSchema)
    for (const session of logs) storeAsItIs(log, session)
    return soleSeat(
      createStore({
        log,
        index: openMemoryDatabase(sqlite),
        storage: { kind: 'memory' },
        options,
        thread: storeThread(sqlite),
      }),
    )
  })
}

type Method = (...given: readonly unknown[]) => unknown

const seam = Object.fromEntries(
  Object.keys(host).map((name): [string, Method] => [
    name,
    (...given) => (host[name as keyof CorpusHost] as Method)(...given),
  ]),
)

expose({
  ...seam,
  begin: (logs: string) => {
    host = holding(JSON.parse(logs) as SessionLog[])
  },
})
