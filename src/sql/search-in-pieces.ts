import { piecesOf } from '../core/pieces.ts'
import type { CheckedSearch } from './checked-search.ts'
import { lookupsOf } from './match-expression.ts'

/**
 * The search, with terms that stand nowhere as a whole taken apart: somebody who asks in a language that is written
 * without spaces does not mean the question as a phrase.
 *
 * @param isThere whether something is found, by what is looked up for it
 */
export function withPieces(search: CheckedSearch, isThere: (match: string) => boolean): CheckedSearch {
  if (search.match !== 'auto') return search
  const last = search.terms.length - 1
  const terms = search.terms.flatMap((term, at) => {
    const pieces = piecesOf(term)
    if (pieces.length === 0) return [term]
    const alone = { ...search, terms: [term], prefixLast: search.prefixLast && at === last }
    return isThere(lookupsOf(alone).all) ? [term] : pieces
  })
  return { ...search, terms }
}
