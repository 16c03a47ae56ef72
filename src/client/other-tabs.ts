import type { Changes } from '../live/changes.ts'
import type { SessionClaims } from '../live/session-claims.ts'

/** Tells of sessions that other tabs have let go of: those that are closed, and those whose tab is gone. */
export class OtherTabs {
  readonly #claims: SessionClaims
  readonly #changes: Changes
  #open: ReadonlySet<string> = new Set()
  #looking = false
  #again = false

  constructor(claims: SessionClaims, changes: Changes) {
    this.#claims = claims
    this.#changes = changes
  }

  /** Compares what is open elsewhere with what was. */
  look(): void {
    this.#again = true
    if (!this.#looking) void this.#look()
  }

  async #look(): Promise<void> {
    this.#looking = true
    try {
      await this.#compare()
    } catch {
      // The page is about to go, or the browser refuses to tell.
    } finally {
      this.#looking = false
    }
  }

  async #compare(): Promise<void> {
    while (this.#again) {
      this.#again = false
      const before = this.#open
      this.#open = await this.#claims.openElsewhere()
      for (const sessionId of before) {
        if (!this.#open.has(sessionId)) this.#changes.tell({ kind: 'closed', sessionId })
      }
    }
  }
}
