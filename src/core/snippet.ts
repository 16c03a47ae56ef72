import { stemOf } from './stems.ts'
import { fold, isSpoken, wordsOf, type QueryTerm, type Word } from './words.ts'

/** How the words of the query stand in the event: adjacent and in order, all of them, or some. */
export type Matched = 'phrase' | 'all' | 'some'

/** `[start, end)` in UTF-16 units. */
export type Span = readonly [start: number, end: number]

/** A piece of an event's text around the best match. */
export interface Excerpt {
  /** White space normalised; `…` where text was cut. */
  readonly snippet: string
  /** Offsets into `snippet`, ascending, not overlapping. */
  readonly highlights: readonly Span[]
  readonly matched: Matched
}

/** What to look for. */
export interface Wanted {
  /** As `queryTerms` gives them. */
  readonly terms: readonly QueryTerm[]
  /** Mark only places where all words stand together, in order. */
  readonly phraseOnly: boolean
  /** The last word may be the beginning of a longer one. */
  readonly prefixLast: boolean
  /** Inflected forms count as the word. */
  readonly inflected: boolean
}

/**
 * The part of `text` where the most of what was wanted meets.
 *
 * Up to 200,000 UTF-16 units every word of the text is looked at. Of a longer text these are: its beginning, and the
 * surroundings of places that a plain scan finds for the longest words of the query; there `matched` can
 * be less than what is true, and more only where a run without white space had to be cut.
 *
 * @param maxLength the longest snippet, in code points, marks of omission included
 */
export function excerptOf(text: string, wanted: Wanted, maxLength: number): Excerpt {
  const clean = text
    .replaceAll(/[^\S ]\s*| \s+/gu, ' ')
    .replaceAll(/\p{Surrogate}/gu, '\uFFFD')
    .trim()
  const { phrases, found } = placesIn(clean, wanted)
  const spans = merged(wanted.phraseOnly ? phrases : [...phrases, ...found.flat()])
  const anchor = phrases[0] ?? densest(found, maxLength) ?? [0, 0]
  const matched = matchedBy(phrases, found)
  if (maxLength < leastLength && isLonger(clean, maxLength))
    return { snippet: ellipsis, highlights: [], matched }
  const { start, end } = cut(clean, anchor, maxLength)
  const lead = start > 0 ? ellipsis : ''
  const snippet = lead + clean.slice(start, end) + (end < clean.length ? ellipsis : '')
  return {
    snippet,
    highlights: spans
      .map(([from, to]): Span => [Math.max(from, start), Math.min(to, end)])
      .filter(([from, to]) => from < to)
      .map(([from, to]): Span => [from - start + lead.length, to - start + lead.length]),
    matched,
  }
}

const ellipsis = '…'

/** One code point between two marks of omission. */
const leastLength = 3

/** Share of the room around a match that goes to what came before it. */
const leadShare = 1 / 3

/** How far, in UTF-16 units, a cut may move to fall between words. */
const wordReach = 16

function matchedBy(phrases: readonly Span[], found: readonly (readonly Span[])[]): Matched {
  if (phrases.length > 0) return 'phrase'
  return found.every((spans) => spans.length > 0) ? 'all' : 'some'
}

/** Where the phrase and each of the terms stand. */
interface Places {
  readonly phrases: readonly Span[]
  readonly found: readonly (readonly Span[])[]
}

function placesIn(text: string, wanted: Wanted): Places {
  const { terms, prefixLast, inflected } = wanted
  const keyOf = inflected ? stemOf : (word: string): string => word
  const keyed = terms.map(({ words, parts }) => ({ words: words.map(keyOf), parts: parts.map(keyOf) }))
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
  const sought = new Set([...whole.words, ...whole.parts])
  // An emoji between two words parts them only for those who look for emoji.
  const counts = Array.from(sought).every(isSpoken)
    ? ({ text: word }: Word) => isSpoken(word)
    : () => true
  const regions = regionsOf(text, terms).map(
    ([from, to]) => new Region(wordsOf(text.slice(from, to)).filter(counts), from, sought, keyOf),
  )
  return {
    phrases: regions.flatMap((region) => region.spansOf(whole, prefixLast ? prefix : undefined)),
    found: [...distinct].map(([name, term]) =>
      regions.flatMap((region) => region.spansOf(term, name === '' ? prefix : undefined)),
    ),
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
const longestExact = 200_000

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

/** Where, within reach of one snippet, the most different terms meet. */
function densest(found: readonly (readonly Span[])[], reach: number): Span | undefined {
  const marks = found
    .flatMap((spans, term) => spans.map((span) => ({ span, term })))
    .toSorted((a, b) => a.span[0] - b.span[0])
  const inside = new Map<number, number>()
  let best: { readonly terms: number; readonly span: Span } | undefined
  let left = 0
  for (const mark of marks) {
    inside.set(mark.term, (inside.get(mark.term) ?? 0) + 1)
    for (let first = marks[left]; first !== undefined; first = marks[left]) {
      if (mark.span[1] - first.span[0] <= reach || first === mark) break
      const rest = (inside.get(first.term) ?? 1) - 1
      if (rest === 0) inside.delete(first.term)
      else inside.set(first.term, rest)
      left += 1
    }
    const from = marks[left]?.span[0] ?? mark.span[0]
    if (best === undefined || inside.size > best.terms) {
      best = { terms: inside.size, span: [from, Math.max(mark.span[1], from)] }
    }
  }
  return best?.span
}

/** Made once: making one costs as much as a page of excerpts. */
let graphemeSegmenter: Intl.Segmenter | undefined

function cut(text: string, [from, to]: Span, maxLength: number): { start: number; end: number } {
  if (!isLonger(text, maxLength)) return { start: 0, end: text.length }
  const room = Math.max(0, maxLength - 2 - codePoints(text.slice(from, to)))
  // No more than the room can hold matters, and a long text is not walked for it.
  const near = room * 2 + 2
  const before = Math.min(
    codePoints(text.slice(Math.max(0, from - near), from)),
    Math.ceil(room * leadShare),
  )
  const after = Math.min(codePoints(text.slice(to, to + near)), room - before)
  const start = back(text, from, Math.min(room - after, before + room))
  graphemeSegmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  const graphemes = graphemeSegmenter.segment(text)
  const cleanStart = start === 0 ? 0 : startBoundary(text, graphemes, start, from)
  const marks = (cleanStart > 0 ? 1 : 0) + 1
  const hardEnd = forward(text, cleanStart, maxLength - marks)
  const full = forward(text, cleanStart, maxLength - marks + 1) === text.length
  if (full) return { start: cleanStart, end: text.length }
  return { start: cleanStart, end: endBoundary(text, graphemes, hardEnd, Math.min(to, hardEnd)) }
}

/** The next place at or after `at` where a snippet may begin, not after `limit`. */
function startBoundary(text: string, graphemes: Intl.Segments, at: number, limit: number): number {
  const space = text.indexOf(' ', at)
  if (space !== -1 && space < limit && space - at <= wordReach) {
    // A joiner or mark behind a space makes one grapheme with it.
    if (graphemes.containing(space + 1)?.index === space + 1) return space + 1
  }
  const grapheme = graphemes.containing(at)
  if (grapheme === undefined || grapheme.index === at) return at
  return Math.min(grapheme.index + grapheme.segment.length, Math.max(limit, at))
}

/** The last place at or before `at` where a snippet may end, not before `limit` if that can be. */
function endBoundary(text: string, graphemes: Intl.Segments, at: number, limit: number): number {
  const space = text.lastIndexOf(' ', at)
  if (space >= limit && at - space <= wordReach) return space
  return graphemes.containing(at)?.index ?? at
}

/** The spans in order, those made one that overlap. */
function merged(spans: readonly Span[]): Span[] {
  return unions(spans, (span, last) => span[0] < last[1])
}

function unions(spans: readonly Span[], meets: (span: Span, last: Span) => boolean): Span[] {
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

/** Whether the text has more code points than `count`. */
function isLonger(text: string, count: number): boolean {
  return text.length > count * 2 || (text.length > count && codePoints(text) > count)
}

function codePoints(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length - 1; at += 1) if (isPair(text, at)) count -= 1
  return count
}

function forward(text: string, at: number, count: number): number {
  let index = at
  for (let left = count; left > 0 && index < text.length; left -= 1)
    index += isPair(text, index) ? 2 : 1
  return index
}

function back(text: string, at: number, count: number): number {
  let index = at
  for (let left = count; left > 0 && index > 0; left -= 1) index -= isPair(text, index - 2) ? 2 : 1
  return index
}

function isPair(text: string, at: number): boolean {
  const high = text.charCodeAt(at)
  const low = text.charCodeAt(at + 1)
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff
}
