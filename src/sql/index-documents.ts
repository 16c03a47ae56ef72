import { semanticText } from '../core/document.ts'
import { isSessionQueryError, type SessionQueryErrorCode } from '../core/errors.ts'
import { firstBrokenMessage } from '../core/message.ts'
import type { SessionEvent } from '../core/session.ts'
import type { SurfaceFold } from '../core/surface.ts'
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

  /** Indexes what a session has gained. A log that does not fold is left out, and noted. */
  follow(stored: StoredSession): void {
    this.#db.transaction(() => {
      const through = this.#through(stored)
      try {
        const broken = this.#add(stored, through, this.#surfaces.of(stored))
        this.#note(stored, broken ? 'SESSION_QUERY_CORRUPT_SESSION' : null)
      } catch (error) {
        if (!isSessionQueryError(error) || error.code !== 'SESSION_QUERY_INVALID_SURFACE') throw error
        this.#clear(stored.session)
        this.#note(stored, error.code)
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
  #through({ session, header }: StoredSession): number {
    this.#db.query('INSERT OR IGNORE INTO sessions (session, id, through) VALUES (?1, ?2, 0)', [
      session,
      keyOf(header.id),
    ])
    const [row] = this.#db.query('SELECT through FROM sessions WHERE session = ?1', [session])
    return numberOf(row?.[0])
  }

  /** A problem that was found stays: events do not change. */
  #note({ session, length }: StoredSession, problem: SessionQueryErrorCode | null): void {
    this.#db.query(
      'UPDATE sessions SET through = ?2, problem = coalesce(?3, problem) WHERE session = ?1',
      [session, length, problem],
    )
  }

  /** @returns whether one of the new events is not the message that its type promises */
  #add({ session, length }: StoredSession, through: number, fold: SurfaceFold): boolean {
    const events = this.#sessions.range(session, through, length - 1)
    for (const event of events) {
      const text = indexedText(event)
      if (text === '') continue
      const [row] = this.#db.query(
        'INSERT INTO documents (session, seq, type, time, surface) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING doc',
        [session, event.seq, event.type, event.time, fold.stateOf(event.seq)],
      )
      this.#db.query('INSERT INTO words (rowid, text) VALUES (?1, ?2)', [numberOf(row?.[0]), text])
    }
    for (const { removed } of fold.replacements.filter(({ seq }) => seq >= through)) {
      for (const seq of removed.filter((gone) => gone < through)) {
        this.#db.query(`UPDATE documents SET surface = 'shadowed' WHERE session = ?1 AND seq = ?2`, [
          session,
          seq,
        ])
      }
    }
    return firstBrokenMessage(events) !== undefined
  }

  #clear(session: number): void {
    this.#db.query('DELETE FROM words WHERE rowid IN (SELECT doc FROM documents WHERE session = ?1)', [
      session,
    ])
    this.#db.query('DELETE FROM documents WHERE session = ?1', [session])
  }
}

function indexedText(event: SessionEvent): string {
  return wordsOf(semanticText(event))
    .map((word) => word.text)
    .join(' ')
}
