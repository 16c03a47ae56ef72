import { commonWords } from '../core/common-words.ts'
import type { CheckedSearch } from './checked-search.ts'
import { stemOf } from '../core/stems.ts'
import { isSpoken, type QueryTerm } from '../core/words.ts'

/** What is looked up in the index for a search. */
export interface Lookups {
  /** The whole query as one phrase. */
  readonly phrase: Lookup
  /** All terms; pieces are not asked for. */
  readonly all: readonly Lookup[]
  /** One by one, what decides; the others are so common that they say nothing where these are there. */
  readonly deciding: readonly Lookup[]
}

/** Something that is looked up by itself. */
export interface Lookup {
  /** In FTS5's query syntax. Words are quoted: none acts as syntax. */
  readonly match: string
  /** The phrases of it, which count each for itself. */
  readonly phrases: readonly Phrase[]
  /** The same as single words, where it is nothing more: their places can be listed without a query. */
  readonly words?: readonly WordPlaces[]
}

/** Words that stand one after the other. */
export interface Phrase {
  readonly words: readonly string[]
  /** Whether the last may go on. */
  readonly prefix: boolean
  readonly columns: 'text and parts' | 'stems'
}

/** Where a word is looked for. */
export interface WordPlaces {
  readonly word: string
  /** Every word that begins so. */
  readonly prefix: boolean
  /** In the column `stems` as well. */
  readonly stems: boolean
}

/** A lookup of several together. */
export function matchAll(lookups: readonly Lookup[]): string {
  return lookups.map(({ match }) => match).join(' AND ')
}

/** Comes after every character that words have. */
export const lastCharacter = '\u{10FFFF}'

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
    all: each,
    deciding: Array.from(new Map(deciding.map((lookup) => [lookup.match, lookup])).values()),
  }
}

function isCommon({ words }: QueryTerm): boolean {
  return words.every((word) => commonWords.has(word))
}

function phraseExpression(terms: readonly QueryTerm[], prefixLast: boolean): Lookup {
  const words = terms.flatMap((term) => term.words)
  const parts = terms.flatMap((term) => term.parts)
  return together({ words, parts }, prefixLast)
}

function termLookup(term: QueryTerm, prefix: boolean, inflected: boolean): Lookup {
  const exact = together(term, prefix)
  const [word] = term.words
  if (term.words.length > 1 || word === undefined) return exact
  const stem = inflected ? stemOf(word) : undefined
  const lookup = stem === undefined ? exact : withStem(exact, stem)
  return term.parts.length > 1 ? lookup : { ...lookup, words: placesOf(word, prefix, stem) }
}

function withStem({ match, phrases }: Lookup, stem: string): Lookup {
  const [asWord, asStem] = [single(stem, 'text and parts'), single(stem, 'stems')]
  return {
    match: `(${match} OR ${inText([asWord])} OR stems : ${expressionOf(asStem)})`,
    phrases: [...phrases, asWord, asStem],
  }
}

function placesOf(word: string, prefix: boolean, stem: string | undefined): WordPlaces[] {
  const inflected = stem === undefined ? [] : [{ word: stem, prefix: false, stems: true }]
  // Where the word itself stands, so does its stem; it must not count twice.
  return stem !== undefined && !prefix ? inflected : [{ word, prefix, stems: false }, ...inflected]
}

/** The words adjacent and in order; emoji, which have no place among them, anywhere. */
function together({ words, parts }: QueryTerm, prefix: boolean): Lookup {
  const spoken = [words.filter(isSpoken), parts.filter(isSpoken)]
    .filter((run) => run.length > 0)
    .map((run): Phrase => ({ words: run, prefix, columns: 'text and parts' }))
  const [run, other] = spoken
  const runs = run !== undefined && other !== undefined && same(run, other) ? [run] : spoken
  const emoji = words.filter((word) => !isSpoken(word)).map((word) => single(word, 'text and parts'))
  const all = [...(runs.length === 0 ? [] : [inText(runs)]), ...emoji.map((one) => inText([one]))]
  return {
    match: all.length === 1 ? (all[0] ?? '') : `(${all.join(' AND ')})`,
    phrases: [...runs, ...emoji],
  }
}

function single(word: string, columns: Phrase['columns']): Phrase {
  return { words: [word], prefix: false, columns }
}

function same(a: Phrase, b: Phrase): boolean {
  return expressionOf(a) === expressionOf(b)
}

function inText(phrases: readonly Phrase[]): string {
  return `{text parts} : (${phrases.map(expressionOf).join(' OR ')})`
}

function expressionOf({ words, prefix }: Phrase): string {
  return `"${words.join(' ')}"${prefix ? '*' : ''}`
}
