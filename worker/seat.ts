import type { SessionStore, StoragePlace, TabRole } from '../src/core/corpus.ts'
import { SessionQueryError } from '../src/core/errors.ts'
import { failureOf, type HostListener } from '../src/core/protocol.ts'
import { corpusLock } from '../src/core/tabs.ts'
import { holdFreeLock, holdLock } from './locks.ts'

/** A worker's part in a corpus: it has the databases open, or waits to. */
export interface Seat {
  readonly role: TabRole
  readonly storage: StoragePlace
  /** @throws SessionQueryError while another tab has the databases open */
  store(): SessionStore
  close(): Promise<void>
}

/** The databases of a corpus, opened and served. */
export interface ServedStore {
  readonly store: SessionStore
  close(): Promise<void>
}

/** The part of a worker that shares its corpus with nobody. */
export function soleSeat(store: SessionStore, storage: StoragePlace = { kind: 'memory' }): Seat {
  return { role: 'owner', storage, store: () => store, close: () => store.close() }
}

/** How long to wait before another attempt to open what could not be opened, in milliseconds. */
const retryPause = 1000

/**
 * Opens a corpus if no other tab has it open, and else waits behind those that have, until it is this one's turn.
 *
 * @param open opens and serves it; called while the Web Lock is held
 * @throws what `open` throws, when it is this worker's turn at once
 */
export async function sharedSeat(
  name: string,
  open: () => Promise<ServedStore>,
  tell: HostListener,
): Promise<Seat> {
  let served: ServedStore | undefined
  let release: (() => void) | undefined
  let closed = false

  async function acquire(lock: () => void): Promise<void> {
    try {
      served = await open()
      release = lock
    } catch (error) {
      lock()
      throw error
    }
    if (closed) await letGo()
  }

  async function letGo(): Promise<void> {
    await served?.close()
    release?.()
  }

  /** One after the other the waiting tabs have their turn; one that fails lets the next one try. */
  async function waitForTurn(): Promise<void> {
    while (served === undefined) {
      const lock = await holdLock(corpusLock(name))
      if (closed) return lock()
      try {
        await acquire(lock)
        tell({ kind: 'owner' })
      } catch (error) {
        tell({ kind: 'failed', failure: failureOf(error) })
        await new Promise((resume) => setTimeout(resume, retryPause))
      }
    }
  }

  const free = await holdFreeLock(corpusLock(name))
  if (free !== undefined) await acquire(free)
  else void waitForTurn()

  return {
    get role() {
      return served === undefined ? 'follower' : 'owner'
    },
    storage: { kind: 'opfs' },
    store() {
      if (served !== undefined) return served.store
      throw new SessionQueryError('SESSION_QUERY_WORKER_FAILED', 'Another tab has the corpus open.')
    },
    async close() {
      closed = true
      await letGo()
    },
  }
}
