import { isSessionQueryError, type SessionQueryErrorCode } from '../core/errors.ts'
import { firstBrokenMessage } from '../core/message.ts'
import type { SessionEvent } from '../core/session.ts'
import type { SurfaceFold } from '../core/surface.ts'
import { firstValue, keyOf, numberOf, textOf, textOfKey, type SqlDatabase } from './database.ts'
import { documentOf, insertWords, type IndexedDocument } from './document-words.ts'
import { DocumentTable, surfaceCodes } from './documents.ts'
import type { StoredSession, StoredSessions } from './sessions.ts'
import type { StoredSurfaces } from './surfaces.ts'

/** What is wrong with a session. */
export interface SessionIssue {
  readonly session: number
  readonly code: SessionQueryErrorCode
}

/**
 * Keeps the index in step with the log. For each session it remembers through which event it came, so
 * that after any interruption it goes on from there, and appending indexes the new events alone.
 */
export class DocumentIndex {
  readonly #db: SqlDatabase
  readonly #sessions: StoredSessions
  readonly #surfaces: StoredSurfaces
  readonly #ids = new Map<number, string>()
  readonly #generations = new Map<number, number>()
  #table = new DocumentTable()
  #generation = 0
  /** The last document that was written or read. */
  #last = 0

  constructor(db: SqlDatabase, sessions: StoredSessions, surfaces: StoredSurfaces) {
    this.#db = db
    this.#sessions = sessions
    this.#surfaces = surfaces
  }

  /** What ranking needs of the documents. */
  get table(): DocumentTable {
    return this.#table
  }

  /** Grows with every change to what can be found. */
  get generation(): number {
    return this.#generation
  }

  /** As {@link generation}, for one session. */
  generationOf(session: number): number {
    return this.#generations.get(session) ?? 0
  }

  /** Notes a change to what can be found of a session. */
  changed(session: number): void {
    this.#generation += 1
    this.#generations.set(session, this.#generation)
  }

  /** Notes the id of a session that is not stored, and that it has changed. */
  name(session: number, id: string): void {
    this.#ids.set(session, id)
    this.changed(session)
  }

  idOf(session: number): string {
    return this.#ids.get(session) ?? ''
  }

  /** Whether the database holds what it was left with: no transaction around ours has been taken back. */
  isInStep(): boolean {
    return this.#lastInDatabase() === this.#last
  }

  /** Reads what the database holds. */
  load(): void {
    this.#last = this.#lastInDatabase()
    this.#table = DocumentTable.load(this.#db)
    this.#ids.clear()
    for (const [session, id] of this.#db.query('SELECT session, id FROM {sessions}')) {
      this.#ids.set(numberOf(session), textOfKey(textOf(id)))
    }
    this.#generation += 1
  }

  /** Sessions whose log is not the one that was indexed; those that are gone are dropped at once. */
  lagging(): number[] {
    const [numbers = [], through = []] = this.#db.columns('SELECT session, through FROM {sessions}')
    const known = new Map(numbers.map((session, at) => [session, through[at]]))
    const lagging: number[] = []
    for (const [session, length] of this.#sessions.lengths()) {
      if (known.get(session) !== length) lagging.push(session)
      known.delete(session)
    }
    for (const gone of known.keys()) this.drop(gone)
    return lagging
  }

  /**
   * Indexes the next events of a session.
   *
   * @param effort how much may be done: an event, or {@link charsOfEvent} of a long one, is 1
   */
  advance(session: number, effort: number): Advance {
    const stored = this.#sessions.byNumber(session)
    if (stored !== undefined) return this.#index(stored, effort)
    this.drop(session)
    return { effort: 0, done: true }
  }

  /** Indexes all that a session has gained. One whose log cannot be used is left out, and noted. */
  follow(stored: StoredSession): void {
    this.#index(stored, Infinity)
  }

  /** Takes a session out. */
  drop(session: number): void {
    this.#db.transaction(() => {
      this.#clear(session)
      this.#db.query('DELETE FROM {sessions} WHERE session = ?1', [session])
      this.#ids.delete(session)
    })
  }

  /** How many events can be searched. */
  count(): number {
    return this.#table.count
  }

  /** How many events of the log were looked at. */
  eventsDone(): number {
    const [row] = this.#db.query('SELECT total(through) FROM {sessions}')
    return numberOf(row?.[0])
  }

  issues(): SessionIssue[] {
    return this.#db
      .query('SELECT session, problem FROM {sessions} WHERE problem IS NOT NULL')
      .map(([session, problem]) => ({
        session: numberOf(session),
        code: textOf(problem) as SessionQueryErrorCode,
      }))
  }

  #index(stored: StoredSession, effort: number): Advance {
    return this.#db.transaction(() => {
      const { session, length } = stored
      const from = this.#through(stored)
      const gain = this.#gain(stored, from, effort)
      if ('problem' in gain) {
        this.#clear(session)
        this.#note(session, length, gain.problem)
        return { effort: 1, done: true }
      }
      const { to } = gain
      this.#add(session, gain.documents)
      this.#shadow(session, gain.shadowed)
      if (gain.documents.length + gain.shadowed.length > 0) this.changed(session)
      const damaged = gain.broken || stored.damaged
      this.#note(session, to, damaged ? 'SESSION_QUERY_CORRUPT_SESSION' : null)
      return { effort: gain.effort, done: to === length }
    })
  }

  /** From which event on the session is not indexed; the session gets its row. */
  #through({ session, header, length }: StoredSession): number {
    const added = this.#db.query(
      'INSERT OR IGNORE INTO {sessions} (session, id, through) VALUES (?1, ?2, 0) RETURNING session',
      [session, keyOf(header.id)],
    )
    // A session that is new changes what can be found; documents that it has already are what damage has left.
    if (added.length > 0) this.#clear(session)
    this.#ids.set(session, header.id)
    const [row] = this.#db.query('SELECT through FROM {sessions} WHERE session = ?1', [session])
    const through = numberOf(row?.[0])
    if (through <= length) return through
    // The log lost its end, as after a power cut; what the index has of it may be of other events.
    this.#clear(session)
    return 0
  }

  /** What the log has gained, without touching the index: whatever fails here is about the log. */
  #gain(stored: StoredSession, from: number, effort: number): Gain {
    try {
      const { session, length } = stored
      const fold = this.#surfaces.of(stored)
      const most = Math.min(effort, length - from)
      const { events, chars } = this.#sessions.next(session, from, most, effort * charsOfEvent)
      const last = events.length < most ? events.at(-1)?.seq : from + most - 1
      const to = last === undefined ? length : Math.min(length, last + 1)
      return {
        to,
        effort: Math.max(events.length, Math.ceil(chars / charsOfEvent)),
        documents: events.flatMap((event) => gained(event, fold, this.#db.longestText)),
        shadowed: fold.replacements
          .filter(({ seq }) => seq >= from && seq < to)
          .flatMap(({ removed }) => removed.filter((seq) => seq < from)),
        broken: firstBrokenMessage(events) !== undefined,
      }
    } catch (error) {
      // That is about the storage: the log may be read the next time.
      if (isSessionQueryError(error) && error.code === 'SESSION_QUERY_PERSISTENCE_FAILED') throw error
      return { problem: isSessionQueryError(error) ? error.code : 'SESSION_QUERY_INDEX_FAILED' }
    }
  }

  /** A problem that was found stays: events do not change. */
  #note(session: number, through: number, problem: SessionQueryErrorCode | null): void {
    this.#db.query(
      'UPDATE {sessions} SET through = ?2, problem = coalesce(?3, problem) WHERE session = ?1',
      [session, through, problem],
    )
  }

  #add(session: number, documents: readonly GainedDocument[]): void {
    const types = this.#typesOf(documents)
    for (const { event, document } of documents) {
      const { seq, type, time } = event
      const { surface, words, chars } = document
      for (const piece of document.pieces) {
        const doc = this.#table.nextDoc
        this.#db.query(
          `INSERT INTO {documents} (doc, session, seq, type, time, surface, words, chars)
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
          [doc, session, seq, types.get(type) ?? 0, time, surfaceCodes[surface], words, chars],
        )
        insertWords(this.#db, doc, piece)
        this.#last = doc
        this.#table.add({ doc, session, seq, type, time, surface, words, chars })
      }
    }
  }

  /** The numbers of the types, given to those that have none. */
  #typesOf(documents: readonly GainedDocument[]): ReadonlyMap<string, number> {
    const names = new Set(documents.map(({ event }) => event.type))
    return new Map(Array.from(names, (name) => [name, this.#typeNumber(keyOf(name))]))
  }

  #typeNumber(name: string): number {
    const known = firstValue(this.#db.query('SELECT type FROM {types} WHERE name = ?1', [name]))
    if (known !== undefined) return numberOf(known)
    const added = 'INSERT INTO {types} (name) VALUES (?1) RETURNING type'
    return numberOf(firstValue(this.#db.query(added, [name])))
  }

  #shadow(session: number, seqs: readonly number[]): void {
    for (const seq of seqs) {
      const changed = this.#db.query(
        'UPDATE {documents} SET surface = ?3 WHERE session = ?1 AND seq = ?2 RETURNING doc',
        [session, seq, surfaceCodes.shadowed],
      )
      for (const [doc] of changed) this.#table.shadow(numberOf(doc))
    }
  }

  #lastInDatabase(): number {
    return numberOf(firstValue(this.#db.query('SELECT max(doc) FROM {documents}')))
  }

  #clear(session: number): void {
    const docs = this.#db
      .query('SELECT doc FROM {documents} WHERE session = ?1', [session])
      .map(([doc]) => numberOf(doc))
    for (const doc of docs) this.#db.query('DELETE FROM {words} WHERE rowid = ?1', [doc])
    this.#db.query('DELETE FROM {documents} WHERE session = ?1', [session])
    this.#table.remove(session, docs)
    this.#last = this.#lastInDatabase()
    this.changed(session)
  }
}

interface GainedDocument {
  readonly event: SessionEvent
  readonly document: IndexedDocument
}

/** What was done of an index. */
export interface Advance {
  /** How much it was: an event, or {@link charsOfEvent} of a long one, is 1. */
  readonly effort: number
  /** Whether nothing is left to do of the session. */
  readonly done: boolean
}

/** Of the JSON of an event, in UTF-16 units; a longer one is as much to do as several. */
const charsOfEvent = 4096

type Gain =
  | {
      /** The seq behind the last one. */
      readonly to: number
      /** As in {@link Advance}. */
      readonly effort: number
      readonly documents: readonly GainedDocument[]
      /** Events that were indexed before and are off the surface now. */
      readonly shadowed: readonly number[]
      /** Whether an event is not the message that its type promises. */
      readonly broken: boolean
    }
  | { readonly problem: SessionQueryErrorCode }

function gained(event: SessionEvent, fold: SurfaceFold, longestText: number): GainedDocument[] {
  const document = documentOf(event, fold, longestText)
  return document === undefined ? [] : [{ event, document }]
}
