import { commonWords } from '../core/common-words.ts'
import type { CheckedSearch } from './checked-search.ts'
import { stemOf } from '../core/stems.ts'
import { isSpoken, type QueryTerm } from '../core/words.ts'

/** What is looked up in the index for a search, in FTS5's query syntax. Words are quoted: none acts as syntax. */
export interface Lookups {
  /** The whole query as one phrase. */
  readonly phrase: string
  /** All terms; pieces are not asked for. */
  readonly all: string
  /** One by one, what decides; the others are so common that they say nothing where these are there. */
  readonly deciding: readonly Lookup[]
}

/** Something that is looked up by itself. */
export interface Lookup {
  /** In FTS5's query syntax. */
  readonly match: string
  /** The same as single words, where it is nothing more: their places can be listed without a query. */
  readonly words?: readonly WordPlaces[]
}

/** Where a word is looked for. */
export interface WordPlaces {
  readonly word: string
  /** Every word that begins so. */
  readonly prefix: boolean
  /** In the column `stems` as well. */
  readonly stems: boolean
}

/** Stands between two identifiers in the column `parts`, so that no phrase reaches from one to the next. */
export const gap = '·'

/**
 * What to look up for a search. The index has three columns: `text`, the words as they stand; `parts`, those of
 * identifiers in camel case, and emoji; `stems`, of what is inflected.
 */
export function lookupsOf({ terms, pieces, match, prefixLast }: CheckedSearch): Lookups {
  const inflected = match === 'auto'
  const last = terms.length - 1
  const each = terms.map((term, at) => termLookup(term, prefixLast && at === last, inflected))
  const rare = terms.flatMap((term, at) => (match === 'auto' && isCommon(term) ? [] : (each[at] ?? [])))
  const pieceLookups = pieces.map((piece) => termLookup(piece, false, inflected))
  const deciding = [...(rare.length > 0 ? rare : each), ...pieceLookups]
  return {
    phrase: phraseExpression(terms, prefixLast),
    all: each.map((lookup) => lookup.match).join(' AND '),
    deciding: Array.from(new Map(deciding.map((lookup) => [lookup.match, lookup])).values()),
  }
}

function isCommon({ words }: QueryTerm): boolean {
  return words.every((word) => commonWords.has(word))
}

function phraseExpression(terms: readonly QueryTerm[], prefixLast: boolean): string {
  const words = terms.flatMap((term) => term.words)
  const parts = terms.flatMap((term) => term.parts)
  return together({ words, parts }, prefixLast)
}

function termLookup(term: QueryTerm, prefix: boolean, inflected: boolean): Lookup {
  const exact = together(term, prefix)
  const [word] = term.words
  if (term.words.length > 1 || word === undefined) return { match: exact }
  const stem = inflected ? stemOf(word) : undefined
  const match = stem === undefined ? exact : `(${exact} OR ${stemExpression(stem)})`
  return term.parts.length > 1 ? { match } : { match, words: placesOf(word, prefix, stem) }
}

function stemExpression(stem: string): string {
  const word = phrase([stem], false)
  return `${inText([word])} OR stems : ${word}`
}

function placesOf(word: string, prefix: boolean, stem: string | undefined): WordPlaces[] {
  const inflected = stem === undefined ? [] : [{ word: stem, prefix: false, stems: true }]
  // Where the word itself stands, so does its stem; it must not count twice.
  return stem !== undefined && !prefix ? inflected : [{ word, prefix, stems: false }, ...inflected]
}

/** The words adjacent and in order; emoji, which have no place among them, anywhere. */
function together({ words, parts }: QueryTerm, prefix: boolean): string {
  const spoken = [words.filter(isSpoken), parts.filter(isSpoken)].filter((run) => run.length > 0)
  const emoji = words.filter((word) => !isSpoken(word)).map((word) => inText([phrase([word], false)]))
  const runs = spoken.length === 0 ? [] : [inText(spoken.map((run) => phrase(run, prefix)))]
  const all = [...runs, ...emoji]
  return all.length === 1 ? (all[0] ?? '') : `(${all.join(' AND ')})`
}

function inText(phrases: readonly string[]): string {
  return `{text parts} : (${Array.from(new Set(phrases)).join(' OR ')})`
}

function phrase(words: readonly string[], prefix: boolean): string {
  return `"${words.join(' ')}"${prefix ? '*' : ''}`
}
