import { isInflected, isSaid } from '../core/forms.ts'
import { countPlaces } from '../core/snippet.ts'
import type { Wanted } from '../core/word-places.ts'
import type { CheckedSearch } from './checked-search.ts'
import { candidatesAt, tiers, type Candidates } from './rank-documents.ts'

/** The searchable text of a document; undefined when the log cannot give it any more. May end the search. */
type TextOf = (doc: number) => string | undefined

/** How many texts are read once more before they are hits, and how long they may be, in UTF-16 units. */
const mostReread = 100
const longestReread = 20_000

/**
 * The candidates without those that hold another form of a word only within an identifier, which the index cannot
 * tell. Where there are many they all stay: they are the least of the hits.
 */
export function withoutNames(found: Candidates, search: CheckedSearch, textOf: TextOf): Candidates {
  const { docs, tier } = found
  const asIs = search.match !== 'auto' || search.prefixLast || !search.terms.some(isInflected)
  if (asIs || docs.length > mostReread) return found
  const said = Array.from(docs.keys()).filter((place) => {
    if (tier[place] !== tiers.some) return true
    const text = textOf(docs[place] ?? 0)
    return text === undefined || text.length > longestReread || isSaid(text, search.terms)
  })
  return said.length === docs.length ? found : candidatesAt(found, said)
}

const mostRecounted = 2000

/**
 * Counts in the texts: the index counts an identifier whole and by part, and places that overlap, twice. Of more
 * documents than can be read in a moment the index's own counts have to do.
 */
export function recount({ docs, spans }: Candidates, wanted: Wanted, textOf: TextOf): void {
  if (docs.length > mostRecounted) return
  for (const [place, doc] of docs.entries()) {
    const text = textOf(doc)
    const count = text === undefined ? undefined : countPlaces(text, wanted)
    if (count !== undefined && count > 0) spans[place] = count
  }
}
