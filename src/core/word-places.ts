import { fold } from './fold.ts'
import { stemOf } from './stems.ts'
import { isSpoken, wordsOf, type QueryTerm, type Word } from './words.ts'

/** `[start, end)` in UTF-16 units. */
export type Span = readonly [start: number, end: number]

/** What to look for. */
export interface Wanted {
  /** As `queryTerms` gives them. */
  readonly terms: readonly QueryTerm[]
  /** What counts besides, and is marked, but makes neither the phrase nor all words. */
  readonly pieces?: readonly QueryTerm[]
  /** Mark only places where all words stand together, in order. */
  readonly phraseOnly: boolean
  /** The last word may be the beginning of a longer one. */
  readonly prefixLast: boolean
  /** Inflected forms count as the word. */
  readonly inflected: boolean
}

/** Where the phrase, each of the terms and each of the pieces stand. */
export interface Places {
  readonly phrases: readonly Span[]
  readonly found: readonly (readonly Span[])[]
  readonly pieces: readonly (readonly Span[])[]
}

/** The places in a text where what is wanted stands. */
export function placesIn(text: string, wanted: Wanted): Places {
  const { terms, pieces = [], prefixLast, inflected } = wanted
  const keyOf = inflected ? stemOf : (word: string): string => word
  const keyedTerm = ({ words, parts }: QueryTerm): QueryTerm => ({
    words: words.map(keyOf),
    parts: parts.map(keyOf),
  })
  const keyed = terms.map(keyedTerm)
  const keyedPieces = pieces.map(keyedTerm)
  const whole = {
    words: keyed.flatMap((term) => term.words),
    parts: keyed.flatMap((term) => term.parts),
  }
  const last = terms.at(-1)
  const prefix = { words: last?.words.at(-1) ?? '', parts: last?.parts.at(-1) ?? '' }
  // The same term twice is looked for once; the last one, when it may go on, is another.
  const distinct = new Map(
    keyed.map((term, at) => {
      const open = prefixLast && at === keyed.length - 1
      return [open ? '' : [...term.words, '', ...term.parts].join(' '), term]
    }),
  )
  const sought = new Set([
    ...whole.words,
    ...whole.parts,
    ...keyedPieces.flatMap((piece) => piece.words),
  ])
  // An emoji between two words parts them only for those who look for emoji.
  const counts = Array.from(sought).every(isSpoken)
    ? ({ text: word }: Word) => isSpoken(word)
    : () => true
  const regions = regionsOf(text, [...terms, ...pieces]).map(
    ([from, to]) => new Region(wordsOf(text.slice(from, to)).filter(counts), from, sought, keyOf),
  )
  return {
    phrases: regions.flatMap((region) => region.spansOf(whole, prefixLast ? prefix : undefined)),
    found: [...distinct].map(([name, term]) =>
      regions.flatMap((region) => region.spansOf(term, name === '' ? prefix : undefined)),
    ),
    pieces: keyedPieces.map((piece) => regions.flatMap((region) => region.spansOf(piece, undefined))),
  }
}

/** The words of a piece of text, ready to be asked for sequences. */
class Region {
  readonly #offset: number
  readonly #words: Stream
  /** The parts of each identifier, with a gap between identifiers. */
  readonly #parts: Stream

  constructor(
    words: readonly Word[],
    offset: number,
    sought: ReadonlySet<string>,
    keyOf: (word: string) => string,
  ) {
    this.#offset = offset
    this.#words = new Stream(words, sought, keyOf)
    const parts: (Word | undefined)[] = []
    for (const word of words) if (word.parts !== undefined) parts.push(...word.parts, undefined)
    this.#parts = new Stream(parts, sought, keyOf)
  }

  /**
   * Where the term stands: as it was typed, or taken apart, as words of their own or within one identifier.
   *
   * @param prefix the last word and the last part, when they may go on
   */
  spansOf(term: QueryTerm, prefix: { words: string; parts: string } | undefined): Span[] {
    const same = term.words.length === term.parts.length
    return [
      ...this.#words.spansOf(term.words, prefix?.words),
      ...(same ? [] : this.#words.spansOf(term.parts, prefix?.parts)),
      ...this.#parts.spansOf(term.parts, prefix?.parts),
    ]
      .map(([from, to]): Span => [from + this.#offset, to + this.#offset])
      .toSorted((a, b) => a[0] - b[0])
  }
}

/** A sequence of words; `undefined` is a gap that nothing spans. */
class Stream {
  readonly #words: readonly (Word | undefined)[]
  readonly #keys: readonly (string | undefined)[]
  readonly #places = new Map<string, number[]>()

  constructor(
    words: readonly (Word | undefined)[],
    sought: ReadonlySet<string>,
    keyOf: (word: string) => string,
  ) {
    this.#words = words
    this.#keys = words.map((word) => word && keyOf(word.text))
    for (const wanted of sought) this.#places.set(wanted, [])
    for (let at = 0; at < words.length; at += 1) {
      const found = this.#keys[at]
      if (found !== undefined) this.#places.get(found)?.push(at)
    }
  }

  spansOf(sequence: readonly string[], prefix: string | undefined): Span[] {
    const spans: Span[] = []
    const [head] = sequence
    if (head === undefined) return spans
    const lastAt = sequence.length - 1
    const starts =
      lastAt === 0 && prefix !== undefined ? this.#words.keys() : (this.#places.get(head) ?? [])
    for (const at of starts) {
      const first = this.#words[at]
      const last = this.#words[at + lastAt]
      if (first === undefined || last === undefined) continue
      const fits = sequence.every(
        (wanted, offset) =>
          this.#keys[at + offset] === wanted ||
          (prefix !== undefined && offset === lastAt && last.text.startsWith(prefix)),
      )
      if (fits) spans.push([first.start, last.end])
    }
    return spans
  }
}

/** The longest text, in UTF-16 units, of which every word is looked at. */
export const longestExact = 200_000

/** What is scanned for in longer texts: so many words of the query, so many places of each. */
const mostScanned = 8
const mostPlaces = 64

/** How many UTF-16 units around a place are looked at. */
const surroundings = 1000

/** The pieces of the text to look at: in order, apart from each other, cut between words where that can be. */
function regionsOf(text: string, terms: readonly QueryTerm[]): Span[] {
  if (text.length <= longestExact) return [[0, text.length]]
  const scanned = [...new Set(terms.flatMap((term) => [...term.words, ...term.parts]))]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, mostScanned)
  const regions: Span[] = [[0, spaceAfter(text, longestExact)]]
  const missed: string[] = []
  for (const word of scanned) {
    // An inflected form begins as its word does, but for the last letters.
    const begin = word.length > 5 ? word.slice(0, -2) : word
    const before = regions.length
    const pattern = new RegExp(begin.replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '.'), 'giu')
    pattern.lastIndex = longestExact
    for (let places = 0; places < mostPlaces; places += 1) {
      const match = pattern.exec(text)
      if (match === null) break
      const to = spaceAfter(text, match.index + surroundings)
      regions.push([spaceBefore(text, match.index - surroundings), to])
      pattern.lastIndex = to
    }
    if (regions.length === before) missed.push(begin)
  }
  return joined([...regions, ...foldedRegions(text, missed)])
}

/** The pieces beyond the beginning that hold one of these words, but not as it is written here. */
function foldedRegions(text: string, words: readonly string[]): Span[] {
  const regions: Span[] = []
  if (words.length === 0) return regions
  let from = longestExact
  while (from < text.length && regions.length < mostPlaces) {
    const to = Math.max(spaceAfter(text, from + surroundings), from + 1)
    const piece = text.slice(from, to)
    const folded = isAscii(piece) ? '' : fold(piece)
    if (words.some((word) => folded.includes(word))) regions.push([spaceBefore(text, from), to])
    from = to
  }
  return regions
}

function isAscii(text: string): boolean {
  return /^[\0-\x7F]*$/.test(text)
}

function spaceBefore(text: string, at: number): number {
  const from = Math.max(0, at - surroundings)
  const space = text.slice(from, at).lastIndexOf(' ')
  return space === -1 ? Math.max(0, at) : from + space
}

function spaceAfter(text: string, at: number): number {
  const space = text.slice(at, at + surroundings).indexOf(' ')
  return Math.min(text.length, space === -1 ? at : at + space)
}

/** The spans in order, those made one that touch or overlap. */
function joined(spans: readonly Span[]): Span[] {
  return unions(spans, (span, last) => span[0] <= last[1])
}

/** The spans in order, those made one that meet. */
export function unions(spans: readonly Span[], meets: (span: Span, last: Span) => boolean): Span[] {
  const result: Span[] = []
  for (const span of spans.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = result.at(-1)
    if (last !== undefined && meets(span, last)) {
      result[result.length - 1] = [last[0], Math.max(last[1], span[1])]
    } else {
      result.push(span)
    }
  }
  return result
}
