import type { SessionCorpus, SessionStore } from '../core/corpus.ts'
import { quoted } from '../core/errors.ts'
import { invalidConfig, optionsObject, resolveOptions, type CorpusOptions } from '../core/options.ts'
import type { StorageChoice } from '../core/protocol.ts'
import { Changes } from '../live/changes.ts'
import type { LiveEnvironment } from '../live/live-sessions.ts'
import { createLogicalCorpus } from '../live/logical-corpus.ts'
import type { WorkerSource } from './corpus-worker.ts'
import { newId } from './new-id.ts'
import { OtherTabs } from './other-tabs.ts'
import { SessionLocks } from './session-locks.ts'
import { sharedStore } from './shared-store.ts'
import { TabSeat } from './tab-seat.ts'

export interface OpenOptions extends CorpusOptions {
  /**
   * Which corpus of this origin: up to 64 letters, digits, `-` and `_`. Pages of one origin that use
   * the same name share one corpus. Default `default`.
   */
  readonly name?: string
  /**
   * Where to keep it. `opfs` is the browser's private file system and survives everything but clearing
   * the site's data; `memory` is gone with the page; `auto` (the default) is `opfs` where that can be
   * had and memory elsewhere, and `status()` says which and why.
   */
  readonly storage?: StorageChoice
  /**
   * The worker to use instead of the one beside this file: for pages that serve it from elsewhere, or
   * whose Trusted Types policy has to make it. It belongs to the corpus, and ends with it.
   */
  readonly worker?: WorkerSource
}

/**
 * Opens the corpus of this page in a worker of its own. Pages of one origin that name the same corpus share it: the
 * worker of one has the databases open and answers the others; when it goes, another one takes over.
 *
 * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG` naming the option;
 *   `SESSION_QUERY_WORKER_FAILED` when the worker does not load or start;
 *   `SESSION_QUERY_PERSISTENCE_FAILED` with reason `unavailable` (no OPFS, and `storage` is `opfs`),
 *   `busy` (another tab has it open and does not answer), or `corrupt` or `failed`
 */
export async function openCorpus(options: OpenOptions = {}): Promise<SessionCorpus> {
  const { name = 'default', storage = 'auto', worker: source, ...rest } = optionsObject(options)
  const settings = {
    name: checkedName(name),
    storage: checkedStorage(storage),
    options: resolveOptions(rest),
  }
  const changes = new Changes()
  let reshow: (() => void) | undefined
  let flush: (() => Promise<unknown>) | undefined
  let storeAnew: (() => void) | undefined
  let seat: TabSeat | undefined

  const locks = new SessionLocks(settings.name, () => seat?.say((tab) => ({ kind: 'moved', tab })))
  /** Undefined where no other tab can reach the corpus. */
  let others: OtherTabs | undefined

  /** What could not be stored is tried again; what was open in a tab that is gone, is so no more. */
  function regained(): void {
    changes.tell({ kind: 'storage' })
    void flush?.()
    reshow?.()
    others?.look()
  }

  async function open(): Promise<{ store: SessionStore; shared: boolean }> {
    const { seat: taken, storage: place } = await TabSeat.open({
      settings,
      source,
      changed: (change) => changes.tell(change),
      regained,
      moved: () => others?.look(),
      cleared: () => storeAnew?.(),
      ended: () => locks.letGo(),
    })
    seat = taken
    // Browsers with OPFS and without Web Locks give it to one tab at a time.
    const shared = place.kind === 'opfs' && 'locks' in navigator
    others = shared ? new OtherTabs(locks, changes) : undefined
    if (shared) await locks.takeAgain()
    // In a task of its own, so that who subscribes as soon as the corpus is open hears of it.
    if (place.because !== undefined)
      pageEnvironment.later(0, () => changes.tell({ kind: 'storage', storage: place }))
    const made = sharedStore(taken, shared ? locks : undefined)
    reshow = () => made.reshow()
    return { store: made, shared }
  }

  const { store, shared } = await open()
  const { corpus, live } = createLogicalCorpus({
    store,
    openStore: async () => (await open()).store,
    environment: pageEnvironment,
    ...(shared ? { claims: locks } : {}),
    requestPersistence: async () => (await navigator.storage?.persist?.()) ?? false,
    options: settings.options,
    changes,
  })

  flush = () => live.flushAll()
  storeAnew = () => live.storeAnew()
  if (source === undefined || typeof source === 'function') return corpus
  return {
    ...corpus,
    reopen: async () => {
      throw invalidConfig(
        'worker is a Worker, which cannot be started twice; give a function that makes one.',
      )
    },
  }
}

const pageEnvironment: LiveEnvironment = {
  now: () => Date.now(),
  newId,
  later: (milliseconds, run) => void setTimeout(run, milliseconds),
}

function checkedName(name: unknown): string {
  if (typeof name === 'string' && /^[\w-]{1,64}$/.test(name)) return name
  throw invalidConfig(`name is ${quoted(name)}; it has to be 1 to 64 letters, digits, "-" and "_".`)
}

function checkedStorage(storage: unknown): StorageChoice {
  if (storage === 'auto' || storage === 'opfs' || storage === 'memory') return storage
  throw invalidConfig(`storage is ${quoted(storage)}; allowed are "auto", "opfs" and "memory".`)
}
