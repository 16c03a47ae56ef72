import { semanticText } from '../core/document.ts'
import type { SessionEvent } from '../core/session.ts'
import { stemOf } from '../core/stems.ts'
import type { SurfaceFold, SurfaceState } from '../core/surface.ts'
import { isSpoken, wordsOf, type Word } from '../core/words.ts'
import type { SqlDatabase } from './database.ts'
import { gap } from './match-expression.ts'

/** An event as the index takes it. */
export interface IndexedDocument {
  readonly surface: SurfaceState
  /** One, or several of a text that is too long for one row. */
  readonly pieces: readonly DocumentWords[]
  /** Length in words. */
  readonly words: number
  /** Length in code points. */
  readonly chars: number
}

/** Words as FTS5 takes them, separated by spaces. */
export interface DocumentWords {
  /** As they stand, without emoji. */
  readonly text: string
  /** Those of identifiers in camel case, and emoji. */
  readonly parts: string
  /** Those of the words that are inflected. */
  readonly stems: string
}

/**
 * What of an event can be found; undefined when nothing can.
 *
 * @param longestText that a column takes, in UTF-16 units
 */
export function documentOf(
  event: SessionEvent,
  fold: SurfaceFold,
  longestText: number,
): IndexedDocument | undefined {
  const text = semanticText(event)
  const pieces: DocumentWords[] = []
  let count = 0
  // One after the other: the words of a text take many times its room.
  for (const piece of cutAtSpaces(text, Math.floor(longestText / growth))) {
    const words = wordsOf(piece)
    count += words.length
    if (words.length > 0) pieces.push(documentWords(words))
  }
  if (pieces.length === 0) return undefined
  return { surface: fold.stateOf(event.seq), pieces, words: count, chars: codePointLength(text) }
}

/** How many times longer than a text its words can be in a column: folded, taken apart, with spaces between them. */
const growth = 3

/** A text in pieces of so many UTF-16 units, cut at white space where there is some. */
function* cutAtSpaces(text: string, most: number): Generator<string> {
  for (let from = 0; from < text.length;) {
    const to = text.length - from <= most ? text.length : endOfPiece(text, from, from + most)
    yield text.slice(from, to)
    from = to
  }
}

function endOfPiece(text: string, from: number, to: number): number {
  for (let end = to; end > from + (to - from) / 2; end -= 1) {
    if (/\s/.test(text.charAt(end - 1))) return end
  }
  // Never in the middle of a character.
  return /[\uD800-\uDBFF]/.test(text.charAt(to - 1)) ? to - 1 : to
}

function documentWords(words: readonly Word[]): DocumentWords {
  return {
    text: words.flatMap(({ text: word }) => (isSpoken(word) ? word : [])).join(' '),
    parts: partsOf(words),
    stems: stemsOf(words),
  }
}

/** Writes the words of a document, or of one of its pieces. */
export function insertWords(db: SqlDatabase, doc: number, { text, parts, stems }: DocumentWords): void {
  db.query('INSERT INTO {words} (rowid, text, parts, stems) VALUES (?1, ?2, ?3, ?4)', [
    doc,
    text,
    parts,
    stems,
  ])
}

/** Emoji stand here too: in the text they would part the words of a phrase. */
function partsOf(words: readonly Word[]): string {
  return words
    .flatMap(({ text, parts }) => {
      if (parts !== undefined) return [...parts.map((part) => part.text), gap]
      return isSpoken(text) ? [] : [text, gap]
    })
    .join(' ')
}

/** The stems that are not themselves the word, once for each occurrence. */
function stemsOf(words: readonly Word[]): string {
  return words
    .flatMap((word) => [word, ...(word.parts ?? [])])
    .flatMap(({ text }) => {
      const stem = stemOf(text)
      return stem === text ? [] : stem
    })
    .join(' ')
}

function codePointLength(text: string): number {
  let length = text.length
  for (const _pair of text.matchAll(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)) length -= 1
  return length
}
