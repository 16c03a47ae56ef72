import type { CorpusChange } from '../core/corpus.ts'

/** Who wants to hear of changes. */
export class Changes {
  readonly #listeners = new Set<{ readonly hear: (change: CorpusChange) => void }>()

  /** @returns what ends it */
  subscribe(hear: (change: CorpusChange) => void): () => void {
    const listener = { hear }
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  tell(change: CorpusChange): void {
    // Who comes because of this change hears of the next one; who went hears nothing.
    for (const listener of Array.from(this.#listeners)) {
      if (!this.#listeners.has(listener)) continue
      try {
        listener.hear(change)
      } catch {
        // A listener's failure is its own; whoever made the change must not feel it.
      }
    }
  }
}
