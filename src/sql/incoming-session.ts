import { isSessionQueryError, type SessionQueryErrorCode } from '../core/errors.ts'
import { isObject, lossOf } from '../core/json.ts'
import { headersConflict } from '../core/records.ts'
import { eventProblem, headerProblem, type SessionEvent, type SessionHeader } from '../core/session.ts'
import { SurfaceFold } from '../core/surface.ts'
import { numberOf, type SqlDatabase } from './database.ts'
import { beforeAll, eventRows, type EventRow, type Place } from './event-rows.ts'
import type { HeaderRow, LogFile } from './log-file.ts'
import type { LongTexts } from './long-texts.ts'
import { unlessDamaged } from './salvage.ts'
import type { StoredSession, StoredSessions } from './sessions.ts'
import type { LogWriter } from './write-log.ts'

/** Where sessions come from and where they go to. */
export interface Crossing {
  /** The log that is taken in. */
  readonly file: LogFile
  readonly log: SqlDatabase
  /** Of that log. */
  readonly longTexts: LongTexts
  readonly sessions: StoredSessions
  readonly writer: LogWriter
}

/** Why a session is left as it is. */
export interface Refusal {
  readonly code: SessionQueryErrorCode
  readonly why: string
}

/** What a step came to. */
export interface Slice {
  readonly created: boolean
  readonly appended: number
  readonly ended: boolean
  readonly refusal?: Refusal
}

/**
 * One session on its way from a file into the log. It is first looked through: does it fold, does it go on from
 * what is stored. Nothing is written before that is known.
 */
export class IncomingSession {
  readonly #crossing: Crossing
  readonly #row: HeaderRow
  readonly #header: SessionHeader | undefined
  readonly #stored: StoredSession | undefined
  readonly #fold: SurfaceFold
  #folds: boolean
  #looked = 0
  #written = 0
  #writing = false
  /** The last event that was looked at, here and in the log. */
  #place: Place = beforeAll
  #storedPlace: Place = beforeAll
  /** The last event that need not be written. */
  #known: Place = beforeAll

  constructor(crossing: Crossing, row: HeaderRow) {
    this.#crossing = crossing
    this.#row = row
    this.#header = headerIn(row)
    this.#folds = this.#header !== undefined
    this.#stored = crossing.sessions.find(row.id)
    this.#fold = new SurfaceFold((seq) => {
      const json = crossing.file.json(row.session, seq)
      return json === undefined ? undefined : (parsed(json) as SessionEvent | undefined)
    })
  }

  /** How far it has come, in events. */
  get done(): number {
    return Math.min(this.#row.length, Math.floor((this.#looked + this.#written) / 2))
  }

  /**
   * Does some of the work.
   *
   * @param most how many events at most
   * @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` when the log cannot be written; the step can be
   *   repeated
   */
  step(most: number): Slice {
    if (this.#writing) return this.#write(most)
    const unfit = this.#looked === 0 ? this.#unfit() : undefined
    if (unfit !== undefined) return refused(unfit)
    const rows = this.#read(this.#place, most)
    if (rows === undefined) return refused(unreadable)
    const conflict = this.#look(rows)
    if (conflict !== undefined) return refused(conflict)
    if (this.#read(this.#place, 1)?.length !== 0) return nothingYet
    return this.#settle(most)
  }

  #unfit(): Refusal | undefined {
    const stored = this.#stored
    if (stored === undefined) return undefined
    const header = this.#header
    if (header === undefined && !stored.damaged) {
      return { code: 'SESSION_QUERY_CORRUPT_SESSION', why: 'its header in the file is damaged' }
    }
    return header !== undefined && headersConflict(header, stored.header)
      ? conflicting('another header is stored under this id')
      : undefined
  }

  #look(rows: readonly EventRow[]): Refusal | undefined {
    const { log } = this.#crossing
    const stored = this.#stored
    const known =
      stored !== undefined && this.#looked < stored.length
        ? eventRows(log, stored.session, this.#storedPlace, rows.length, Infinity)
        : []
    for (const [at, row] of rows.entries()) {
      const event = eventIn(row)
      if (this.#looked < (stored?.length ?? 0)) {
        const same = known[at]
        if (same?.json !== (event === undefined ? row.json : JSON.stringify(event))) {
          return conflicting(`another event is stored with seq ${row.seq}`)
        }
        this.#storedPlace = same
        this.#known = row
      }
      this.#folds &&= event !== undefined && row.id > this.#place.id && this.#takes(event)
      this.#place = row
      this.#looked += 1
    }
    return undefined
  }

  #takes(event: SessionEvent): boolean {
    try {
      this.#fold.append(event)
      return true
    } catch (error) {
      if (isSessionQueryError(error)) return false
      throw error
    }
  }

  /** All of it has been looked at. */
  #settle(most: number): Slice {
    const stored = this.#stored
    if (stored !== undefined && this.#looked <= stored.length) return { ...nothingYet, ended: true }
    if (this.#folds) {
      this.#writing = true
      this.#place = this.#known
      return this.#write(most)
    }
    if (stored === undefined) return this.#copyAsItIs()
    return refused({
      code: 'SESSION_QUERY_INVALID_SURFACE',
      why: 'what the file has of it does not fold, and part of it is stored already',
    })
  }

  #write(most: number): Slice {
    const { writer } = this.#crossing
    const rows = this.#read(this.#place, most)
    const header = this.#header
    if (rows === undefined || header === undefined) return refused(unreadable)
    const events = rows.flatMap((row) => eventIn(row) ?? [])
    try {
      const begins = this.#stored === undefined && this.#written === 0
      const { created, appended } = begins
        ? writer.put({ header, events })
        : writer.append(header.id, events)
      this.#place = rows.at(-1) ?? this.#place
      this.#written += rows.length
      return { created, appended, ended: this.#read(this.#place, 1)?.length === 0 }
    } catch (error) {
      // Whoever wrote the session or removed it meanwhile was first.
      if (!isSessionQueryError(error) || error.code === 'SESSION_QUERY_PERSISTENCE_FAILED') throw error
      return refused({ code: error.code, why: 'it was changed here while it was taken in' })
    }
  }

  /** In one piece: a part of it could fold, and would be taken for another log the next time. */
  #copyAsItIs(): Slice {
    const { log, longTexts } = this.#crossing
    const { columns, json } = this.#row
    return log.transaction(() => {
      const [added] = log.query(
        `INSERT INTO {sessions} (id, created_at, cwd, parent, length, header)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING session`,
        [...columns, this.#looked, longTexts.columnOf(json)],
      )
      const session = numberOf(added?.[0])
      longTexts.add(-session, json)
      const rows = this.#read(beforeAll, this.#looked, Infinity) ?? []
      for (const { seq, type, time, json: event } of rows.toSorted((a, b) => a.id - b.id)) {
        const [row] = log.query(
          'INSERT INTO {events} (session, seq, type, time, event) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id',
          [session, seq, type, time, longTexts.columnOf(event)],
        )
        longTexts.add(numberOf(row?.[0]), event)
      }
      return { created: true, appended: rows.length, ended: true }
    })
  }

  #read(place: Place, most: number, mostBytes?: number): readonly EventRow[] | undefined {
    const { file } = this.#crossing
    return unlessDamaged(() => file.events(this.#row.session, place, most, mostBytes))
  }
}

const nothingYet: Slice = { created: false, appended: 0, ended: false }

const unreadable: Refusal = {
  code: 'SESSION_QUERY_CORRUPT_SESSION',
  why: 'it cannot be read from the file, which is damaged there',
}

function conflicting(why: string): Refusal {
  return { code: 'SESSION_QUERY_SOURCE_CONFLICT', why }
}

function refused(refusal: Refusal): Slice {
  return { ...nothingYet, ended: true, refusal }
}

/** The header, when it is one and the row's other columns say the same. */
function headerIn({ id, json }: HeaderRow): SessionHeader | undefined {
  const header = parsed(json)
  const problem = headerProblem(header) ?? lossOf(header, 'header')
  return problem === undefined && (header as SessionHeader).id === id
    ? (header as SessionHeader)
    : undefined
}

function eventIn({ json, seq }: EventRow): SessionEvent | undefined {
  const event = parsed(json)
  const problem = eventProblem(event) ?? lossOf(event)
  return problem === undefined && (event as SessionEvent).seq === seq
    ? (event as SessionEvent)
    : undefined
}

function parsed(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
