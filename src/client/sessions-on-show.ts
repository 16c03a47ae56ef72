import type { LiveSessionEvents } from '../core/corpus.ts'
import { toJson } from '../core/protocol.ts'
import type { SessionEvent, SessionHeader } from '../core/session.ts'
import type { Connection } from './connection.ts'

/** What of this tab is open and not stored. Whoever has the databases open is shown it before anything is asked of him. */
export class SessionsOnShow {
  readonly #shown = new Map<string, { header: SessionHeader; events: SessionEvent[] }>()
  #to: Connection | undefined
  #bringing: Promise<void> = Promise.resolve()

  add({ header, from, events }: LiveSessionEvents): void {
    const known = from === 0 ? [] : (this.#shown.get(header.id)?.events ?? [])
    this.#shown.set(header.id, { header, events: known.concat(events) })
  }

  remove(sessionId: string): void {
    this.#shown.delete(sessionId)
  }

  async bring(connection: Connection): Promise<void> {
    if (connection !== this.#to) {
      this.#to = connection
      this.#bringing = this.#show(connection)
    }
    try {
      await this.#bringing
    } catch (error) {
      // The next call tries again.
      if (this.#to === connection) this.#to = undefined
      throw error
    }
  }

  async #show({ call }: Connection): Promise<void> {
    for (const { header, events } of Array.from(this.#shown.values())) {
      await call('showLive', toJson({ header, from: 0, events }), undefined)
    }
  }
}
