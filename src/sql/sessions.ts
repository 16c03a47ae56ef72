import { persistenceFailed } from '../core/errors.ts'
import { noSession } from '../core/request.ts'
import type { SessionEvent, SessionHeader } from '../core/session.ts'
import { titleOf, titleType, type SessionTitle } from '../core/title.ts'
import type { EventFilter, SessionFilter } from '../core/filter.ts'
import { firstValue, keyOf, numberOf, textOf, type SqlDatabase, type SqlRow } from './database.ts'
import { eventsWhere, sessionsWhere } from './where.ts'

/** A session as the log database knows it. */
export interface StoredSession {
  /** Its number, never given to another session. */
  readonly session: number
  readonly header: SessionHeader
  /** How many events are stored. */
  readonly length: number
}

/** The log database: sessions and their events, as they came. It judges nothing. */
export class StoredSessions {
  readonly #db: SqlDatabase

  constructor(db: SqlDatabase) {
    this.#db = db
  }

  find(sessionId: string): StoredSession | undefined {
    const [row] = this.#db.query('SELECT session, length, header FROM sessions WHERE id = ?1', [
      keyOf(sessionId),
    ])
    return row === undefined ? undefined : storedSession(row)
  }

  /** @throws SessionQueryError `SESSION_QUERY_SESSION_NOT_FOUND` */
  get(sessionId: string): StoredSession {
    const found = this.find(sessionId)
    if (found === undefined) throw noSession(sessionId)
    return found
  }

  byNumber(session: number): StoredSession | undefined {
    const [row] = this.#db.query('SELECT session, length, header FROM sessions WHERE session = ?1', [
      session,
    ])
    return row === undefined ? undefined : storedSession(row)
  }

  all(): StoredSession[] {
    return this.#db.query('SELECT session, length, header FROM sessions').map(storedSession)
  }

  /** The sessions that pass every filter, in no order. */
  filtered(filters: readonly SessionFilter[]): StoredSession[] {
    const { sql, values } = sessionsWhere(filters)
    return this.#db
      .query(`SELECT session, length, header FROM sessions WHERE ${sql}`, values)
      .map(storedSession)
  }

  count(): { sessions: number; events: number } {
    const [row] = this.#db.query('SELECT count(*), total(length) FROM sessions')
    return { sessions: numberOf(row?.[0]), events: numberOf(row?.[1]) }
  }

  /** The whole log, in its order. */
  events(session: number): SessionEvent[] {
    // The index gives the rows by seq; in a log that is not damaged that is their order already.
    return this.#db
      .query('SELECT id, event FROM events WHERE session = ?1 ORDER BY seq, id', [session])
      .toSorted((a, b) => numberOf(a[0]) - numberOf(b[0]))
      .map(([, json]) => storedEvent(json))
  }

  /** The events that pass every filter on their metadata, by seq; surfaces are not looked at. */
  filteredEvents(session: number, filters: readonly EventFilter[]): SessionEvent[] {
    const { sql, values } = eventsWhere(filters, [session])
    return this.#db
      .query(`SELECT event FROM events WHERE session = ?1 AND ${sql} ORDER BY seq, id`, values)
      .map(([json]) => storedEvent(json))
  }

  /** The first event with this seq. */
  event(session: number, seq: number): SessionEvent | undefined {
    const json = firstValue(
      this.#db.query('SELECT event FROM events WHERE session = ?1 AND seq = ?2 ORDER BY id LIMIT 1', [
        session,
        seq,
      ]),
    )
    return json === undefined ? undefined : storedEvent(json)
  }

  /** The events with seqs from `from` to `to`, both included. */
  range(session: number, from: number, to: number): SessionEvent[] {
    return this.#db
      .query('SELECT event FROM events WHERE session = ?1 AND seq BETWEEN ?2 AND ?3 ORDER BY seq, id', [
        session,
        from,
        to,
      ])
      .map(([json]) => storedEvent(json))
  }

  /** The exact JSON of the event with this seq. */
  json(session: number, seq: number): string | undefined {
    const json = firstValue(
      this.#db.query('SELECT event FROM events WHERE session = ?1 AND seq = ?2', [session, seq]),
    )
    return json === undefined ? undefined : textOf(json)
  }

  /** The latest title that is one. */
  title(session: number): SessionTitle | undefined {
    const rows = this.#db.query(
      `SELECT event FROM events WHERE session = ?1 AND type = '${titleType}' ORDER BY id DESC`,
      [session],
    )
    for (const [json] of rows) {
      const title = titleOf(storedEvent(json))
      if (title !== undefined) return title
    }
    return undefined
  }

  /** @returns the number of the new session */
  add(header: SessionHeader): number {
    const [row] = this.#db.query(
      `INSERT INTO sessions (id, created_at, cwd, parent, length, header)
       VALUES (?1, ?2, ?3, ?4, 0, ?5) RETURNING session`,
      [
        keyOf(header.id),
        header.createdAt,
        header.cwd === undefined ? null : keyOf(header.cwd),
        header.parentSession === undefined ? null : keyOf(header.parentSession),
        JSON.stringify(header),
      ],
    )
    return numberOf(row?.[0])
  }

  /** Writes an event behind those that are there; {@link setLength} makes it count. */
  insert(session: number, event: SessionEvent): void {
    this.#db.query('INSERT INTO events (session, seq, type, time, event) VALUES (?1, ?2, ?3, ?4, ?5)', [
      session,
      event.seq,
      keyOf(event.type),
      event.time,
      JSON.stringify(event),
    ])
  }

  setLength(session: number, length: number): void {
    this.#db.query('UPDATE sessions SET length = ?2 WHERE session = ?1', [session, length])
  }

  remove(session: number): void {
    this.#db.query('DELETE FROM events WHERE session = ?1', [session])
    this.#db.query('DELETE FROM sessions WHERE session = ?1', [session])
  }
}

function storedSession([session, length, header]: SqlRow): StoredSession {
  return {
    session: numberOf(session),
    length: numberOf(length),
    header: parsed(header) as SessionHeader,
  }
}

function storedEvent(json: unknown): SessionEvent {
  return parsed(json) as SessionEvent
}

function parsed(json: unknown): unknown {
  try {
    return JSON.parse(String(json))
  } catch (cause) {
    throw persistenceFailed('corrupt', 'A row of the session log is damaged: it is not JSON.', cause)
  }
}
