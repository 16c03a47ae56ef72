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
  /** The words, as FTS5 takes them, without emoji. */
  readonly text: string
  /** Those of identifiers in camel case, and emoji. */
  readonly parts: string
  /** Those of the words that are inflected. */
  readonly stems: string
  /** Length in words. */
  readonly words: number
  /** Length in code points. */
  readonly chars: number
}

/** What of an event can be found; undefined when nothing can. */
export function documentOf(event: SessionEvent, fold: SurfaceFold): IndexedDocument | undefined {
  const text = semanticText(event)
  const words = wordsOf(text)
  if (words.length === 0) return undefined
  return {
    surface: fold.stateOf(event.seq),
    text: words.flatMap(({ text: word }) => (isSpoken(word) ? word : [])).join(' '),
    parts: partsOf(words),
    stems: stemsOf(words),
    words: words.length,
    chars: codePointLength(text),
  }
}

/** Writes the words of a document. */
export function insertWords(
  db: SqlDatabase,
  doc: number,
  { text, parts, stems }: IndexedDocument,
): void {
  db.query('INSERT INTO words (rowid, text, parts, stems) VALUES (?1, ?2, ?3, ?4)', [
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
