import type { SessionStore } from '../../src/core/corpus.ts'
import { resolveOptions } from '../../src/core/options.ts'
import type { LiveEnvironment } from '../../src/live/live-sessions.ts'
import { createLogicalCorpus, type LogicalCorpus } from '../../src/live/logical-corpus.ts'
import { createStore } from '../../src/sql/create-store.ts'
import { loadSqlite, openMemoryDatabase } from '../../worker/sqlite.ts'
import { storeThread } from '../../worker/store-thread.ts'

const sqlite = await loadSqlite()
const options = resolveOptions({})

/** The store of the library, over SQLite in memory. */
export function steadyStore(): SessionStore {
  return createStore({
    log: openMemoryDatabase(sqlite),
    index: openMemoryDatabase(sqlite),
    storage: { kind: 'memory' },
    options,
    thread: storeThread(sqlite),
  })
}

/** A store that can be told to fail. */
export interface UnsteadyStore extends SessionStore {
  /** What it wraps: always works. */
  readonly steady: SessionStore
  /** Names of the methods that were called. */
  readonly calls: string[]
  /** From now on: what happens to a call of the method, before it reaches the store. */
  before(interfere: ((method: string) => unknown) | undefined): void
  /** As `before`, with an answer that is there already. */
  after(interfere: ((method: string) => unknown) | undefined): void
}

export function unsteadyStore(steady: SessionStore = steadyStore()): UnsteadyStore {
  const calls: string[] = []
  let before: ((method: string) => unknown) | undefined
  let after: ((method: string) => unknown) | undefined
  const own = {
    steady,
    calls,
    before: (interfere: typeof before) => void (before = interfere),
    after: (interfere: typeof after) => void (after = interfere),
  }
  return new Proxy(own as unknown as UnsteadyStore, {
    get(target, name: keyof UnsteadyStore) {
      if (Object.hasOwn(target, name) || !Object.hasOwn(steady, name)) return target[name]
      return async (...given: readonly unknown[]) => {
        calls.push(name)
        await before?.(name)
        const method = steady[name as keyof SessionStore] as (
          ...given: readonly unknown[]
        ) => Promise<unknown>
        const answer = await method(...given)
        await after?.(name)
        return answer
      }
    },
  })
}

/** A store that must not be asked anything. */
export function untouchableStore(): SessionStore {
  return new Proxy({} as SessionStore, {
    get(_target, name) {
      throw new Error(`The store was asked for ${String(name)}.`)
    },
  })
}

/** A corpus over a store, whose timers run when they are told to. */
export interface Scene extends LogicalCorpus {
  /** Lets the time pass that appended events wait. */
  pass(): Promise<void>
  /** What subscribers heard of storage. */
  readonly failures: unknown[]
}

export function sceneOver(store: SessionStore | undefined): Scene {
  const due: (() => void)[] = []
  let ids = 0
  const environment: LiveEnvironment = {
    now: () => 1_700_000_000_000 + ids,
    newId: () => {
      ids += 1
      return `session-${ids}`
    },
    later: (_milliseconds, run) => void due.push(run),
  }
  const logical = createLogicalCorpus({ store, environment, options })
  const failures: unknown[] = []
  logical.corpus.subscribe((change) => {
    if (change.kind === 'storage') failures.push(change.error)
  })
  return {
    ...logical,
    failures,
    async pass() {
      for (const run of due.splice(0)) run()
      // As long as a write that is under way takes in this thread.
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resume) => setImmediate(resume))
    },
  }
}
