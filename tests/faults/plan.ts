import { randomOf } from './random.ts'

/** What is going on when the kill comes. */
export type Work = 'append' | 'import' | 'rebuild'

/** What ends: the page's renderer, the whole browser, or the worker alone. */
export type Way = 'renderer' | 'browser' | 'worker'

/** One kill. */
export interface Plan {
  readonly number: number
  readonly work: Work
  readonly way: Way
  /** From the beginning of the work to the kill, in milliseconds. */
  readonly delay: number
  /** For what the page chooses. */
  readonly seed: number
  /** Whether the databases are looked at before the library can mend them, or after. */
  readonly inspect: 'before' | 'after'
}

/** How many events of a session are durable, as the page was told. */
export type Acknowledged = Readonly<Record<string, number>>

/** What a page does until it is ended. */
export interface PageWork {
  readonly corpus: string
  readonly plan: Plan
  /** Live sessions of before, to go on with. */
  readonly resume: readonly string[]
}

/** What a page shall open at once, and find. */
export interface Reopening {
  readonly corpus: string
  readonly inspect: Plan['inspect']
  readonly wanted: Wanted | undefined
}

/** An event that has to be found. */
export interface Wanted {
  readonly sessionId: string
  readonly seq: number
}

/** What a page found after a kill. */
export interface Recovery {
  /** From the navigation to the first answered search, in milliseconds, without the inspection. */
  readonly searchedMs: number
  /** What is wrong; empty when nothing is. */
  readonly problems: readonly string[]
  readonly sessions: number
  readonly events: number
}

const works = ['append', 'import', 'rebuild'] as const
const ways = ['renderer', 'browser', 'worker'] as const

/** The longest time that the work may go on, in milliseconds. */
const longest = { append: 800, import: 600, rebuild: 700 }

/** Kills of every work in every way, as many as asked for, at moments that the seed decides. */
export function plansOf(count: number, seed: number): Plan[] {
  const random = randomOf(seed)
  return Array.from({ length: count }, (_, number) => {
    const work = works[(number + Math.floor(number / 3)) % 3] ?? 'append'
    return {
      number,
      work,
      way: ways[number % 3] ?? 'renderer',
      delay: random.below(longest[work]),
      seed: random.below(2 ** 32),
      inspect: random.below(2) === 0 ? 'before' : 'after',
    }
  })
}
