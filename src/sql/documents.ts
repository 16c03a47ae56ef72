import type { SurfaceState } from '../core/surface.ts'
import { numberOf, textOf, textOfKey, type SqlDatabase } from './database.ts'

/** A document to add to the table. */
export interface DocumentEntry {
  readonly doc: number
  readonly session: number
  readonly seq: number
  readonly time: number
  readonly type: string
  readonly surface: SurfaceState
  /** Length in words. */
  readonly words: number
  /** Length in code points. */
  readonly chars: number
}

/** What the table knows of a session. */
interface SessionEntry {
  /** Its last document; -1 for none. */
  last: number
  /** Its length in words. */
  words: number
  /** How many documents it has. */
  documents: number
}

/** What a word is weighed against. */
export interface Totals {
  readonly documents: number
  readonly sessions: number
  /** Length of a document, in words. */
  readonly meanWords: number
  /** Length of a session, in words. */
  readonly meanSessionWords: number
}

/**
 * What ranking and filtering need of every document, in memory, by place: a search looks at documents by
 * the ten thousand, and a row from SQLite costs a hundred times an entry of an array.
 */
export class DocumentTable {
  session = new Int32Array(0)
  seq = new Int32Array(0)
  time = new Float64Array(0)
  type = new Uint16Array(0)
  surface = new Uint8Array(0)
  words = new Int32Array(0)
  chars = new Int32Array(0)
  /** Places of the documents before and after in the same session; -1 for none. */
  previous = new Int32Array(0)
  next = new Int32Array(0)
  #count = 0
  #live = 0
  #totalWords = 0
  readonly #types: string[] = []
  readonly #typeCodes = new Map<string, number>()
  readonly #sessions = new Map<number, SessionEntry>()
  /** Of each piece of a document but the first, the first one. */
  readonly #pieces = new Map<number, number>()

  /** One more than the highest doc; places that hold nothing have session 0. */
  get size(): number {
    return this.#count
  }

  /** A doc that no document has had; stored and live ones take turns in one sequence. */
  get nextDoc(): number {
    return Math.max(1, this.#count)
  }

  /** How many documents there are. */
  get count(): number {
    return this.#live
  }

  /** The documents that stand in several pieces, each of which has a doc of its own. */
  inPieces(): ReadonlySet<number> {
    return new Set(this.#pieces.values())
  }

  /** The document that a doc is of: the same, or that of which it is a further piece. */
  wholeOf(doc: number): number {
    return this.#pieces.get(doc) ?? doc
  }

  /** Of all documents, or of those of some sessions. */
  totals(allowed?: (session: number) => boolean): Totals {
    if (allowed === undefined) return totalsOf(this.#live, this.#totalWords, this.#sessions.size)
    let [documents, words, sessions] = [0, 0, 0]
    for (const [session, entry] of this.#sessions) {
      if (!allowed(session)) continue
      documents += entry.documents
      words += entry.words
      sessions += 1
    }
    return totalsOf(documents, words, sessions)
  }

  /** Length of a session, in words. */
  wordsOf(session: number): number {
    return this.#sessions.get(session)?.words ?? 0
  }

  /** Names of the types, by code. */
  get types(): readonly string[] {
    return this.#types
  }

  static load(db: SqlDatabase): DocumentTable {
    const table = new DocumentTable()
    // A column at a time: rows would cost more than all the rest of opening.
    const [
      docs = [],
      sessions = [],
      seqs = [],
      types = [],
      times = [],
      surfaces = [],
      words = [],
      chars = [],
    ] = db.columns(
      'SELECT doc, session, seq, type, time, surface, words, chars FROM {documents} ORDER BY doc',
    )
    const names = new Map(
      db
        .query('SELECT type, name FROM {types}')
        .map(([type, name]) => [numberOf(type), textOfKey(textOf(name))]),
    )
    table.#reserve((docs.at(-1) ?? 0) + 1)
    for (let at = 0; at < docs.length; at += 1) {
      table.add({
        doc: docs[at] ?? 0,
        session: sessions[at] ?? 0,
        seq: seqs[at] ?? 0,
        time: times[at] ?? 0,
        type: names.get(types[at] ?? 0) ?? '',
        surface: surfaceStates[surfaces[at] ?? 0] ?? 'log-only',
        words: words[at] ?? 0,
        chars: chars[at] ?? 0,
      })
    }
    return table
  }

  /** Takes in a document, or another piece of the one before. */
  add({ doc, session, seq, time, type, surface, words, chars }: DocumentEntry): void {
    this.#reserve(doc + 1)
    this.#count = Math.max(this.#count, doc + 1)
    const entry = this.#entryOf(session)
    if (entry.last >= 0 && this.seq[entry.last] === seq) {
      this.session[doc] = 0
      this.#pieces.set(doc, entry.last)
      return
    }
    this.session[doc] = session
    this.seq[doc] = seq
    this.time[doc] = time
    this.type[doc] = this.#code(type)
    this.surface[doc] = surfaceCodes[surface]
    this.words[doc] = words
    this.chars[doc] = chars
    this.previous[doc] = entry.last
    this.next[doc] = -1
    if (entry.last >= 0) this.next[entry.last] = doc
    entry.last = doc
    entry.words += words
    entry.documents += 1
    this.#live += 1
    this.#totalWords += words
  }

  /** Notes that an event is off the surface. */
  shadow(doc: number): void {
    this.surface[doc] = surfaceCodes.shadowed
  }

  /** Takes out all documents of a session, with every piece. */
  remove(session: number, docs: readonly number[]): void {
    for (const doc of docs) {
      if (this.#pieces.delete(doc)) continue
      this.session[doc] = 0
      this.#live -= 1
      this.#totalWords -= this.words[doc] ?? 0
    }
    this.#sessions.delete(session)
  }

  #entryOf(session: number): SessionEntry {
    const known = this.#sessions.get(session)
    if (known !== undefined) return known
    const entry = { last: -1, words: 0, documents: 0 }
    this.#sessions.set(session, entry)
    return entry
  }

  #code(type: string): number {
    const known = this.#typeCodes.get(type)
    if (known !== undefined) return known
    this.#typeCodes.set(type, this.#types.length)
    return this.#types.push(type) - 1
  }

  #reserve(size: number): void {
    if (size <= this.session.length) return
    const capacity = Math.max(size, this.session.length * 2, 1024)
    this.session = grown(this.session, new Int32Array(capacity))
    this.seq = grown(this.seq, new Int32Array(capacity))
    this.time = grown(this.time, new Float64Array(capacity))
    this.type = grown(this.type, new Uint16Array(capacity))
    this.surface = grown(this.surface, new Uint8Array(capacity))
    this.words = grown(this.words, new Int32Array(capacity))
    this.chars = grown(this.chars, new Int32Array(capacity))
    this.previous = grown(this.previous, new Int32Array(capacity))
    this.next = grown(this.next, new Int32Array(capacity))
  }
}

export const surfaceStates: readonly SurfaceState[] = ['current', 'shadowed', 'log-only']

export const surfaceCodes: Readonly<Record<SurfaceState, number>> = {
  current: 0,
  shadowed: 1,
  'log-only': 2,
}

function totalsOf(documents: number, words: number, sessions: number): Totals {
  return {
    documents,
    sessions,
    meanWords: Math.max(1, words / Math.max(1, documents)),
    meanSessionWords: Math.max(1, words / Math.max(1, sessions)),
  }
}

function grown<Numbers extends { set(from: Numbers): void }>(from: Numbers, to: Numbers): Numbers {
  to.set(from)
  return to
}
