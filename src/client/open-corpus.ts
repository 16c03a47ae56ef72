import { proxy, wrap, type Remote } from 'comlink'
import type { SessionCorpus, SessionStore } from '../core/corpus.ts'
import { quoted } from '../core/errors.ts'
import { invalidConfig, optionsObject, resolveOptions, type CorpusOptions } from '../core/options.ts'
import {
  protocol,
  type CorpusHost,
  type HostOptions,
  type IndexListener,
  type StorageChoice,
} from '../core/protocol.ts'
import { Changes } from '../live/changes.ts'
import type { LiveEnvironment } from '../live/live-sessions.ts'
import { createLogicalCorpus } from '../live/logical-corpus.ts'
import { Calls } from './calls.ts'
import { CorpusWorker, workerFailed, type WorkerSource } from './corpus-worker.ts'
import { remoteStore } from './remote-store.ts'
import { within } from './within.ts'

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
 * Opens the corpus of this page in a worker of its own.
 *
 * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG` naming the option;
 *   `SESSION_QUERY_WORKER_FAILED` when the worker does not load or start;
 *   `SESSION_QUERY_PERSISTENCE_FAILED` with reason `unavailable` (no OPFS, and `storage` is `opfs`),
 *   `busy` (another tab has it open), or `corrupt` or `failed`
 */
export async function openCorpus(options: OpenOptions = {}): Promise<SessionCorpus> {
  const { name = 'default', storage = 'auto', worker: source, ...rest } = optionsObject(options)
  const settings = {
    name: checkedName(name),
    storage: checkedStorage(storage),
    options: resolveOptions(rest),
  }
  const changes = new Changes()
  const open = (): Promise<SessionStore> =>
    openStore(settings, source, (index) => changes.tell({ kind: 'index', index }))
  const { corpus } = createLogicalCorpus({
    store: await open(),
    openStore: open,
    environment: pageEnvironment,
    options: settings.options,
    changes,
  })
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

type Settings = Omit<HostOptions, 'lifeLock' | 'cancelled'>

/** The store in a new worker. */
async function openStore(
  settings: Settings,
  source: WorkerSource | undefined,
  indexChanged: IndexListener,
): Promise<SessionStore> {
  const calls = new Calls()
  const worker = new CorpusWorker(source, (why) => calls.end(why))
  const host = wrap<CorpusHost>(worker.worker)
  const cancelled = globalThis.crossOriginIsolated
    ? new Int32Array(new SharedArrayBuffer(4 * cancelledCalls))
    : undefined
  const store = remoteStore(host, calls, {
    cancel(callId) {
      if (cancelled !== undefined) Atomics.store(cancelled, callId % cancelled.length, callId)
      void host.cancel(callId)
    },
    end: () => worker.end(workerFailed('The corpus is closed.')),
  })
  const lifeLock = `session-query/life/${newId()}`
  try {
    await calls.settle(greet(host))
    await calls.outcome(
      host.open(
        {
          ...settings,
          lifeLock,
          ...(cancelled === undefined ? {} : { cancelled: cancelled.buffer }),
        },
        proxy(indexChanged),
      ),
    )
    worker.followLock(lifeLock)
    return store
  } catch (error) {
    worker.end(workerFailed('The corpus could not be opened.', error))
    throw error
  }
}

/** How many cancelled calls are remembered for a worker that is too busy to read messages. */
const cancelledCalls = 256

const pageEnvironment: LiveEnvironment = {
  now: () => Date.now(),
  newId,
  later: (milliseconds, run) => void setTimeout(run, milliseconds),
}

/** Not `randomUUID`, which pages without HTTPS lack. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) =>
    part.toString(16).padStart(8, '0'),
  ).join('')
}

/** How long a worker may take to load, in milliseconds; for slow lines, not for slow programs. */
const startPatience = 10_000

/** @throws SessionQueryError `SESSION_QUERY_WORKER_FAILED` for a worker that is silent or not of this version */
async function greet(host: Remote<CorpusHost>): Promise<void> {
  const spoken = await within(startPatience, host.hello())
  if (spoken === protocol) return
  throw workerFailed(
    spoken === undefined
      ? `The worker did not answer within ${startPatience / 1000} s; is it the worker.js of session-query?`
      : `The worker speaks ${quoted(spoken)} and this page ${quoted(protocol)}: worker.js is of another version.`,
  )
}

function checkedName(name: unknown): string {
  if (typeof name === 'string' && /^[\w-]{1,64}$/.test(name)) return name
  throw invalidConfig(`name is ${quoted(name)}; it has to be 1 to 64 letters, digits, "-" and "_".`)
}

function checkedStorage(storage: unknown): StorageChoice {
  if (storage === 'auto' || storage === 'opfs' || storage === 'memory') return storage
  throw invalidConfig(`storage is ${quoted(storage)}; allowed are "auto", "opfs" and "memory".`)
}
