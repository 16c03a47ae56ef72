import { cut, isLonger } from './snippet-cut.ts'
import { longestExact, placesIn, unions, type Places, type Span, type Wanted } from './word-places.ts'

/** How the words of the query stand in the event: adjacent and in order, all of them, or some. */
export type Matched = 'phrase' | 'all' | 'some'

/** A piece of an event's text around the best match. */
export interface Excerpt {
  /** White space normalised; `…` where text was cut. */
  readonly snippet: string
  /** Offsets into `snippet`, ascending, not overlapping. */
  readonly highlights: readonly Span[]
  readonly matched: Matched
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
  const { phrases, found, pieces } = placesIn(clean, wanted)
  const anchor = phrases[0] ?? densest([...found, ...pieces], maxLength) ?? [0, 0]
  const matched = matchedBy(phrases, found)
  if (maxLength < leastLength && isLonger(clean, maxLength))
    return { snippet: ellipsis, highlights: [], matched }
  const { start, end } = cut(clean, anchor, maxLength)
  const lead = start > 0 ? ellipsis : ''
  const snippet = lead + clean.slice(start, end) + (end < clean.length ? ellipsis : '')
  return {
    snippet,
    highlights: marked({ phrases, found, pieces }, wanted)
      .map(([from, to]): Span => [Math.max(from, start), Math.min(to, end)])
      .filter(([from, to]) => from < to)
      .map(([from, to]): Span => [from - start + lead.length, to - start + lead.length]),
    matched,
  }
}

/**
 * How many places of the text are marked for what was wanted; places that overlap are one.
 *
 * @returns undefined for a text so long that not every word of it is looked at
 */
export function countPlaces(text: string, wanted: Wanted): number | undefined {
  if (text.length > longestExact) return undefined
  return marked(placesIn(text, wanted), wanted).length
}

const ellipsis = '…'

/** One code point between two marks of omission. */
const leastLength = 3

function matchedBy(phrases: readonly Span[], found: readonly (readonly Span[])[]): Matched {
  if (phrases.length > 0) return 'phrase'
  return found.every((spans) => spans.length > 0) ? 'all' : 'some'
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

/** What is marked of what was found. */
function marked({ phrases, found, pieces }: Places, { phraseOnly }: Wanted): Span[] {
  return merged(phraseOnly ? phrases : [...phrases, ...found.flat(), ...pieces.flat()])
}

/** The spans in order, those made one that overlap. */
function merged(spans: readonly Span[]): Span[] {
  return unions(spans, (span, last) => span[0] < last[1])
}
