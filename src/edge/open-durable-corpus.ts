import type { SessionCorpus, SessionStore } from '../core/corpus.ts'
import { quoted } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import {
  invalidConfig,
  optionsObject,
  resolveOptions,
  type CorpusOptions,
  type ResolvedOptions,
} from '../core/options.ts'
import { Changes } from '../live/changes.ts'
import type { LiveEnvironment, LiveSessions } from '../live/live-sessions.ts'
import { createLogicalCorpus } from '../live/logical-corpus.ts'
import { createDurableEngine } from './durable-engine.ts'
import type { DurableStorage } from './durable-storage.ts'
import { shared } from './shared-corpora.ts'

/** Settings of a corpus in a Durable Object. */
export interface DurableCorpusOptions extends CorpusOptions {
  /** Tells several corpora of one object apart: 1 to 32 letters and digits, whatever their case. Default `default`. */
  readonly name?: string
  /**
   * Called when something was stored and waits to be indexed. Set an alarm, and call {@link DurableCorpus.advanceIndex}
   * when it rings; left out, the next search brings the index up to date by itself, and takes the longer.
   */
  readonly onIndexBehind?: () => void
}

/** A corpus in a Durable Object's own database. */
export interface DurableCorpus extends SessionCorpus {
  /**
   * Indexes some of what was stored: in batches, since every row that is written is billed, and the index of many
   * events at a time has fewer rows.
   *
   * @param mostEvents how many, so that the object is not kept busy for long; of a longer one every 4,096 characters
   *   of JSON count. Default 5000
   * @returns whether nothing is left to index
   * @throws SessionQueryError `SESSION_QUERY_INDEX_FAILED`
   */
  advanceIndex(mostEvents?: number): Promise<boolean>
}

/**
 * Opens the corpus of a Durable Object, in tables of its own whose names begin with `session_query_`, beside whatever
 * else the object keeps. It may stay open as long as the object is in memory. Opened again with the same options it is the
 * same corpus, which is closed when all who opened it have closed it.
 *
 * Its calls wait for timers in between, which do not come within `storage.transaction`: make none there.
 *
 * Two defaults differ from those of a page: `openIndexAt` is `'first-search'`, since an object wakes often and
 * searches seldom, and `writeBatchMs` is 0, since nothing but the object keeps what is not stored.
 *
 * @param storage `ctx.storage` of an object with SQLite storage
 * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG`, naming the option, also where the corpus is open with
 *   another value of it; `SESSION_QUERY_PERSISTENCE_FAILED` when
 *   the tables are of a newer version; they are left as they are
 */
export function openDurableCorpus(
  storage: DurableStorage,
  options: DurableCorpusOptions = {},
): DurableCorpus {
  return openDurable(storage, options).corpus
}

/** A corpus, and what of it is not for everybody. */
export interface OpenedDurable {
  readonly corpus: DurableCorpus
  /** The stored half by itself, for corpora elsewhere that are laid over it. */
  readonly store: SessionStore
  /** The sessions that are open in the object. */
  readonly live: LiveSessions
}

/** As {@link openDurableCorpus}. */
export function openDurable(storage: DurableStorage, options: DurableCorpusOptions): OpenedDurable {
  const { onIndexBehind, name = 'default', ...given } = optionsObject(options)
  const resolved = resolveOptions({ ...objectDefaults, ...given })
  checkStorage(storage)
  const wish = { name: checkedName(name), options: resolved, onIndexBehind }
  return shared(storage, wish, (behind) => opened(storage, wish.name, resolved, behind))
}

function opened(
  storage: DurableStorage,
  name: string,
  resolved: ResolvedOptions,
  onIndexBehind: () => void,
): OpenedDurable {
  const changes = new Changes()
  const engine = createDurableEngine(storage, name, {
    options: resolved,
    onIndexChange: (index) => changes.tell({ kind: 'index', index }),
    onIndexBehind,
  })
  const store = withPlace(engine.view(resolved))
  const { corpus, live } = createLogicalCorpus({
    store,
    environment: objectEnvironment,
    requestPersistence: async () => true,
    options: resolved,
    changes,
  })
  const advanceIndex = (mostEvents = defaultBatch) => engine.advanceIndex(mostEvents)
  return { corpus: { ...corpus, advanceIndex }, store, live }
}

export const objectDefaults = { openIndexAt: 'first-search', writeBatchMs: 0 } as const

/** Some hundred milliseconds. */
const defaultBatch = 5000

export const objectEnvironment: LiveEnvironment = {
  now: () => Date.now(),
  newId: () => crypto.randomUUID(),
  later: (milliseconds, run) => void setTimeout(run, milliseconds),
}

/** What an object has is kept. */
function withPlace(store: SessionStore): SessionStore {
  return {
    ...store,
    async status(request, call) {
      const status = await store.status(request, call)
      return { ...status, storage: { ...status.storage, persistent: true } }
    },
  }
}

function checkStorage(storage: DurableStorage): void {
  // Not every object has SQLite: where it has not, the very look at it throws.
  if (isObject(storage) && hasSql(storage)) return
  throw invalidConfig(
    `storage is ${isObject(storage) ? 'one without SQLite' : quoted(storage)}; it has to be ctx.storage of a Durable Object whose class is in new_sqlite_classes.`,
  )
}

function hasSql(storage: Partial<DurableStorage>): boolean {
  try {
    return typeof storage.sql?.exec === 'function'
  } catch {
    return false
  }
}

function checkedName(name: unknown): string {
  // In names of tables case does not count.
  if (typeof name === 'string' && /^[a-zA-Z0-9]{1,32}$/.test(name)) return name.toLowerCase()
  throw invalidConfig(`name is ${quoted(name)}; it has to be 1 to 32 letters and digits.`)
}
