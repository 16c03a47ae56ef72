import type { StoragePlace } from '../src/core/corpus.ts'
import type { HostListener, HostOptions } from '../src/core/protocol.ts'
import { lifeLock } from '../src/core/tabs.ts'
import { createEngine, type StoreEngine } from '../src/sql/create-store.ts'
import { holdLock } from './locks.ts'
import { sharedSeat, soleSeat, type Seat, type ServedStore } from './seat.ts'
import { serveTabs, type ServedTabs } from './serve-tabs.ts'
import { loadSqlite } from './sqlite.ts'
import {
  availableStorage,
  memoryStorage,
  opfsStorage,
  orMemory,
  whenCleared,
  type Storage,
} from './storage.ts'
import { storeThread } from './store-thread.ts'

/** Takes this worker's part in the corpus: alone in memory, or among the tabs that share it in OPFS. */
export async function openSeat(
  { options, tab, name, storage: choice }: HostOptions,
  tell: HostListener,
  turn: () => Promise<void>,
): Promise<Seat> {
  await holdLock(lifeLock(tab))
  const sqlite = await loadSqlite()

  function engineOver(
    { openScratch, ...storage }: Storage,
    tabs?: () => ServedTabs | undefined,
  ): StoreEngine {
    return createEngine({
      ...storage,
      options,
      thread: storeThread(sqlite, turn, openScratch),
      onIndexChange(index) {
        tell({ kind: 'index', index })
        tabs?.()?.changed({ kind: 'index', index })
      },
    })
  }

  async function openFiles(): Promise<ServedStore> {
    let tabs: ServedTabs | undefined
    const engine = engineOver(await opfsStorage(sqlite, name), () => tabs)
    const served = serveTabs({ name, owner: tab, options, engine, turn, tell })
    tabs = served
    sqlite.whileBusy(() => served.beat())
    const stopLooking = whenCleared(name, () => tell({ kind: 'cleared' }))
    return {
      store: served.store,
      close() {
        stopLooking()
        served.leave()
        return served.store.close()
      },
    }
  }

  const storage = await availableStorage(choice)
  if (storage.kind === 'memory') return inMemory(storage)
  try {
    return await sharedSeat(name, openFiles, tell)
  } catch (error) {
    return inMemory(orMemory(choice, error))
  }

  function inMemory(kept: StoragePlace): Seat {
    return soleSeat(engineOver(memoryStorage(sqlite, kept)).view(options, tab), kept)
  }
}
