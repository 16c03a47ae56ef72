import { hashOf, randomOf } from './random.ts'

/** One reload. */
export interface ReloadPlan {
  readonly number: number
  /**
   * While the page opens the corpus, which is waited for by time alone, or while it imports, once it has heard of so
   * many more events as stored.
   */
  readonly during: 'opening' | 'importing'
  readonly events: number
  /** Goes by before the reload, in milliseconds. */
  readonly delay: number
}

/** The most events that may be stored between two reloads, about. */
const mostBetween = 1200

/** Reloads at moments that the seed decides: every fourth while the corpus is being opened. */
export function reloadsOf(count: number, seed: number): ReloadPlan[] {
  const random = randomOf(seed)
  return Array.from({ length: count }, (_, number) => {
    const opening = number % 4 === 2
    return {
      number,
      during: opening ? ('opening' as const) : ('importing' as const),
      events: opening ? 0 : random.below(mostBetween),
      delay: random.below(opening ? 400 : 40),
    }
  })
}

/** Logs to import, enough for that many reloads to come before the end: session ids and their lengths. */
export function logsFor(reloads: number, seed: number): Readonly<Record<string, number>> {
  const logs: Record<string, number> = {}
  let left = (reloads + 2) * mostBetween
  for (let at = 0; left > 0; at += 1) {
    const id = `log-${at}`
    const length = 1 + (hashOf(`${seed}/${id}`) % 1500)
    logs[id] = length
    left -= length
  }
  return logs
}

/** What a page found when it had opened the corpus. */
export interface ReloadCheck {
  /** What is wrong; empty when nothing is. */
  readonly problems: readonly string[]
  readonly events: number
}
