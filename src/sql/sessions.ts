import { quoted, SessionQueryError } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import { noSession } from '../core/request.ts'
import type { SessionEvent, SessionHeader } from '../core/session.ts'
import { titleOf, titleType, type SessionTitle } from '../core/title.ts'
import type { EventFilter, SessionFilter } from '../core/filter.ts'
import { keyOf, numberOf, textOf, textOfKey, type SqlDatabase, type SqlRow } from './database.ts'
import { beforeAll, eventRows, withinBytes } from './event-rows.ts'
import { LongTexts } from './long-texts.ts'
import { eventsWhere, sessionsWhere } from './where.ts'

/** A session as the log database knows it. */
export interface StoredSession {
  /** Its number, never given to another session. */
  readonly session: number
  readonly header: SessionHeader
  /** How many events are stored. */
  readonly length: number
  /** Whether the header's row is not what was written; `header` is then what is left of it. */
  readonly damaged: boolean
}

/** Some events, and the length of their JSON, in UTF-16 units. */
export interface NextEvents {
  readonly events: readonly SessionEvent[]
  readonly chars: number
}

/** The log database: sessions and their events, as they came. It judges nothing. */
export class StoredSessions {
  readonly #db: SqlDatabase
  readonly #longTexts: LongTexts

  constructor(db: SqlDatabase) {
    this.#db = db
    this.#longTexts = new LongTexts(db)
  }

  find(sessionId: string): StoredSession | undefined {
    const [row] = this.#db.query(`SELECT ${sessionColumns} FROM {sessions} WHERE id = ?1`, [
      keyOf(sessionId),
    ])
    return row === undefined ? undefined : this.#session(row)
  }

  /** @throws SessionQueryError `SESSION_QUERY_SESSION_NOT_FOUND` */
  get(sessionId: string): StoredSession {
    const found = this.find(sessionId)
    if (found === undefined) throw noSession(sessionId)
    return found
  }

  byNumber(session: number): StoredSession | undefined {
    const [row] = this.#db.query(`SELECT ${sessionColumns} FROM {sessions} WHERE session = ?1`, [
      session,
    ])
    return row === undefined ? undefined : this.#session(row)
  }

  /** How many events each session has. */
  lengths(): ReadonlyMap<number, number> {
    const [sessions = [], lengths = []] = this.#db.columns('SELECT session, length FROM {sessions}')
    return new Map(sessions.map((session, at) => [session, lengths[at] ?? 0]))
  }

  /** The sessions that pass every filter, in no order. */
  filtered(filters: readonly SessionFilter[]): StoredSession[] {
    const { sql, values } = sessionsWhere(filters)
    return this.#db
      .query(`SELECT ${sessionColumns} FROM {sessions} WHERE ${sql}`, values)
      .map((row) => this.#session(row))
  }

  count(): { sessions: number; events: number } {
    const [row] = this.#db.query('SELECT count(*), total(length) FROM {sessions}')
    return { sessions: numberOf(row?.[0]), events: numberOf(row?.[1]) }
  }

  /** The whole log, in its order. */
  events(session: number): SessionEvent[] {
    // The index gives the rows by seq; in a log that is not damaged that is their order already.
    return this.#db
      .query(`SELECT ${eventColumns} FROM {events} WHERE session = ?1 ORDER BY seq, id`, [session])
      .toSorted((a, b) => numberOf(a[2]) - numberOf(b[2]))
      .map((row) => this.#event(row))
  }

  /** As {@link events}, with no more of them in memory than a slice. */
  *eachEvent(session: number): Generator<SessionEvent, void, undefined> {
    const sizes = 'SELECT id, octet_length(event) FROM {events} WHERE session = ?1 ORDER BY seq, id'
    const all = this.#longTexts
      .sizes(this.#db.columns(sizes, [session]))
      .toSorted((a, b) => a.id - b.id)
    for (let from = 0; from < all.length;) {
      const slice = withinBytes(all.slice(from, from + sliceEvents))
      const rows = this.#db.query(
        `SELECT ${eventColumns} FROM {events} WHERE id IN (SELECT value FROM json_each(?1)) ORDER BY id`,
        [JSON.stringify(slice.map(({ id }) => id))],
      )
      for (const row of rows) yield this.#event(row)
      from += slice.length
    }
  }

  /** Events from a seq on, by seq: so many, or so many bytes, and one at least where there is one. */
  next(session: number, seq: number, most: number, mostBytes: number): NextEvents {
    const rows = eventRows(this.#db, session, { ...beforeAll, seq }, most, mostBytes)
    return {
      events: rows.map(({ json, seq: its }) => eventIn(json, its)),
      chars: rows.reduce((sum, { json }) => sum + json.length, 0),
    }
  }

  /** The events that pass every filter on their metadata, by seq; surfaces are not looked at. */
  filteredEvents(session: number, filters: readonly EventFilter[]): SessionEvent[] {
    const { sql, values } = eventsWhere(filters, [session])
    return this.#db
      .query(
        `SELECT ${eventColumns} FROM {events} WHERE session = ?1 AND ${sql} ORDER BY seq, id`,
        values,
      )
      .map((row) => this.#event(row))
  }

  /** The first event with this seq. */
  event(session: number, seq: number): SessionEvent | undefined {
    const json = this.json(session, seq)
    return json === undefined ? undefined : eventIn(json, seq)
  }

  /** The events with seqs from `from` to `to`, both included. */
  range(session: number, from: number, to: number): SessionEvent[] {
    return this.#db
      .query(
        `SELECT ${eventColumns} FROM {events} WHERE session = ?1 AND seq BETWEEN ?2 AND ?3 ORDER BY seq, id`,
        [session, from, to],
      )
      .map((row) => this.#event(row))
  }

  /** The exact JSON of the first event with this seq. */
  json(session: number, seq: number): string | undefined {
    const [row] = this.#db.query(
      `SELECT ${eventColumns} FROM {events} WHERE session = ?1 AND seq = ?2 ORDER BY id LIMIT 1`,
      [session, seq],
    )
    return row === undefined ? undefined : this.#json(row)
  }

  /** The latest title that is one. */
  title(session: number): SessionTitle | undefined {
    const rows = this.#db.query(
      `SELECT ${eventColumns} FROM {events} WHERE session = ?1 AND type = '${titleType}' ORDER BY id DESC`,
      [session],
    )
    for (const row of rows) {
      const title = titleOf(this.#event(row))
      if (title !== undefined) return title
    }
    return undefined
  }

  /** @returns the number of the new session */
  add(header: SessionHeader): number {
    const json = JSON.stringify(header)
    const [row] = this.#db.query(
      `INSERT INTO {sessions} (id, created_at, cwd, parent, length, header)
       VALUES (?1, ?2, ?3, ?4, 0, ?5) RETURNING session`,
      [
        keyOf(header.id),
        header.createdAt,
        header.cwd === undefined ? null : keyOf(header.cwd),
        header.parentSession === undefined ? null : keyOf(header.parentSession),
        this.#longTexts.columnOf(json),
      ],
    )
    const session = numberOf(row?.[0])
    this.#longTexts.add(-session, json)
    return session
  }

  /** Writes an event behind those that are there; {@link setLength} makes it count. */
  insert(session: number, event: SessionEvent): void {
    const json = JSON.stringify(event)
    const [row] = this.#db.query(
      'INSERT INTO {events} (session, seq, type, time, event) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id',
      [session, event.seq, keyOf(event.type), event.time, this.#longTexts.columnOf(json)],
    )
    this.#longTexts.add(numberOf(row?.[0]), json)
  }

  setLength(session: number, length: number): void {
    this.#db.query('UPDATE {sessions} SET length = ?2 WHERE session = ?1', [session, length])
  }

  remove(session: number): void {
    this.#longTexts.remove(session)
    this.#db.query('DELETE FROM {events} WHERE session = ?1', [session])
    this.#db.query('DELETE FROM {sessions} WHERE session = ?1', [session])
  }

  #session([session, length, header, ...columns]: SqlRow): StoredSession {
    const number = numberOf(session)
    const parsed = parsedObject(this.#longTexts.whole(-number, textOf(header)))
    return {
      session: number,
      length: numberOf(length),
      header: (parsed ?? headerFrom(columns)) as SessionHeader,
      damaged: parsed === undefined,
    }
  }

  #event(row: SqlRow): SessionEvent {
    return eventIn(this.#json(row), numberOf(row[1]))
  }

  #json([json, , id]: SqlRow): string {
    return this.#longTexts.whole(numberOf(id), textOf(json))
  }
}

/** How many are read at once. */
const sliceEvents = 500

const sessionColumns = 'session, length, header, id, created_at, cwd, parent'
const eventColumns = 'event, seq, id'

/** What is left of a header whose JSON is damaged. */
function headerFrom([id, createdAt, cwd, parent]: SqlRow): SessionHeader {
  return {
    version: 0,
    id: textOfKey(textOf(id)),
    createdAt: numberOf(createdAt),
    ...(typeof cwd === 'string' ? { cwd: textOfKey(cwd) } : {}),
    ...(typeof parent === 'string' ? { parentSession: textOfKey(parent) } : {}),
  }
}

function eventIn(json: string, seq: number): SessionEvent {
  const event = parsedObject(json)
  if (event !== undefined) return event as unknown as SessionEvent
  throw new SessionQueryError(
    'SESSION_QUERY_CORRUPT_SESSION',
    `The stored event with seq ${quoted(seq)} is damaged: its row is not the JSON of an event.`,
  )
}

function parsedObject(json: string): { readonly [key: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
