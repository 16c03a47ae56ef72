import type { CallOptions, SessionStore } from '../core/corpus.ts'
import type { LiveSessions } from './live-sessions.ts'
import type { OpenSession } from './session.ts'

/**
 * Has a store find what is open in this page and not stored in it: sessions that are never stored, and those
 * that could not be. Only what has come since the last time is sent.
 */
export class LiveOverlay {
  readonly #live: LiveSessions
  /** How many events of which session the store has been shown. */
  readonly #shown = new Map<OpenSession, number>()
  #store: SessionStore | undefined

  constructor(live: LiveSessions) {
    this.#live = live
  }

  /** Brings what the store shows in step with what is open. */
  async sync(store: SessionStore, call: CallOptions | undefined): Promise<void> {
    if (store !== this.#store) this.#shown.clear()
    this.#store = store
    const needed = new Set(this.#live.list().filter(({ writing }) => writing?.done !== true))
    for (const session of this.#shown.keys()) {
      if (needed.has(session)) continue
      this.#shown.delete(session)
      if (!isShownAnew(session, needed)) await store.hideLive({ sessionId: session.id }, call)
    }
    for (const session of needed) {
      const { header, events } = session.log
      const from = this.#shown.get(session) ?? 0
      if (this.#shown.has(session) && from === events.length) continue
      await store.showLive({ header, from, events: events.slice(from) }, call)
      this.#shown.set(session, events.length)
    }
  }
}

/** Whether another session of the same id takes the place, so that there is nothing to hide. */
function isShownAnew({ id }: OpenSession, needed: ReadonlySet<OpenSession>): boolean {
  return Array.from(needed).some((session) => session.id === id)
}
