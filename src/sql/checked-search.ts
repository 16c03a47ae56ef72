import type { ResolvedOptions } from '../core/options.ts'
import { piecesOf } from '../core/pieces.ts'
import { searchOrder, type SearchOrder } from '../core/request.ts'
import { queryTerms, type QueryTerm } from '../core/words.ts'

/** A search as the engine takes it. */
export interface CheckedSearch extends SearchOrder {
  /** Empty when the query holds nothing to look for. */
  readonly terms: readonly QueryTerm[]
  /** What terms are made of, where that counts by itself. */
  readonly pieces: readonly QueryTerm[]
}

/** @throws SessionQueryError as `searchOrder` */
export function checkedSearch(
  request: unknown,
  options: ResolvedOptions,
  what: 'sessions' | 'events',
): CheckedSearch {
  const order = searchOrder(request, options, what)
  const terms = queryTerms(order.query)
  return { ...order, terms, pieces: order.match === 'auto' ? piecesOf(terms) : [] }
}
