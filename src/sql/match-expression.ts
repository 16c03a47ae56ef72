import { commonWords } from '../core/common-words.ts'
import type { CheckedSearch } from '../core/request.ts'
import { stemOf } from '../core/stems.ts'
import type { QueryTerm } from '../core/words.ts'

/** What is looked up in the index for a search, in FTS5's query syntax. Words are quoted: none acts as syntax. */
export interface Lookups {
  /** The whole query as one phrase. */
  readonly phrase: string
  /** Everything that was asked for. */
  readonly all: string
  /** One by one, what decides; the others are so common that they say nothing where these are there. */
  readonly deciding: readonly string[]
}

/** Column of the words as they stand in the text. */
export const textColumn = 'text'
/** Column of the parts of identifiers and of the stems of inflected words. */
export const formsColumn = 'forms'
/** Stands between two identifiers in {@link formsColumn}, so that no phrase reaches from one to the next. */
export const gap = '·'

export function lookupsOf({ terms, match, prefixLast }: CheckedSearch): Lookups {
  const inflected = match === 'auto'
  const last = terms.length - 1
  const each = terms.map((term, at) => termExpression(term, prefixLast && at === last, inflected))
  const rare = terms.flatMap((term, at) => (isCommon(term) ? [] : (each[at] ?? [])))
  return {
    phrase: phraseExpression(terms, prefixLast),
    all: each.join(' AND '),
    deciding: Array.from(new Set(rare.length > 0 ? rare : each)),
  }
}

function isCommon({ words }: QueryTerm): boolean {
  return words.every((word) => commonWords.has(word))
}

function phraseExpression(terms: readonly QueryTerm[], prefixLast: boolean): string {
  const words = terms.flatMap((term) => term.words)
  const parts = terms.flatMap((term) => term.parts)
  return anyOf([phrase(words, prefixLast), phrase(parts, prefixLast)])
}

function termExpression({ words, parts }: QueryTerm, prefix: boolean, inflected: boolean): string {
  const [only] = words
  const stem =
    inflected && words.length === 1 && only !== undefined ? [phrase([stemOf(only)], false)] : []
  return anyOf([phrase(words, prefix), phrase(parts, prefix), ...stem])
}

function anyOf(expressions: readonly string[]): string {
  const different = Array.from(new Set(expressions))
  return different.length === 1 ? (different[0] ?? '') : `(${different.join(' OR ')})`
}

function phrase(words: readonly string[], prefix: boolean): string {
  return `"${words.join(' ')}"${prefix ? '*' : ''}`
}
