import type { Span } from './word-places.ts'

/** Where to cut a text so that a span stands in it, between words or at least between graphemes. */
export function cut(text: string, [from, to]: Span, maxLength: number): { start: number; end: number } {
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

/** Made once: making one costs as much as a page of excerpts. */
let graphemeSegmenter: Intl.Segmenter | undefined

/** Share of the room around a match that goes to what came before it. */
const leadShare = 1 / 3

/** How far, in UTF-16 units, a cut may move to fall between words. */
const wordReach = 16

/** Whether the text has more code points than `count`. */
export function isLonger(text: string, count: number): boolean {
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
