import { persistenceFailed } from '../core/errors.ts'
import type { SqlRow } from '../sql/database.ts'
import { beforeAll, sliceBytes, type EventRow, type Place } from '../sql/event-rows.ts'
import {
  idIn,
  notAsMarked,
  openedWhole,
  refuseStrange,
  type HeaderRow,
  type LogFile,
} from '../sql/log-file.ts'
import { firstReadable, salvaged, unlessDamaged } from '../sql/salvage.ts'
import { logSchema } from '../sql/schema.ts'
import type { ReadBytes } from './file/file-pages.ts'
import { damagedFile } from './file/damaged-file.ts'
import { FileReader, type FileRow, type SchemaRow } from './file/file-reader.ts'
import type { FileValue } from './file/write-record.ts'
import { statementOf } from './log-trees.ts'

/**
 * Judges a file that came from outside as a session log of the present version, and reads it.
 *
 * @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` with reason `corrupt` or `failed`
 */
export function openReceivedLog(read: ReadBytes, size: number): LogFile {
  return openedWhole(() => {
    if (size === 0) refuseStrange('empty', () => [])
    const reader = new FileReader(read, size)
    const schema = reader.schema()
    const version = versionIn(reader, schema)
    refuseStrange(version, () => schema.map(({ type, name, table, sql }) => [type, name, table, sql]))
    if (version < logSchema.version) {
      throw persistenceFailed(
        'failed',
        `The file has format ${version}; here format ${logSchema.version} alone is read. Have a browser import it and export it again. Nothing of it was taken in.`,
      )
    }
    const log = new ReceivedLog(reader, schema)
    // Here, and not half-way, where a table is not what the mark promises.
    if (unlessDamaged(() => [log.header(0), log.events(0, beforeAll, 1)]) === undefined) {
      throw notAsMarked()
    }
    return log
  })
}

/** By the mark; undefined for what is no log. */
function versionIn(reader: FileReader, schema: readonly SchemaRow[]): number | undefined {
  const mark = schema.find(({ name, type }) => name === 'session_query' && type === 'table')
  if (mark === undefined) return undefined
  for (const { values } of reader.rows(mark.root)) {
    const [application, version] = values
    return application === logSchema.application ? number(version) : undefined
  }
  return undefined
}

class ReceivedLog implements LogFile {
  readonly #reader: FileReader
  readonly #sessions: number
  readonly #events: number
  readonly #bySeq: number
  readonly #sequence: number | undefined

  constructor(reader: FileReader, schema: readonly SchemaRow[]) {
    this.#reader = reader
    this.#sessions = rootOf(schema, 'sessions')
    this.#events = rootOf(schema, 'events')
    this.#bySeq = rootOf(schema, 'events_by_seq')
    this.#sequence = schema.find(({ name }) => name === 'sqlite_sequence')?.root
  }

  sessions(): ReturnType<LogFile['sessions']> {
    return salvaged(0, this.#lastSession(), (from, to) => {
      const rows: SqlRow[] = []
      for (const { rowid, values } of this.#reader.rows(this.#sessions, from)) {
        if (rowid > to) break
        rows.push([rowid, text(values[1]), number(values[5])])
      }
      return rows
    }).map(([session = null, id = null, length = null]) => ({
      session: number(session),
      id: idIn(text(id)),
      length: number(length),
    }))
  }

  header(session: number): HeaderRow | undefined {
    const row = this.#reader.row(this.#sessions, session)
    if (row === undefined) return undefined
    const [, id, createdAt, cwd, parent, length, header] = row.values
    return {
      session,
      id: idIn(text(id)),
      length: number(length),
      columns: [text(id), number(createdAt), textOrNull(cwd), textOrNull(parent)],
      json: text(header),
    }
  }

  events(
    session: number,
    { seq: lastSeq, id: lastId }: Place,
    most: number,
    mostBytes: number = sliceBytes,
  ): readonly EventRow[] {
    const found: EventRow[] = []
    let bytes = 0
    for (const { seq, id } of this.#entries(session, [lastSeq, lastId + 1])) {
      if (found.length >= most || (found.length > 0 && bytes >= mostBytes)) break
      const [, , , type, time, event] = this.#event(id).values
      const json = text(event)
      found.push({ seq, id, type: text(type), time: number(time), json })
      bytes += json.length
    }
    return found
  }

  json(session: number, seq: number): string | undefined {
    for (const entry of this.#entries(session, [seq])) {
      return entry.seq === seq ? text(this.#event(entry.id).values[5]) : undefined
    }
    return undefined
  }

  /** The events of a session by seq, and by id where they have the same. */
  *#entries(
    session: number,
    from: readonly number[],
  ): Generator<{ readonly seq: number; readonly id: number }, void, undefined> {
    for (const [of, seq, id] of this.#reader.entries(this.#bySeq, [session, ...from])) {
      if (of !== session) return
      yield { seq: number(seq), id: number(id) }
    }
  }

  #event(id: number): FileRow {
    const row = this.#reader.row(this.#events, id)
    if (row === undefined) throw damagedFile('an index has what its table has not')
    return row
  }

  #lastSession(): number {
    return firstReadable(
      () => this.#reader.lastRowid(this.#sessions) ?? 0,
      () => {
        if (this.#sequence === undefined) return 0
        const [row] = this.#reader.rows(this.#sequence)
        return number(row?.values[1])
      },
    )
  }
}

/** Columns are read by their place, so the statement has to be the one that is known. */
function rootOf(schema: readonly SchemaRow[], name: string): number {
  const found = schema.find((row) => row.name === name)
  if (found === undefined || plain(found.sql) !== plain(statementOf(name))) throw notAsMarked()
  return found.root
}

function plain(sql: string): string {
  return sql.replaceAll(/\s+/g, ' ')
}

function text(value: FileValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function textOrNull(value: FileValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function number(value: FileValue | undefined): number {
  return typeof value === 'number' ? value : 0
}
