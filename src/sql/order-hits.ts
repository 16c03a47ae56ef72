import type { Rank } from '../core/corpus.ts'
import { compareCodePoints } from '../core/order.ts'
import type { DocumentTable } from './documents.ts'
import type { Candidates } from './rank-documents.ts'

/** Orders two places in a list of candidates; never 0 for different documents. */
export type HitOrder = (a: number, b: number) => number

/**
 * The total order of a rank. `relevance` goes by tier and score; ties end in the keys of `occurrences`:
 * more spans, the shorter document, the newer, then session id and the later event.
 */
export function hitOrder(
  table: DocumentTable,
  { docs, tier, score, spans }: Candidates,
  rank: Rank,
  idOf: (session: number) => string,
): HitOrder {
  const at = (place: number): number => docs[place] ?? 0
  const newest: HitOrder = (a, b) =>
    of(table.time, at(b)) - of(table.time, at(a)) ||
    bySession(of(table.session, at(a)), of(table.session, at(b))) ||
    of(table.seq, at(b)) - of(table.seq, at(a))
  const bySession = (a: number, b: number): number =>
    a === b ? 0 : compareCodePoints(idOf(a), idOf(b))
  const occurrences: HitOrder = (a, b) =>
    of(spans, b) - of(spans, a) || of(table.chars, at(a)) - of(table.chars, at(b)) || newest(a, b)
  switch (rank) {
    case 'relevance':
      return (a, b) => of(tier, b) - of(tier, a) || of(score, b) - of(score, a) || occurrences(a, b)
    case 'occurrences':
      return occurrences
    case 'recent':
      return newest
    default:
      return rank satisfies never
  }
}

/** The best candidate of each session, in no order. */
export function bestOfSessions(table: DocumentTable, { docs }: Candidates, order: HitOrder): number[] {
  const best = new Map<number, number>()
  for (let place = 0; place < docs.length; place += 1) {
    const session = table.session[docs[place] ?? 0] ?? 0
    const other = best.get(session)
    if (other === undefined || order(place, other) < 0) best.set(session, place)
  }
  return Array.from(best.values())
}

/** The first `count` of the places in this order, sorted; cheaper than sorting all when there are many. */
export function firstOf(places: Iterable<number>, count: number, order: HitOrder): number[] {
  const chosen: number[] = []
  for (const place of places) {
    const last = chosen[count - 1]
    if (last !== undefined && order(place, last) >= 0) continue
    chosen.splice(insertionPoint(chosen, place, order), 0, place)
    if (chosen.length > count) chosen.pop()
  }
  return chosen
}

function insertionPoint(sorted: readonly number[], place: number, order: HitOrder): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (order(place, sorted[middle] ?? 0) < 0) to = middle
    else from = middle + 1
  }
  return from
}

function of(numbers: { readonly [place: number]: number }, place: number): number {
  return numbers[place] ?? 0
}
