import { commonWords } from './common-words.ts'
import { stemOf } from './stems.ts'
import { wordsOf, type QueryTerm, type Word } from './words.ts'

/** Whether a word of a query is inflected, so that it is looked for in its other forms as well. */
export function isInflected({ words, parts }: QueryTerm): boolean {
  return [...words, ...parts].some((word) => stemOf(word) !== word)
}

/**
 * Whether a word of a query stands in a text: among words in any of its forms, in an identifier only as it is written.
 * `opens` is said by `opened`, but not by `terminal_open`, which is a name.
 */
export function isSaid(text: string, terms: readonly QueryTerm[]): boolean {
  const all = terms.flatMap(({ words, parts }) => [...words, ...parts])
  const telling = all.filter((word) => !commonWords.has(word))
  const exact = new Set(telling.length > 0 ? telling : all)
  const stems = new Set(Array.from(exact, stemOf))
  return wordsOf(text).some(
    (word) =>
      [word, ...(word.parts ?? [])].some((part) => exact.has(part.text)) ||
      (stems.has(stemOf(word.text)) && !isInName(text, word)),
  )
}

/** An underscore between letters makes a name; `_emphasis_` has none. */
const underscoreInName = /^[\p{L}\p{N}]_$|^_[\p{L}\p{N}]$/u

function isInName(text: string, { start, end }: Word): boolean {
  return (
    underscoreInName.test(text.slice(start - 2, start)) ||
    underscoreInName.test(text.slice(end, end + 2))
  )
}
