import { isSessionQueryError } from '../core/errors.ts'
import type { SessionEvent, SessionHeader } from '../core/session.ts'
import { SurfaceFold } from '../core/surface.ts'
import type { SqlDatabase } from './database.ts'
import type { DocumentTable } from './documents.ts'
import { documentOf, insertWords } from './document-words.ts'
import { instancesStatement, wordsStatement } from './schema.ts'

/** A session that is open in a page and is not stored as it is there. */
export interface ShownSession {
  /** Its number; below 0, so that it is no stored session's. */
  readonly session: number
  readonly header: SessionHeader
  readonly events: readonly SessionEvent[]
}

/**
 * What pages have that the store has not: sessions that are never stored, and events that could not be. They
 * are found like all others, and stand in memory only; while one is here it hides the stored session of its id.
 */
export class LiveDocuments {
  readonly #open: () => SqlDatabase
  readonly #shown = new Map<string, MutableSession>()
  #db: SqlDatabase | undefined
  #lastSession = 0

  /** @param open makes a database in memory, when the first session comes */
  constructor(open: () => SqlDatabase) {
    this.#open = open
  }

  /** The database whose table `words` holds them; undefined while there are none. */
  get db(): SqlDatabase | undefined {
    return this.#db
  }

  find(sessionId: string): ShownSession | undefined {
    return this.#shown.get(sessionId)
  }

  byNumber(session: number): ShownSession | undefined {
    if (session >= 0) return undefined
    return Array.from(this.#shown.values()).find((shown) => shown.session === session)
  }

  list(): readonly ShownSession[] {
    return Array.from(this.#shown.values())
  }

  /**
   * Takes in events of a session.
   *
   * @param from seq of the first; with 0, whatever was there of a session of this id is forgotten
   * @returns whether something came that can be found, or the session itself
   */
  show(
    table: DocumentTable,
    header: SessionHeader,
    from: number,
    events: readonly SessionEvent[],
  ): boolean {
    if (from === 0) this.hide(table, header.id)
    const known = this.#shown.get(header.id)
    const shown = known ?? this.#added(header)
    const before = shown.docs.size
    let shadowed = 0
    for (const event of events.slice(shown.events.length - from)) {
      shadowed += this.#add(table, shown, event)
    }
    return known === undefined || shadowed > 0 || shown.docs.size > before
  }

  /** @returns whether the session was there */
  hide(table: DocumentTable, sessionId: string): boolean {
    const shown = this.#shown.get(sessionId)
    if (shown === undefined) return false
    this.#forget(table, shown)
    this.#shown.delete(sessionId)
    return true
  }

  /** Puts everything into a table that was made anew. */
  rejoin(table: DocumentTable): void {
    const shown = this.list()
    this.#db?.query(`INSERT INTO words (words) VALUES ('delete-all')`)
    this.#shown.clear()
    for (const { header, events } of shown) this.show(table, header, 0, events)
  }

  #added(header: SessionHeader): MutableSession {
    this.#db ??= opened(this.#open())
    this.#lastSession -= 1
    const events: SessionEvent[] = []
    const fold = new SurfaceFold((seq) => events[seq])
    const shown = { session: this.#lastSession, header, events, fold, docs: new Map(), folds: true }
    this.#shown.set(header.id, shown)
    return shown
  }

  /** @returns how many documents left the surface by it */
  #add(table: DocumentTable, shown: MutableSession, event: SessionEvent): number {
    shown.events.push(event)
    if (!shown.folds || this.#db === undefined) return 0
    let removed: readonly number[]
    try {
      removed = shown.fold.append(event)
    } catch (error) {
      if (!isSessionQueryError(error)) throw error
      // A log that does not fold is left out of search.
      shown.folds = false
      this.#forget(table, shown)
      return 0
    }
    const docs = removed.flatMap((seq) => shown.docs.get(seq) ?? [])
    for (const doc of docs) table.shadow(doc)
    const document = documentOf(event, shown.fold)
    if (document !== undefined) {
      const doc = table.nextDoc
      insertWords(this.#db, doc, document)
      const { seq, type, time } = event
      const { surface, words, chars } = document
      table.add({ doc, session: shown.session, seq, type, time, surface, words, chars })
      shown.docs.set(event.seq, doc)
    }
    return docs.length
  }

  #forget(table: DocumentTable, shown: MutableSession): void {
    const docs = Array.from(shown.docs.values())
    for (const doc of docs) this.#db?.query('DELETE FROM words WHERE rowid = ?1', [doc])
    table.remove(shown.session, docs)
    shown.docs.clear()
  }
}

interface MutableSession extends ShownSession {
  readonly events: SessionEvent[]
  readonly fold: SurfaceFold
  /** By seq. */
  readonly docs: Map<number, number>
  folds: boolean
}

function opened(db: SqlDatabase): SqlDatabase {
  db.query(wordsStatement)
  db.query(instancesStatement)
  return db
}
