import type { SessionEvent, SessionLog } from '../../src/core/session.ts'
import { assistantMessage, session, toolResult, userMessage } from '../fixtures/logs.ts'

/** Words that stand in a known share of the events, and what is asked with them. */
export const planted = {
  /** In 0.03 % of the events. */
  rare: 'quorvexil',
  /** In 2 %. */
  medium: 'brandomel',
  /** In 99 %. */
  common: 'tavolin',
  /** Two words, each in some 40 %, side by side in some 12 %. */
  pair: ['merrado', 'selvino'],
  /** Each in some 5 %. */
  four: ['pelligro', 'dantove', 'wixmar', 'corbelun'],
} as const

/** The workspace of every session. */
export const benchCwd = '/projects/bench'

/** Makes up sessions of events: the same ones from the same seed. */
export class MadeUpSessions {
  readonly #random: () => number
  readonly #words: readonly string[]
  /** Up to which number of a draw each word reaches. */
  readonly #reach: Float64Array

  constructor(seed: number) {
    this.#random = mulberry32(seed)
    this.#words = vocabulary(this.#random, vocabularySize)
    this.#reach = zipfReach(this.#words.length)
  }

  session(id: string, length: number): SessionLog {
    const partial = Array.from({ length }, (_, at) => this.#event(at))
    return session(id, partial, {
      createdAt: firstMoment + Math.floor(this.#random() * 1e9),
      cwd: benchCwd,
    })
  }

  /** As many of the most frequent words, those without a meaning of their own left out, as there is room for. */
  frequentWords(characters: number): string {
    const text = this.#words.slice(functionWords.split(' ').length).join(' ')
    return text.slice(0, text.lastIndexOf(' ', characters))
  }

  /** The text of a next event. */
  text(): string {
    const length = Math.max(3, Math.round(Math.exp(Math.log(medianLength) + 0.6 * this.#normal())))
    const words = Array.from({ length }, () => this.#word())
    for (const [word, share] of shares) {
      if (this.#random() < share) words.splice(this.#below(words.length + 1), 0, word)
    }
    if (this.#random() < 0.12) words.splice(this.#below(words.length + 1), 0, ...planted.pair)
    return words.join(' ')
  }

  #event(at: number): Partial<SessionEvent> {
    const time = firstMoment + Math.floor(this.#random() * 1e9)
    switch (at % 4) {
      case 0:
        return userMessage(this.text(), { time })
      case 1:
        return assistantMessage(this.text(), { time })
      case 2: {
        const data = { turn: 1, step: 1, callId: 'call', name: 'search', arguments: this.text() }
        return { type: 'tool/call', time, data }
      }
      default:
        return toolResult(this.text(), { time })
    }
  }

  #word(): string {
    const drawn = this.#random()
    let [from, to] = [0, this.#reach.length - 1]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((this.#reach[middle] ?? 1) < drawn) from = middle + 1
      else to = middle
    }
    return this.#words[from] ?? ''
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  #normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random())
  }
}

const firstMoment = 1_700_000_000_000
const vocabularySize = 20_000
/** In words; the mean is some 40. */
const medianLength = 33

const shares: readonly (readonly [word: string, share: number])[] = [
  [planted.rare, 0.0003],
  [planted.medium, 0.02],
  [planted.common, 0.99],
  ...planted.pair.map((word) => [word, 0.32] as const),
  ...planted.four.map((word) => [word, 0.05] as const),
]

/** What stands at the head of English texts, most frequent first. */
const functionWords =
  'the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which you were all one her she there would their we him been has when who will no more if out so what up said about than into them can only other'

/** Words that can be pronounced, some of them inflected; the most frequent first. */
function vocabulary(random: () => number, size: number): string[] {
  const words = new Set(functionWords.split(' '))
  while (words.size < size) {
    const stem = Array.from({ length: 1 + Math.floor(random() * 3) }, () => syllable(random)).join('')
    const kind = random()
    words.add(stem + (kind < 0.1 ? 's' : kind < 0.15 ? 'ed' : kind < 0.2 ? 'ing' : ''))
  }
  return Array.from(words)
}

function syllable(random: () => number): string {
  const one = (letters: string): string => letters[Math.floor(random() * letters.length)] ?? ''
  return one('bcdfghjklmnprtvwz') + one('aeiou') + one('nlrkm    ').trim()
}

function zipfReach(size: number): Float64Array {
  const reach = new Float64Array(size)
  let sum = 0
  for (let rank = 0; rank < size; rank += 1) {
    sum += 1 / (rank + 2.7)
    reach[rank] = sum
  }
  return reach.map((value) => value / sum)
}

/** Numbers from 0 to below 1 that look random: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
