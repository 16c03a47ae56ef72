import {
  countedRepeats,
  coverageFactor,
  neighbourShares,
  rarity,
  sessionShare,
  typeWeight,
  wordScore,
} from '../core/ranking.ts'
import type { CheckedSearch } from './checked-search.ts'
import type { SqlDatabase } from './database.ts'
import type { DocumentTable, Totals } from './documents.ts'
import { lookupsOf } from './match-expression.ts'
import { documentsWith, postingsOf, type Postings } from './postings.ts'

/** Which tier of `auto` a document is in: it has the phrase, all words, or some of those that decide. */
export const tiers = { some: 1, all: 2, phrase: 3 } as const

/** The documents that a search found and that pass its filters, each with what orders it. */
export interface Candidates {
  readonly docs: Int32Array
  readonly tier: Uint8Array
  readonly score: Float64Array
  /** How often what was wanted occurs. */
  readonly spans: Int32Array
}

/** Some of the candidates, by their places. */
export function candidatesAt(
  { docs, tier, score, spans }: Candidates,
  places: readonly number[],
): Candidates {
  return {
    docs: Int32Array.from(places, (place) => docs[place] ?? 0),
    tier: Uint8Array.from(places, (place) => tier[place] ?? 0),
    score: Float64Array.from(places, (place) => score[place] ?? 0),
    spans: Int32Array.from(places, (place) => spans[place] ?? 0),
  }
}

/**
 * Finds and weighs the documents that match.
 *
 * @param indexes databases with a table `words`; a doc is in one of them
 * @param allowed whether a session may be searched; all of them when it is left out. What is weighed is weighed against
 *   these alone: the order of hits must not tell of others.
 * @param passes whether a document of such a session passes the filters of the search
 */
export function rankDocuments(
  indexes: readonly SqlDatabase[],
  table: DocumentTable,
  search: CheckedSearch,
  allowed: ((session: number) => boolean) | undefined,
  passes: (doc: number) => boolean,
): Candidates {
  const lookups = lookupsOf(search)
  const sums = new Sums(table, allowed)
  switch (search.match) {
    case 'phrase':
      sums.add(postingsOf(indexes, table, lookups.phrase), passes)
      break
    case 'all': {
      const together = new Uint8Array(table.size)
      for (const doc of documentsWith(indexes, table, lookups.all)) together[doc] = 1
      for (const word of lookups.deciding) {
        sums.add(postingsOf(indexes, table, word), (doc) => together[doc] === 1 && passes(doc))
      }
      break
    }
    case 'any':
    case 'auto':
      for (const word of lookups.deciding) sums.add(postingsOf(indexes, table, word), passes)
      if (search.match === 'auto' && search.terms.length + search.pieces.length > 1) {
        sums.raise(documentsWith(indexes, table, lookups.all), tiers.all)
        sums.raise(documentsWith(indexes, table, [lookups.phrase]), tiers.phrase)
      }
      break
    default:
      search.match satisfies never
  }
  return sums.candidates()
}

/** Adds up what each word gives to each document and session. */
class Sums {
  readonly #table: DocumentTable
  readonly #allowed: ((session: number) => boolean) | undefined
  readonly #totals: Totals
  readonly #base: Float64Array
  readonly #covered: Float64Array
  readonly #spans: Int32Array
  readonly #tier: Uint8Array
  readonly #docs: number[] = []
  readonly #sessions = new Map<number, number>()
  #wanted = 0

  constructor(table: DocumentTable, allowed: ((session: number) => boolean) | undefined) {
    const { size } = table
    this.#table = table
    this.#allowed = allowed
    this.#totals = table.totals(allowed)
    this.#base = new Float64Array(size)
    this.#covered = new Float64Array(size)
    this.#spans = new Int32Array(size)
    this.#tier = new Uint8Array(size)
  }

  add(postings: Postings, passes: (doc: number) => boolean): void {
    const [table, totals] = [this.#table, this.#totals]
    const [base, covered, spans] = [this.#base, this.#covered, this.#spans]
    const { docs, occurrences } = this.#searched(postings)
    const idf = rarity(totals.documents, docs.length)
    const mean = totals.meanWords
    const weights = table.types.map(typeWeight)
    const bySession = new SessionCounts()
    this.#wanted += idf
    // Loops over numbered places, here and below: they run for every document that has a common word.
    for (let at = 0; at < docs.length; at += 1) {
      const doc = docs[at] ?? 0
      const session = table.session[doc] ?? 0
      if (session === 0 || !passes(doc)) continue
      const count = occurrences[at] ?? 1
      const before = spans[doc] ?? 0
      if (before === 0) {
        this.#docs.push(doc)
        this.#tier[doc] = tiers.some
      }
      spans[doc] = before + count
      covered[doc] = (covered[doc] ?? 0) + idf
      const weight = weights[table.type[doc] ?? 0] ?? 1
      const counted = Math.min(count, countedRepeats)
      base[doc] = (base[doc] ?? 0) + weight * wordScore(idf, counted, table.words[doc] ?? 1, mean)
      bySession.add(session, counted)
    }
    const counts = bySession.counts()
    const sessionIdf = rarity(totals.sessions, counts.size)
    for (const [session, count] of counts) {
      const score = wordScore(sessionIdf, count, table.wordsOf(session), totals.meanSessionWords)
      this.#sessions.set(session, (this.#sessions.get(session) ?? 0) + score)
    }
  }

  /** Puts documents that were found into a higher tier. */
  raise(docs: readonly number[], tier: number): void {
    for (const doc of docs) if ((this.#spans[doc] ?? 0) > 0) this.#tier[doc] = tier
  }

  candidates(): Candidates {
    const [table, base, found] = [this.#table, this.#base, this.#docs]
    for (let at = 0; at < found.length; at += 1) {
      const doc = found[at] ?? 0
      base[doc] = (base[doc] ?? 0) * coverageFactor(this.#covered[doc] ?? 0, this.#wanted)
    }
    const docs = Int32Array.from(found)
    const tier = new Uint8Array(docs.length)
    const spans = new Int32Array(docs.length)
    const score = new Float64Array(docs.length)
    const weights = table.types.map(typeWeight)
    for (let place = 0; place < docs.length; place += 1) {
      const doc = docs[place] ?? 0
      tier[place] = this.#tier[doc] ?? 0
      spans[place] = this.#spans[doc] ?? 0
      score[place] = rounded(this.#score(doc, table, weights[table.type[doc] ?? 0] ?? 1))
    }
    return { docs, tier, spans, score }
  }

  /** Those of the sessions that may be searched. */
  #searched({ docs, occurrences }: Postings): Postings {
    const allowed = this.#allowed
    if (allowed === undefined) return { docs, occurrences }
    const { session } = this.#table
    const places: number[] = []
    for (let at = 0; at < docs.length; at += 1) {
      if (allowed(session[docs[at] ?? 0] ?? 0)) places.push(at)
    }
    return {
      docs: places.map((at) => docs[at] ?? 0),
      occurrences: places.map((at) => occurrences[at] ?? 1),
    }
  }

  #score(doc: number, { session, previous, next }: DocumentTable, weight: number): number {
    const base = this.#base
    // What has every word needs no neighbours; so equal texts weigh the same wherever in a session they stand.
    const neighbours =
      (this.#covered[doc] ?? 0) < this.#wanted
        ? along(base, doc, previous, neighbourShares.before) +
          along(base, doc, next, neighbourShares.after)
        : 0
    const ofSession = sessionShare * (this.#sessions.get(session[doc] ?? 0) ?? 0)
    return (base[doc] ?? 0) + weight * (neighbours + ofSession)
  }
}

/** What the documents before or after one in its session add to it. */
function along(base: Float64Array, doc: number, links: Int32Array, shares: readonly number[]): number {
  let sum = 0
  let at = doc
  for (let distance = 0; distance < shares.length; distance += 1) {
    at = links[at] ?? -1
    if (at < 0) break
    sum += (shares[distance] ?? 0) * (base[at] ?? 0)
  }
  return sum
}

/** Counts by session. Documents of a session mostly come one after the other, so it is looked up seldom. */
class SessionCounts {
  readonly #counts = new Map<number, number>()
  #session = 0
  #count = 0

  add(session: number, count: number): void {
    if (session !== this.#session) this.#enter(session)
    this.#count += count
  }

  /** To be called once, at the end. */
  counts(): ReadonlyMap<number, number> {
    this.#enter(0)
    return this.#counts
  }

  #enter(session: number): void {
    if (this.#session !== 0) {
      this.#counts.set(this.#session, (this.#counts.get(this.#session) ?? 0) + this.#count)
    }
    this.#session = session
    this.#count = 0
  }
}

/** So that the last bits of a sum, which depend on its order, decide nothing. */
function rounded(score: number): number {
  return Math.round(score * 1e6) / 1e6
}
