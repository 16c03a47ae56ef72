import type { SessionCorpus } from '../src/core/corpus.ts'
import { optionsObject, resolveOptions, type CorpusOptions } from '../src/core/options.ts'
import { Changes } from '../src/live/changes.ts'
import type { LiveEnvironment } from '../src/live/live-sessions.ts'
import { createLogicalCorpus } from '../src/live/logical-corpus.ts'
import { createStore } from '../src/sql/create-store.ts'
import { loadSqlite, openMemoryDatabase } from './sqlite.ts'
import { storeThread } from './store-thread.ts'

export type * from '../src/core/corpus.ts'
export type { CorpusOptions } from '../src/core/options.ts'

/**
 * Opens a corpus in memory and in this thread: the same as the one in a worker, for Node, tests and
 * servers. What it holds is gone when it is closed.
 *
 * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG`, naming the option
 */
export async function openMemoryCorpus(options: CorpusOptions = {}): Promise<SessionCorpus> {
  const resolved = resolveOptions(optionsObject(options))
  const sqlite = await loadSqlite()
  const changes = new Changes()
  const store = createStore({
    log: openMemoryDatabase(sqlite),
    index: openMemoryDatabase(sqlite),
    storage: { kind: 'memory' },
    options: resolved,
    thread: storeThread(sqlite),
    onIndexChange: (index) => changes.tell({ kind: 'index', index }),
  })
  const parts = { store, environment: processEnvironment, options: resolved, changes }
  return createLogicalCorpus(parts).corpus
}

/** The clock, the randomness and the timers of this thread. */
export const processEnvironment: LiveEnvironment = {
  now: () => Date.now(),
  newId: () => Array.from(crypto.getRandomValues(new Uint32Array(4)), hex).join(''),
  later: (milliseconds, run) => void setTimeout(run, milliseconds),
}

function hex(part: number): string {
  return part.toString(16).padStart(8, '0')
}
