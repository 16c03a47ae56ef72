import type { WriteResult } from '../core/corpus.ts'
import { quoted, SessionQueryError } from '../core/errors.ts'
import { headersConflict } from '../core/records.ts'
import type { SessionEvent, SessionLog } from '../core/session.ts'
import type { SqlDatabase } from './database.ts'
import type { StoredSession, StoredSessions } from './sessions.ts'
import type { StoredSurfaces } from './surfaces.ts'

/** Writes to the log database: each is checked against the fold, and is all or nothing. */
export class LogWriter {
  readonly #db: SqlDatabase
  readonly #sessions: StoredSessions
  readonly #surfaces: StoredSurfaces

  constructor(db: SqlDatabase, sessions: StoredSessions, surfaces: StoredSurfaces) {
    this.#db = db
    this.#sessions = sessions
    this.#surfaces = surfaces
  }

  put({ header, events }: SessionLog): WriteResult {
    return this.#db.transaction(() => {
      const stored = this.#sessions.find(header.id)
      if (stored === undefined) {
        const added = { session: this.#sessions.add(header), header, length: 0, damaged: false }
        return { ...this.#continue(added, events), created: true }
      }
      if (headersConflict(header, stored.header)) {
        throw conflict(header.id, 'another header is stored under this id')
      }
      return this.#continue(stored, events)
    })
  }

  append(sessionId: string, events: readonly SessionEvent[]): WriteResult {
    return this.#db.transaction(() => this.#continue(this.#sessions.get(sessionId), events))
  }

  /** @returns the number that the session had */
  remove(sessionId: string): number {
    return this.#db.transaction(() => {
      const { session } = this.#sessions.get(sessionId)
      this.#sessions.remove(session)
      this.#surfaces.forget(session)
      return session
    })
  }

  #continue(stored: StoredSession, events: readonly SessionEvent[]): WriteResult {
    const { session, header, length } = stored
    const known = events.filter((event) => event.seq < length)
    for (const event of known) {
      if (this.#sessions.json(session, event.seq) !== JSON.stringify(event)) {
        throw conflict(header.id, `another event is stored with seq ${event.seq}`)
      }
    }
    const added = events.filter((event) => event.seq >= length)
    const result = { sessionId: header.id, created: false, appended: added.length }
    if (added.length === 0) return { ...result, length }
    const fold = this.#surfaces.of(stored)
    for (const event of added) {
      fold.append(event)
      this.#sessions.insert(session, event)
    }
    this.#sessions.setLength(session, length + added.length)
    return { ...result, length: length + added.length }
  }
}

function conflict(sessionId: string, why: string): SessionQueryError {
  return new SessionQueryError(
    'SESSION_QUERY_SOURCE_CONFLICT',
    `Session ${quoted(sessionId)} was left as it is: ${why}.`,
  )
}
