/**
 * What a word is: one definition for the index, for queries and for excerpts. A word is a run of
 * letters, digits and their marks, or an emoji; in scripts that are written without spaces each
 * character is a word of its own, so that a phrase of such words matches at any substring.
 */

import { base64, digit, kindAt, lower, upper } from './ascii.ts'
import { wordless } from './encoded-data.ts'
import { fold, foldEmoji } from './fold.ts'

/** A folded word and where it stands in the text, in UTF-16 units. */
export interface Word {
  /** Of ASCII characters it holds a–z and 0–9 alone. */
  readonly text: string
  readonly start: number
  readonly end: number
  /** What an identifier is made of (`getShippingMethodId`: get, shipping, method, id), when that is more than one. */
  readonly parts?: readonly Word[]
}

/** One piece of a query that was typed together: it has to be found together, in order. */
export interface QueryTerm {
  /** `src/open.ts`: src, open, ts; `getShippingMethod`: getshippingmethod; `预算`: 预, 算 */
  readonly words: readonly string[]
  /** The same with identifiers taken apart; equal to `words` where there is nothing to take apart. */
  readonly parts: readonly string[]
}

/**
 * The words of a text, in order. Everything that is not a word separates words; data URIs and long
 * runs of base64 hold none.
 */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  let at = 0
  for (const [start, end] of wordless(text)) {
    if (start > at) collect(text.slice(at, start), at, words)
    at = Math.max(at, end)
  }
  collect(at === 0 ? text : text.slice(at), at, words)
  return words
}

/** Whether a word is said with letters or digits; if not, it is an emoji. */
export function isSpoken(word: string): boolean {
  return /[\p{L}\p{N}]/u.test(word)
}

/** The terms of a query: white space parts them. */
export function queryTerms(query: string): readonly QueryTerm[] {
  return query
    .split(/\s+/u)
    .map((piece) => wordsOf(piece))
    .filter((words) => words.length > 0)
    .map((words) => ({
      words: words.map((word) => word.text),
      parts: words.flatMap((word) => word.parts ?? [word]).map((word) => word.text),
    }))
}

/** The longest word, in characters; a longer run is several words, cut from its beginning. */
const longestWord = 256

/** Adds the words of `text`, which begins at `offset` of the whole. */
function collect(text: string, offset: number, words: Word[]): void {
  let at = 0
  while (at < text.length) {
    const first = kindAt(text, at) & ~base64
    if (first !== 0) {
      let rest = 0
      let end = at + 1
      for (; end < text.length && end - at < longestWord; end += 1) {
        const kind = kindAt(text, end) & ~base64
        if (kind === 0) break
        rest |= kind
      }
      if (endsWord(text, end)) {
        const raw = text.slice(at, end)
        const seen = first | rest
        const folded = seen & upper ? raw.toLowerCase() : raw
        const mixed = (rest & upper) !== 0 && (seen & lower) !== 0
        words.push(wordOf(raw, folded, offset + at, mixed))
        at = end
        continue
      }
    } else if (text.charCodeAt(at) < 128) {
      if (!beginsKeycap(text, at)) {
        at += 1
        continue
      }
    } else if (isHan(text.charCodeAt(at)) && endsWord(text, at + 1)) {
      words.push({ text: text.charAt(at), start: offset + at, end: offset + at + 1 })
      at += 1
      continue
    }
    wordPattern.lastIndex = at
    const match = wordPattern.exec(text)
    if (match === null) {
      at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
      continue
    }
    const [raw, emoji] = match
    const folded = emoji === undefined ? fold(raw) : foldEmoji(raw)
    if (folded !== '') {
      words.push(wordOf(raw, folded, offset + at, emoji === undefined && isMixed(raw)))
    }
    at += raw.length
  }
}

/** Whether no word can go on at `at`: cheap, and sure only when it says yes. */
function endsWord(text: string, at: number): boolean {
  if (at >= text.length) return true
  const code = text.charCodeAt(at)
  // General punctuation, and that of East Asia.
  return code < 128 || (code >= 0x2000 && code < 0x2070) || isHan(code) || code >>> 4 === 0x300
}

function isHan(code: number): boolean {
  return code >= 0x4e00 && code <= 0x9fff
}

function beginsKeycap(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  const next = text.charCodeAt(at + 1)
  return (code === 0x23 || code === 0x2a) && (next === 0xfe0f || next === 0x20e3)
}

function wordOf(raw: string, text: string, start: number, mixed: boolean): Word {
  const end = start + raw.length
  const parts = mixed ? partsOf(raw, text, start) : []
  return parts.length > 1 ? { text, start, end, parts } : { text, start, end }
}

/** Whether case changes inside the word. */
function isMixed(raw: string): boolean {
  const rest = raw.slice(1)
  return rest !== rest.toLowerCase()
}

/**
 * An identifier taken apart where a capital follows a small letter (`fold|Surface`), where the last of
 * several capitals begins a word (`HTTP|Server`, but `URLs`).
 */
function partsOf(raw: string, folded: string, offset: number): Word[] {
  const cuts: number[] = []
  let last = 0
  let lastAt = 0
  let secondLast = 0
  for (let at = 0, next = 0; at < raw.length; at = next) {
    next = at + ((raw.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
    const kind = kindOf(raw, at, next)
    // Digits go with the letters before them: `utf8|Decoder`.
    if (kind === 0 || kind === digit) continue
    if (last !== 0) {
      if (kind === upper && last === lower) cuts.push(at)
      else if (kind === lower && last === upper && secondLast === upper) {
        if (!isPlural(raw, at, next)) cuts.push(lastAt)
      }
    }
    secondLast = last
    last = kind
    lastAt = at
  }
  if (isNoise(folded, cuts.length + 1)) return []
  return [0, ...cuts].map((from, at) => {
    const to = cuts[at] ?? raw.length
    return { text: fold(raw.slice(from, to)), start: offset + from, end: offset + to }
  })
}

/** Whether the small letter is the plural of the capitals before it. */
function isPlural(raw: string, at: number, next: number): boolean {
  if (raw.charAt(at) !== 's') return false
  return next >= raw.length || kindOf(raw, next, next + 1) !== lower
}

/** What the character is to an identifier; 0 for a mark, which belongs to what stands before it. */
function kindOf(raw: string, at: number, next: number): number {
  const code = raw.charCodeAt(at)
  if (code < 128) return kindAt(raw, at) & ~base64
  const character = raw.slice(at, next)
  if (/[\p{M}\uFF9E\uFF9F]/u.test(character)) return 0
  if (/\p{N}/u.test(character)) return digit
  return /[\p{Lu}\p{Lt}]/u.test(character) ? upper : lower
}

/** Hashes and random ids: what they would be cut to says nothing. */
function isNoise(folded: string, parts: number): boolean {
  if (parts >= 4 && /^[0-9a-f]+$/.test(folded)) return true
  return parts >= 4 && folded.length < parts * (/[0-9]/.test(folded) ? 3 : 2)
}

const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々〆ｰ'

const emoji = [
  '\\p{RI}{1,2}',
  '[0-9#*０-９＃＊]\\uFE0F?\\u20E3',
  '\\p{EMod}',
  // Not ↔ with a stroke, which is ↮ in pieces.
  '\\p{ExtPict}(?!\\u0338)(?:\\p{EMod}|[\\uFE0E\\uFE0F\\u{E0020}-\\u{E007F}]|\\u200D\\p{ExtPict}){0,32}',
].join('|')

// Every repetition has a bound: without one, a long word overflows the stack of the regex engine.
const wordPattern = new RegExp(
  `(${emoji})|[${unspaced}][\\p{M}\\uFF9E\\uFF9F]{0,${longestWord}}|[[\\p{L}\\p{N}\\p{M}]--[${unspaced}]]{1,${longestWord}}`,
  'vy',
)
