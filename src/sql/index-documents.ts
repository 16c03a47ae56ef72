import { semanticText } from '../core/document.ts'
import { isSessionQueryError, type SessionQueryErrorCode } from '../core/errors.ts'
import { firstBrokenMessage } from '../core/message.ts'
import type { SessionEvent } from '../core/session.ts'
import type { SurfaceFold, SurfaceState } from '../core/surface.ts'
import { wordsOf } from '../core/words.ts'
import { keyOf, numberOf, textOf, type SqlDatabase } from './database.ts'
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

  constructor(db: SqlDatabase, sessions: StoredSessions, surfaces: StoredSurfaces) {
    this.#db = db
    this.#sessions = sessions
    this.#surfaces = surfaces
  }

  /** Brings in every session that the index lags behind on, and drops those that are gone. */
  catchUp(): void {
    const known = new Map(
      this.#db
        .query('SELECT session, through FROM sessions')
        .map(([session, through]) => [numberOf(session), numberOf(through)]),
    )
    for (const stored of this.#sessions.all()) {
      if (known.get(stored.session) !== stored.length) this.follow(stored)
      known.delete(stored.session)
    }
    for (const gone of known.keys()) this.drop(gone)
  }

  /** Indexes what a session has gained. One whose log cannot be used is left out, and noted. */
  follow(stored: StoredSession): void {
    this.#db.transaction(() => {
      const through = this.#through(stored)
      const added = this.#documents(stored, through)
      if ('problem' in added) {
        this.#clear(stored.session)
        this.#note(stored, added.problem)
      } else {
        this.#add(stored.session, added.documents)
        this.#shadow(stored.session, added.shadowed)
        this.#note(stored, added.broken || stored.damaged ? 'SESSION_QUERY_CORRUPT_SESSION' : null)
      }
    })
  }

  /** Takes a session out. */
  drop(session: number): void {
    this.#db.transaction(() => {
      this.#clear(session)
      this.#db.query('DELETE FROM sessions WHERE session = ?1', [session])
    })
  }

  /** How many events can be searched. */
  count(): number {
    return numberOf(this.#db.query('SELECT count(*) FROM documents')[0]?.[0])
  }

  issues(): SessionIssue[] {
    return this.#db
      .query('SELECT session, problem FROM sessions WHERE problem IS NOT NULL')
      .map(([session, problem]) => ({
        session: numberOf(session),
        code: textOf(problem) as SessionQueryErrorCode,
      }))
  }

  /** From which event on the session is not indexed; the session gets its row. */
  #through({ session, header, length }: StoredSession): number {
    this.#db.query('INSERT OR IGNORE INTO sessions (session, id, through) VALUES (?1, ?2, 0)', [
      session,
      keyOf(header.id),
    ])
    const [row] = this.#db.query('SELECT through FROM sessions WHERE session = ?1', [session])
    const through = numberOf(row?.[0])
    if (through <= length) return through
    // The log lost its end, as after a power cut; what the index has of it may be of other events.
    this.#clear(session)
    return 0
  }

  /** What the log has gained, without touching the index: whatever fails here is about the log. */
  #documents(stored: StoredSession, through: number): Gained {
    try {
      const fold = this.#surfaces.of(stored)
      const events = this.#sessions.range(stored.session, through, stored.length - 1)
      return {
        documents: events.flatMap((event) => documentOf(event, fold)),
        shadowed: fold.replacements
          .filter(({ seq }) => seq >= through)
          .flatMap(({ removed }) => removed.filter((seq) => seq < through)),
        broken: firstBrokenMessage(events) !== undefined,
      }
    } catch (error) {
      return { problem: isSessionQueryError(error) ? error.code : 'SESSION_QUERY_INDEX_FAILED' }
    }
  }

  /** A problem that was found stays: events do not change. */
  #note({ session, length }: StoredSession, problem: SessionQueryErrorCode | null): void {
    this.#db.query(
      'UPDATE sessions SET through = ?2, problem = coalesce(?3, problem) WHERE session = ?1',
      [session, length, problem],
    )
  }

  #add(session: number, documents: readonly IndexedDocument[]): void {
    for (const { event, surface, text } of documents) {
      const [row] = this.#db.query(
        'INSERT INTO documents (session, seq, type, time, surface) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING doc',
        [session, event.seq, event.type, event.time, surface],
      )
      this.#db.query('INSERT INTO words (rowid, text) VALUES (?1, ?2)', [numberOf(row?.[0]), text])
    }
  }

  #shadow(session: number, seqs: readonly number[]): void {
    for (const seq of seqs) {
      this.#db.query(`UPDATE documents SET surface = 'shadowed' WHERE session = ?1 AND seq = ?2`, [
        session,
        seq,
      ])
    }
  }

  #clear(session: number): void {
    this.#db.query('DELETE FROM words WHERE rowid IN (SELECT doc FROM documents WHERE session = ?1)', [
      session,
    ])
    this.#db.query('DELETE FROM documents WHERE session = ?1', [session])
  }
}

interface IndexedDocument {
  readonly event: SessionEvent
  readonly surface: SurfaceState
  readonly text: string
}

type Gained =
  | {
      readonly documents: readonly IndexedDocument[]
      /** Events that were indexed before and are off the surface now. */
      readonly shadowed: readonly number[]
      /** Whether an event is not the message that its type promises. */
      readonly broken: boolean
    }
  | { readonly problem: SessionQueryErrorCode }

function documentOf(event: SessionEvent, fold: SurfaceFold): IndexedDocument[] {
  const text = wordsOf(semanticText(event))
    .map((word) => word.text)
    .join(' ')
  return text === '' ? [] : [{ event, surface: fold.stateOf(event.seq), text }]
}
