import { expose, type Endpoint } from 'comlink'
import type { CorpusChange, SessionStore } from '../src/core/corpus.ts'
import type { ResolvedOptions } from '../src/core/options.ts'
import { protocol, type HostListener } from '../src/core/protocol.ts'
import { corpusLock, lifeLock, pairChannel, type TabMessage } from '../src/core/tabs.ts'
import type { StoreEngine } from '../src/sql/create-store.ts'
import { hostedCalls } from './host.ts'
import { lockFree } from './locks.ts'
import { tellingStore } from './telling-store.ts'

export interface ServeTabsOptions {
  /** Of the corpus. */
  readonly name: string
  /** What this worker's own tab goes by. */
  readonly owner: string
  /** Those of the own tab. */
  readonly options: ResolvedOptions
  readonly engine: StoreEngine
  readonly turn: () => Promise<void>
  /** Tells the own page. */
  readonly tell: HostListener
}

/** An engine that tabs reach through channels. */
export interface ServedTabs {
  /** The store as the own tab sees it. */
  readonly store: SessionStore
  /** Tells everybody of a change that no tab made. */
  changed(change: CorpusChange): void
  /** Says that the engine is at work, in the middle of a long statement. */
  beat(): void
  /** Answers nobody any more. */
  leave(): void
}

/** How often a busy engine says so at most, in milliseconds. */
const beatPause = 400

/** Serves an engine to every tab that asks, and says so to all. */
export function serveTabs({ name, owner, options, engine, turn, tell }: ServeTabsOptions): ServedTabs {
  const channel = closable(new BroadcastChannel(corpusLock(name)))
  const tabs = new Map<string, { close(): void }>()
  let lastBeat = 0

  const calmTurn = afterStandstill(turn)

  const broken = (): void => tell({ kind: 'broken' })

  function say(message: TabMessage): void {
    channel.endpoint.postMessage(message)
  }

  function changedBy(tab: string, change: CorpusChange): void {
    say({ kind: 'change', tab, change })
  }

  function viewFor(tab: string, its: ResolvedOptions): SessionStore {
    return tellingStore(engine.view(its, tab), (change) => changedBy(tab, change))
  }

  function join(tab: string, its: ResolvedOptions): void {
    // Who joins again numbers his calls from the beginning.
    const before = tabs.get(tab)
    before?.close()
    const pair = closable(new BroadcastChannel(pairChannel(name, owner, tab)))
    tabs.set(tab, pair)
    const store = viewFor(tab, its)
    const calls = hostedCalls({ turn: calmTurn, store: async () => store, broken })
    expose(Object.freeze(calls), pair.endpoint)
    if (before === undefined) void lockFree(lifeLock(tab)).then(() => gone(tab))
  }

  /** What it showed goes with it. */
  function gone(tab: string): void {
    const pair = tabs.get(tab)
    if (pair === undefined) return
    pair.close()
    tabs.delete(tab)
    for (const { sessionId, persisted } of engine.forget(tab)) {
      if (!persisted) changedBy(tab, { kind: 'removed', sessionId })
    }
    say({ kind: 'gone', tab })
  }

  function hear(data: TabMessage): void {
    if (data.kind === 'who') say({ kind: 'owner', owner, protocol })
    if (data.kind === 'ping' && data.owner === owner) say({ kind: 'alive', owner })
    if (data.kind !== 'join' || data.owner !== owner) return
    join(data.tab, data.options)
    say({ kind: 'joined', owner, tab: data.tab })
  }

  channel.endpoint.addEventListener('message', (event) => {
    hear((event as MessageEvent<TabMessage>).data)
  })
  say({ kind: 'owner', owner, protocol })

  return {
    store: viewFor(owner, options),
    changed(change) {
      say({ kind: 'change', tab: owner, change })
    },
    beat() {
      const now = performance.now()
      if (now - lastBeat < beatPause) return
      lastBeat = now
      postMessage({ kind: 'alive' })
      if (tabs.size > 0) say({ kind: 'alive', owner })
    },
    leave() {
      say({ kind: 'leaving', owner })
      channel.close()
      for (const pair of tabs.values()) pair.close()
      tabs.clear()
    },
  }
}

/** How long nothing may have been asked before it is taken for a standstill, in milliseconds. */
const standstill = 1000

/** How long it takes to read what has come in the meantime, in milliseconds. */
const readingTime = 20

/**
 * A turn before which, after a time in which nothing was asked, everything is read that has come: when a worker that
 * was suspended goes on, the cancellation of a call may come some tasks behind the call.
 */
function afterStandstill(turn: () => Promise<void>): () => Promise<void> {
  let last = performance.now()
  let reading: Promise<unknown> = Promise.resolve()
  return async () => {
    const now = performance.now()
    if (now - last > standstill) {
      reading = new Promise((resume) => setTimeout(resume, readingTime))
    }
    last = now
    await reading
    await turn()
  }
}

/** A channel as Comlink takes it; once it is closed, answers that come late go nowhere. */
function closable(channel: BroadcastChannel): { readonly endpoint: Endpoint; close(): void } {
  let open = true
  return {
    endpoint: {
      postMessage: (message) => {
        if (open) channel.postMessage(message)
      },
      addEventListener: channel.addEventListener.bind(channel),
      removeEventListener: channel.removeEventListener.bind(channel),
    },
    close() {
      open = false
      channel.close()
    },
  }
}
