import { quoted, SessionQueryError } from '../core/errors.ts'
import type { ExportContent, ExportState, SkippedSession, WorkDone } from '../core/moving.ts'
import { firstValue, numberOf, textOf, textOfKey, type SqlDatabase, type SqlRow } from './database.ts'
import { firstReadable, salvaged } from './salvage.ts'
import { logSchema, openSchema } from './schema.ts'
import type { LogExport } from './log-file.ts'
import type { ScratchDatabase } from './scratch.ts'

/**
 * A copy of the log in a database of its own, made a slice at a time. It holds what was stored when it was begun: a
 * log only grows, so the events up to the last one of that moment are that. What is deleted meanwhile is taken
 * out of the copy as well.
 */
export class LogCopy implements LogExport {
  readonly #log: SqlDatabase
  readonly #scratch: ScratchDatabase
  readonly #sessions = new Map<number, CopiedSession>()
  /** Sessions whose number is all that can be read of them. */
  readonly #lost: string[] = []
  readonly #total: number
  /** The last session and the last event to copy. */
  readonly #lastSession: number
  #last: number
  /** Those that were looked at last. */
  #atSession = 0
  #at = 0
  #done = 0
  #content: ExportContent | undefined
  #spoiled: string | undefined

  /** @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` when the log cannot be read at all */
  constructor(log: SqlDatabase, scratch: ScratchDatabase) {
    this.#log = log
    this.#scratch = scratch
    this.#last = this.#lastEvent()
    this.#lastSession = this.#note()
    openSchema(scratch.database(), logSchema)
    this.#total = Array.from(this.#sessions.values()).reduce((sum, { length }) => sum + length, 0)
  }

  get progress(): WorkDone {
    return { done: this.#done, total: this.#total }
  }

  /** Copies some of the headers or events. */
  step(): WorkDone & ExportState {
    if (this.#content !== undefined) return { ...this.progress, content: this.#content }
    const copy = this.#scratch.database()
    if (this.#atSession < this.#lastSession) {
      copy.transaction(() => this.#copyHeaders(copy))
      return this.progress
    }
    if (this.#at < this.#last) {
      copy.transaction(() => this.#copyEvents(copy))
      return this.progress
    }
    copy.transaction(() => this.#settleLengths(copy))
    // What was deleted meanwhile has left pages free.
    copy.query('PRAGMA incremental_vacuum')
    this.#content = this.#contentNow()
    return { ...this.progress, content: this.#content }
  }

  read(offset: number): Uint8Array {
    if (this.#spoiled !== undefined) throw spoiled(this.#spoiled)
    const length = Math.min(sliceBytes, (this.#content?.size ?? 0) - offset)
    return length > 0 ? this.#scratch.read(offset, length) : new Uint8Array()
  }

  drop(session: number): void {
    const dropped = this.#sessions.get(session)
    // Ids of events that are gone may be given again.
    this.#last = Math.min(this.#last, Math.max(this.#at, this.#lastEvent()))
    if (dropped === undefined) return
    if (this.#content !== undefined) {
      this.#spoiled ??= dropped.id
      return
    }
    this.#sessions.delete(session)
    const copy = this.#scratch.database()
    copy.transaction(() => {
      copy.query('DELETE FROM {events} WHERE session = ?1', [session])
      copy.query('DELETE FROM {sessions} WHERE session = ?1', [session])
    })
  }

  #lastEvent(): number {
    return numberOf(
      firstReadable(
        () => firstValue(this.#log.query('SELECT max(id) FROM {events}')),
        () => firstValue(this.#log.query('SELECT max(id) FROM {events} INDEXED BY {events_by_seq}')),
      ),
    )
  }

  /** Notes which sessions there are, and how long each is; returns the last one's number. */
  #note(): number {
    const last = numberOf(
      firstReadable(
        () => firstValue(this.#log.query('SELECT max(session) FROM {sessions}')),
        () => firstValue(this.#log.query(`SELECT seq FROM sqlite_sequence WHERE name = '{sessions}'`)),
      ),
    )
    const rows = salvaged(0, last, (from, to) =>
      this.#log.query('SELECT session, id, length FROM {sessions} WHERE session BETWEEN ?1 AND ?2', [
        from,
        to,
      ]),
    )
    for (const [session, id, length] of rows) {
      this.#sessions.set(numberOf(session), {
        id: textOfKey(textOf(id)),
        length: numberOf(length),
        copied: 0,
      })
    }
    for (const [session, id] of this.#named()) {
      if (!this.#sessions.has(numberOf(session))) this.#lost.push(textOfKey(textOf(id)))
    }
    return last
  }

  #copyHeaders(copy: SqlDatabase): void {
    const from = this.#atSession + 1
    this.#atSession = Math.min(this.#lastSession, this.#atSession + sliceEvents)
    const rows = salvaged(from, this.#atSession, (first, last) =>
      this.#log.query(
        `SELECT session, id, created_at, cwd, parent, length, header FROM {sessions}
         WHERE session BETWEEN ?1 AND ?2 ORDER BY session`,
        [first, last],
      ),
    )
    for (const row of rows)
      copy.query('INSERT INTO {sessions} VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)', row)
    const found = new Set(rows.map(([session]) => numberOf(session)))
    for (const [session, { id }] of this.#sessions) {
      if (session < from || session > this.#atSession || found.has(session)) continue
      this.#lost.push(id)
      this.#sessions.delete(session)
    }
  }

  /** Numbers and ids as their index has them, which may be whole where the table is not. */
  #named(): readonly SqlRow[] {
    return firstReadable<readonly SqlRow[]>(
      () =>
        this.#log.query('SELECT session, id FROM {sessions} INDEXED BY sqlite_autoindex_{sessions}_1'),
      () => [],
    )
  }

  #copyEvents(copy: SqlDatabase): void {
    const from = this.#at + 1
    const to = this.#endOfSlice(from)
    const rows = salvaged(from, to, (first, last) =>
      this.#log.query(
        `SELECT id, session, seq, type, time, event FROM {events}
         WHERE id BETWEEN ?1 AND ?2 ORDER BY id`,
        [first, last],
      ),
    )
    for (const row of rows) {
      const copied = this.#sessions.get(numberOf(row[1]))
      if (copied === undefined) continue
      copy.query('INSERT INTO {events} VALUES (?1, ?2, ?3, ?4, ?5, ?6)', row)
      copied.copied += 1
      this.#done += 1
    }
    this.#at = to
  }

  /** Id of the last event that goes with the one of `from`: so many events, or so many bytes. */
  #endOfSlice(from: number): number {
    const most = Math.min(this.#last, from + sliceSpan - 1)
    const sizes = firstReadable<readonly SqlRow[] | undefined>(
      () =>
        this.#log.query(
          'SELECT id, octet_length(event) FROM {events} WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3',
          [from, most, sliceEvents],
        ),
      () => undefined,
    )
    // Sizes that cannot be read are those of damaged pages: there in small steps.
    if (sizes === undefined) return Math.min(most, from + sliceEvents - 1)
    let bytes = 0
    for (const [id, size] of sizes) {
      bytes += numberOf(size)
      if (bytes >= sliceBytes) return numberOf(id)
    }
    if (sizes.length === sliceEvents) return numberOf(sizes.at(-1)?.[0])
    return most
  }

  /** Sessions that have grown since are as long as they were. */
  #settleLengths(copy: SqlDatabase): void {
    for (const [session, { length }] of this.#sessions) {
      copy.query('UPDATE {sessions} SET length = ?2 WHERE session = ?1 AND length <> ?2', [
        session,
        length,
      ])
    }
  }

  #contentNow(): ExportContent {
    const sessions = Array.from(this.#sessions.values())
    return contentOf(this.#scratch.size(), sessions, this.#lost)
  }
}

/** A session of which a file is made. */
export interface CopiedSession {
  readonly id: string
  readonly length: number
  /** How many of its events are in the file. */
  copied: number
}

/** What is copied, or read, before others have their turn: some tens of milliseconds. */
const sliceEvents = 500
const sliceBytes = 1 << 20
/** How many ids are passed over at once where there are no events. */
const sliceSpan = 100_000

/**
 * What is in a file, and what is not.
 *
 * @param lost sessions of which the header cannot be read
 */
export function contentOf(
  size: number,
  sessions: readonly CopiedSession[],
  lost: readonly string[],
): ExportContent {
  return {
    size,
    sessions: sessions.length,
    events: sessions.reduce((sum, { copied }) => sum + copied, 0),
    skipped: [
      ...lost.map((id) => skipped(id, 'its header cannot be read, so that it is left out')),
      ...sessions
        .filter(({ copied, length }) => copied < length)
        .map(({ id, copied, length }) =>
          skipped(id, `only ${copied} of its ${length} events can be read`),
        ),
    ],
  }
}

/** The error of a file that holds a session that is gone. */
export function spoiled(sessionId: string): SessionQueryError {
  return new SessionQueryError(
    'SESSION_QUERY_SOURCE_CONFLICT',
    `Session ${quoted(sessionId)} was deleted while the file that holds it was read; export again.`,
  )
}

function skipped(sessionId: string, why: string): SkippedSession {
  return {
    sessionId,
    code: 'SESSION_QUERY_CORRUPT_SESSION',
    message: `The log database is damaged at session ${quoted(sessionId)}: ${why}.`,
  }
}
