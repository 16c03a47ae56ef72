import type { SessionStore } from '../core/corpus.ts'
import type { LiveSessions } from './live-sessions.ts'
import type { OpenSession } from './session.ts'

/** How long each open session was at some moment. */
export type Lengths = ReadonlyMap<OpenSession, number>

/**
 * Has a store find what is open in this page and not stored in it: sessions that are never stored, and those
 * that could not be. Only what has come since the last time is sent.
 */
export class LiveOverlay {
  readonly #live: LiveSessions
  /** How many events of which session the store has been shown; -1 while that is not known. */
  readonly #shown = new Map<OpenSession, number>()
  #store: SessionStore | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(live: LiveSessions) {
    this.#live = live
  }

  /** How long every open session is now; what a search that begins now has to find. */
  lengths(): Lengths {
    return new Map(this.#live.list().map((session) => [session, session.length]))
  }

  /**
   * Brings what the store shows in step with what was open. One after the other, and never given up half-way:
   * what the store has and what is noted here must not come apart.
   *
   * @param wanted as of the beginning of the search; what is stored through there need not be shown
   */
  sync(store: SessionStore, wanted: Lengths): Promise<void> {
    return this.#inTurn(store, () =>
      this.#live
        .list()
        .filter((session) => session.writing?.hasStored(wanted.get(session) ?? 0) !== true),
    )
  }

  /**
   * Shows the store, for others that it has, what will not be in it by itself: sessions that are never stored, and
   * those that cannot be. What a search had shown stays until it is stored.
   */
  share(store: SessionStore): Promise<void> {
    return this.#inTurn(store, () =>
      this.#live.list().filter((session) => {
        const { writing } = session
        if (writing?.hasStored(session.length) === true) return false
        return this.#shown.has(session) || writing === undefined || writing.failing
      }),
    )
  }

  /**
   * Has the store forget what it was shown of sessions that are not open any more, without waiting for a search.
   *
   * @param store the one of that moment; none when there is nobody to tell any more
   */
  forgetClosed(store: () => SessionStore | undefined): Promise<void> {
    return this.#next(async () => {
      if (this.#store === undefined || this.#store !== store()) return
      await this.#hideAllBut(new Set(this.#live.list()))
    })
  }

  #inTurn(store: SessionStore, needed: () => readonly OpenSession[]): Promise<void> {
    return this.#next(() => this.#sync(store, needed))
  }

  #next(body: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(body)
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #sync(store: SessionStore, choose: () => readonly OpenSession[]): Promise<void> {
    if (store !== this.#store) this.#shown.clear()
    this.#store = store
    const needed = new Set(choose())
    await this.#hideAllBut(needed)
    for (const session of needed) await this.#show(store, session)
  }

  async #hideAllBut(needed: ReadonlySet<OpenSession>): Promise<void> {
    for (const session of this.#shown.keys()) {
      if (needed.has(session)) continue
      if (!isShownAnew(session, needed)) await this.#store?.hideLive({ sessionId: session.id })
      this.#shown.delete(session)
    }
  }

  async #show(store: SessionStore, session: OpenSession): Promise<void> {
    const { header, events } = session.log
    const { length } = events
    const known = this.#shown.get(session) ?? -1
    if (known === length) return
    const from = Math.max(known, 0)
    // Until it is known how this went, the store has to be shown everything, and hide it when it is not needed.
    this.#shown.set(session, -1)
    await store.showLive({ header, from, events: events.slice(from) })
    this.#shown.set(session, length)
  }
}

/** Whether another session of the same id takes the place, so that there is nothing to hide. */
function isShownAnew({ id }: OpenSession, needed: ReadonlySet<OpenSession>): boolean {
  return Array.from(needed).some((session) => session.id === id)
}
