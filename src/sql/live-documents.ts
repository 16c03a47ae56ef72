import type { LiveSessionEvents } from '../core/corpus.ts'
import type { SessionEvent, SessionHeader } from '../core/session.ts'
import type { SqlDatabase } from './database.ts'
import { documentOf, insertWords } from './document-words.ts'
import type { DocumentTable } from './documents.ts'
import { instancesStatement, wordsStatement } from './schema.ts'
import { ShownSession } from './shown-session.ts'

/**
 * What pages have that the store has not: sessions that are never stored, and events that could not be. They
 * are read and found like all others, and stand in memory only; while one is here it hides the stored session of its id.
 */
export class LiveDocuments {
  readonly #open: () => SqlDatabase
  readonly #shown = new Map<string, ShownSession>()
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
   * @param user whose page has it open
   * @param table where documents are listed; undefined while no index is open: {@link rejoin} makes up for it
   * @param from seq of the first; with 0, whatever was there of a session of this id is forgotten
   * @returns whether something came that can be found, or the session itself
   */
  show(
    user: string,
    table: DocumentTable | undefined,
    { header, from, events }: LiveSessionEvents,
  ): boolean {
    if (from === 0) this.#remove(table, header.id)
    const known = this.#shown.get(header.id)
    const shown = known ?? this.#added(header, user)
    const before = shown.docs.size
    let shadowed = 0
    for (const event of events.slice(shown.events.length - from)) {
      shadowed += this.#add(table, shown, event)
    }
    return known === undefined || shadowed > 0 || shown.docs.size > before
  }

  hide(table: DocumentTable | undefined, sessionId: string): void {
    this.#remove(table, sessionId)
    if (this.#shown.size === 0) this.close()
  }

  /** Lets go of the database, which is made again when it is needed. */
  close(): void {
    this.#db?.close()
    this.#db = undefined
  }

  /** Puts everything into a table that was made anew. */
  rejoin(table: DocumentTable): void {
    const shown = this.list()
    this.#db?.query(`INSERT INTO {words} ({words}) VALUES ('delete-all')`)
    this.#shown.clear()
    for (const { user, header, events } of shown) this.show(user, table, { header, from: 0, events })
  }

  #remove(table: DocumentTable | undefined, sessionId: string): void {
    const shown = this.#shown.get(sessionId)
    if (shown === undefined) return
    this.#forget(table, shown)
    this.#shown.delete(sessionId)
  }

  #added(header: SessionHeader, user: string): ShownSession {
    this.#db ??= opened(this.#open())
    this.#lastSession -= 1
    const shown = new ShownSession(this.#lastSession, header, user)
    this.#shown.set(header.id, shown)
    return shown
  }

  /** @returns how many documents left the surface by it */
  #add(table: DocumentTable | undefined, shown: ShownSession, event: SessionEvent): number {
    const removed = shown.add(event)
    const db = this.#db
    if (table === undefined || db === undefined) return 0
    if (removed === undefined) {
      // A log that does not fold is left out of search.
      this.#forget(table, shown)
      return 0
    }
    const gone = removed.flatMap((seq) => shown.docs.get(seq)?.slice(0, 1) ?? [])
    for (const doc of gone) table.shadow(doc)
    const document = documentOf(event, shown.fold, db.longestText)
    if (document !== undefined) {
      const { session } = shown
      const { seq, type, time } = event
      const { surface, words, chars, pieces } = document
      const docs = pieces.map((piece) => {
        const doc = table.nextDoc
        insertWords(db, doc, piece)
        table.add({ doc, session, seq, type, time, surface, words, chars })
        return doc
      })
      shown.docs.set(seq, docs)
    }
    return gone.length
  }

  #forget(table: DocumentTable | undefined, shown: ShownSession): void {
    if (shown.docs.size === 0) return
    const docs = Array.from(shown.docs.values()).flat()
    for (const doc of docs) this.#db?.query('DELETE FROM {words} WHERE rowid = ?1', [doc])
    table?.remove(shown.session, docs)
    shown.docs.clear()
  }
}

function opened(db: SqlDatabase): SqlDatabase {
  db.query(wordsStatement)
  db.query(instancesStatement)
  return db
}
