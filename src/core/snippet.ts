import { wordsOf, type Word } from './words.ts'

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

/** What to look for, as `queryTerms` gives it. */
export interface Wanted {
  readonly terms: readonly (readonly string[])[]
  /** Mark only places where all words stand together, in order. */
  readonly phraseOnly: boolean
  /** The last word may be the beginning of a longer one. */
  readonly prefixLast: boolean
}

/**
 * The part of `text` where the most of what was wanted meets.
 *
 * @param maxLength the longest snippet, in code points, marks of omission included
 */
export function excerptOf(text: string, wanted: Wanted, maxLength: number): Excerpt {
  const clean = text
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/\p{Surrogate}/gu, '\uFFFD')
    .trim()
  const words = wordsOf(clean)
  const phrases = spansOf(words, wanted.terms.flat(), wanted.prefixLast)
  const found = wanted.terms.map((term, at) =>
    spansOf(words, term, wanted.prefixLast && at === wanted.terms.length - 1),
  )
  const spans = merged(wanted.phraseOnly ? phrases : [...phrases, ...found.flat()])
  const anchor = phrases[0] ?? densest(found, maxLength) ?? [0, 0]
  const matched = matchedBy(phrases, found)
  if (maxLength < leastLength && codePoints(clean) > maxLength)
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

function spansOf(words: readonly Word[], sequence: readonly string[], prefixLast: boolean): Span[] {
  const spans: Span[] = []
  if (sequence.length === 0) return spans
  const lastAt = sequence.length - 1
  for (let at = 0; at + lastAt < words.length; at += 1) {
    const fits = sequence.every((wanted, offset) => {
      const word = words[at + offset]?.text ?? ''
      return prefixLast && offset === lastAt ? word.startsWith(wanted) : word === wanted
    })
    const first = words[at]
    const last = words[at + lastAt]
    if (fits && first !== undefined && last !== undefined) spans.push([first.start, last.end])
  }
  return spans
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

function cut(text: string, [from, to]: Span, maxLength: number): { start: number; end: number } {
  if (codePoints(text) <= maxLength) return { start: 0, end: text.length }
  const room = Math.max(0, maxLength - 2 - codePoints(text.slice(from, to)))
  const before = Math.min(codePoints(text.slice(0, from)), Math.ceil(room * leadShare))
  const rest = codePoints(text.slice(to))
  const after = Math.min(rest, room - before)
  const start = back(text, from, Math.min(room - after, before + room))
  const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)
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

function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of spans.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = result.at(-1)
    if (last !== undefined && span[0] < last[1]) {
      result[result.length - 1] = [last[0], Math.max(last[1], span[1])]
    } else {
      result.push(span)
    }
  }
  return result
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
