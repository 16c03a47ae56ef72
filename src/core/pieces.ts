import { commonWords } from './common-words.ts'
import type { QueryTerm } from './words.ts'

/**
 * What the terms of a query are made of, for whoever does not mean them as a whole: `nightly-rollup` of its words, and
 * what is written without spaces (`预算审批的结论`, `由布院の旅館`) of what is likely to be a word in it.
 *
 * @returns at most 64 distinct terms, spread over the query; of each term the pieces that say something, or all where
 *   none does
 */
export function piecesOf(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  const distinct = new Map(
    terms.flatMap(piecesOfTerm).map((piece) => [piece.join(' '), { words: piece, parts: piece }]),
  )
  const pieces = Array.from(distinct.values())
  const step = Math.max(1, pieces.length / mostPieces)
  return pieces.filter((_piece, at) => Math.floor(at % step) === 0).slice(0, mostPieces)
}

/** Each costs a lookup, and a look at every text that is shown. */
const mostPieces = 64

function piecesOfTerm({ words, parts }: QueryTerm): readonly Piece[] {
  const all = parts.length > words.length ? parts : words
  if (all.length < 2) return []
  const pieces = runsOf(all).flatMap(([script, run]) => cut[script](run))
  const telling = pieces.filter((piece) => !isCommon(piece))
  const chosen = telling.length > 0 ? telling : pieces
  // The term itself is looked for anyway.
  return chosen.filter((piece) => piece.length < all.length)
}

type Script = 'spaced' | 'han' | 'katakana' | 'hiragana' | 'thai'

type Piece = readonly string[]

/** The words of a script that follow each other. */
function runsOf(words: readonly string[]): [Script, string[]][] {
  const runs: [Script, string[]][] = []
  for (const word of words) {
    const script = scriptOf(word)
    const last = runs.at(-1)
    if (last?.[0] === script) last[1].push(word)
    else runs.push([script, [word]])
  }
  return runs
}

function scriptOf(word: string): Script {
  if (/^[\p{Script=Han}々〆]/u.test(word)) return 'han'
  if (/^[\p{Script=Katakana}ーｰ]/u.test(word)) return 'katakana'
  if (/^\p{Script=Hiragana}/u.test(word)) return 'hiragana'
  return /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(word)
    ? 'thai'
    : 'spaced'
}

const cut: Readonly<Record<Script, (run: readonly string[]) => readonly Piece[]>> = {
  spaced: (run) => run.map((word) => [word]),
  // Most words have two characters; of longer ones, pairs are parts.
  han: (run) => windows(run, 2),
  // Loanwords stand between other scripts.
  katakana: (run) => (run.length > 1 ? [run] : []),
  // Particles and endings.
  hiragana: () => [],
  thai: (run) => windows(run, 4),
}

function windows(run: readonly string[], size: number): readonly Piece[] {
  if (run.length <= size) return [run]
  return Array.from({ length: run.length - size + 1 }, (_, at) => run.slice(at, at + size))
}

function isCommon(piece: Piece): boolean {
  return (
    piece.every((word) => commonWords.has(word)) || piece.some((word) => functionCharacters.has(word))
  )
}

/** Han characters that tie a sentence together and say nothing by themselves. */
const functionCharacters: ReadonlySet<string> = new Set(
  '的是了吗呢吧啊在和与或也都就还这那哪什么怎谁为我你他她它们把被给有没不很请个些',
)
