/**
 * What a word is: one definition for the index, for queries and for excerpts. A word is a run of
 * letters, digits and their marks, or an emoji; in scripts that are written without spaces each
 * character is a word of its own, so that a phrase of such words matches at any substring.
 */

/** A folded word and where it stands in the text, in UTF-16 units. */
export interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** The words of a text, in order. Everything that is not a word separates words. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const match of text.matchAll(wordPattern)) {
    const folded = fold(match[0])
    if (folded === '') continue
    words.push({ text: folded, start: match.index, end: match.index + match[0].length })
  }
  return words
}

/**
 * The words of a query, grouped as they were typed: what stands together without white space has
 * to be found together, in order.
 */
export function queryTerms(query: string): readonly (readonly string[])[] {
  return query
    .split(/\s+/u)
    .map((part) => wordsOf(part).map((word) => word.text))
    .filter((term) => term.length > 0)
}

/** Case, diacritics and width folded; what is left decides whether two words are the same. */
function fold(word: string): string {
  if (/^[a-z0-9]+$/.test(word)) return word
  return word
    .replaceAll(widthVariants, (run) => run.normalize('NFKC'))
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(foldedMarks, '')
    .normalize('NFC')
    .replaceAll('ς', 'σ')
}

const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々〆ｰ'

/** Combining marks of Latin, Greek and Cyrillic, joiners and variation selectors. */
const foldedMarks = /[\u0300-\u036F]|\u200C|\u200D|[\uFE00-\uFE0F]/gu

/** Full-width and half-width forms. */
const widthVariants = /[\uFF01-\uFFEE]+/gu

const emoji =
  '\\p{RI}{2}|[0-9#*]\\uFE0F?\\u20E3|\\p{Extended_Pictographic}(?:\\p{EMod}|\\uFE0F|\\u200D\\p{Extended_Pictographic})*'

/** The longest word, in UTF-16 units at most; a longer run is several words, cut from its beginning. */
const longestWord = 256

const wordPattern = new RegExp(
  `[${unspaced}][\\p{M}\\uFF9E\\uFF9F]*|${emoji}|[[\\p{L}\\p{N}\\p{M}]--[${unspaced}]]{1,${longestWord}}`,
  'gv',
)
