import { commonWords } from '../core/common-words.ts'
import type { CheckedSearch } from '../core/request.ts'
import { stemOf } from '../core/stems.ts'
import { isSpoken, type QueryTerm } from '../core/words.ts'

/** What is looked up in the index for a search, in FTS5's query syntax. Words are quoted: none acts as syntax. */
export interface Lookups {
  /** The whole query as one phrase. */
  readonly phrase: string
  /** Everything that was asked for. */
  readonly all: string
  /** One by one, what decides; the others are so common that they say nothing where these are there. */
  readonly deciding: readonly string[]
}

/** Stands between two identifiers in the column `parts`, so that no phrase reaches from one to the next. */
export const gap = '·'

/**
 * The index has three columns: `text`, the words as they stand; `parts`, those of identifiers in camel case;
 * `stems`, of the words that are inflected.
 */
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
  return together({ words, parts }, prefixLast)
}

function termExpression(term: QueryTerm, prefix: boolean, inflected: boolean): string {
  const [only] = term.words
  const exact = together(term, prefix)
  if (!inflected || term.words.length > 1 || only === undefined) return exact
  const stem = phrase([stemOf(only)], false)
  return `(${exact} OR text : ${stem} OR stems : ${stem})`
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
