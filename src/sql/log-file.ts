import { isSessionQueryError, persistenceFailed, type SessionQueryError } from '../core/errors.ts'
import type { ExportState, WorkDone } from '../core/moving.ts'
import { textOf, textOfKey, type SqlDatabase, type SqlRow } from './database.ts'
import type { EventRow, Place } from './event-rows.ts'
import { logSchema } from './schema.ts'

/**
 * Room for one file of a log, which is made there or taken in. How that is done differs from host to host; the file
 * does not.
 */
export interface FileRoom {
  /** Begins to make a file of what a log holds now. */
  exportOf(log: SqlDatabase): LogExport
  /**
   * Writes down a piece of a file that comes in, from its beginning to its end.
   *
   * @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` with reason `full` or `failed`
   */
  write(offset: number, bytes: Uint8Array): void
  /**
   * The log in the file that came in.
   *
   * @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` with reason `corrupt` or `failed` when it is not one
   *   to take in
   */
  received(): LogFile
  /** Ends what is under way in it, and leaves nothing behind. */
  remove(): void
}

/** A file that is made of a log, a slice at a time. It holds what was stored when it was begun. */
export interface LogExport {
  readonly progress: WorkDone
  /** Goes on; when it is done the file can be read. */
  step(): WorkDone & ExportState
  /**
   * Bytes of the file from an offset on, which is where the last ones ended or began; none at its end.
   *
   * @throws SessionQueryError `SESSION_QUERY_SOURCE_CONFLICT` when a session that is in it was deleted
   */
  read(offset: number): Uint8Array
  /** Takes a session out that was deleted from the log. */
  drop(session: number): void
}

/** A log that came from outside. What is damaged in it fails as storage that is `corrupt` or `failed`. */
export interface LogFile {
  /** The sessions by number, as far as they can be read. */
  sessions(): readonly { readonly session: number; readonly id: string; readonly length: number }[]
  header(session: number): HeaderRow | undefined
  /** The next events of a session behind a place: so many, or so many bytes, and one at least where there is one. */
  events(session: number, place: Place, most: number, mostBytes?: number): readonly EventRow[]
  /** The JSON of the first event with this seq. */
  json(session: number, seq: number): string | undefined
}

/** A session's row, as it is. */
export interface HeaderRow {
  readonly session: number
  readonly id: string
  readonly length: number
  /** The id as it is stored, then `created_at`, `cwd` and `parent`. */
  readonly columns: SqlRow
  readonly json: string
}

/** Judges a file by its mark and by what else is in it. */
export function refuseStrange(
  version: number | 'empty' | undefined,
  schema: () => readonly SqlRow[],
): asserts version is number {
  const strange = version === undefined || version === 'empty' ? undefined : strangerIn(schema())
  if (version === undefined || version === 'empty' || strange !== undefined) {
    throw persistenceFailed(
      'failed',
      `The file is not a session log of session-query${strange === undefined ? '' : `: it holds ${strange}`}. Nothing of it was taken in.`,
    )
  }
  if (version > logSchema.version) {
    throw persistenceFailed(
      'failed',
      `The file has format ${version}; this version of session-query reads format ${logSchema.version} and older ones. Nothing of it was taken in.`,
    )
  }
}

/** What `open` gives; where the file itself is damaged, the error says so. */
export function openedWhole<Result>(open: () => Result): Result {
  try {
    return open()
  } catch (error) {
    if (!isSessionQueryError(error) || error.reason !== 'corrupt') throw error
    throw persistenceFailed(
      'corrupt',
      'The file is not an SQLite database, or a damaged one. Nothing of it was taken in.',
      error.cause ?? error,
    )
  }
}

/** The error for a file whose tables are not those of its format. */
export function notAsMarked(): SessionQueryError {
  return persistenceFailed('corrupt', 'Its tables are not what its mark says.')
}

/** The id that a key stands for; a key that is none stands for itself. */
export function idIn(key: string): string {
  try {
    return textOfKey(key)
  } catch {
    return key
  }
}

/**
 * What a session log has no use for: it could make reading it run code of somebody else's.
 *
 * @param schema type, name, table and statement of each thing in the file
 */
function strangerIn(schema: readonly SqlRow[]): string | undefined {
  const stranger = schema.find(
    ([type, , table, sql]) =>
      (type !== 'table' && type !== 'index') ||
      /^\s*CREATE\s+VIRTUAL/i.test(textOf(sql)) ||
      !(known.has(textOf(table)) || textOf(table).startsWith('sqlite_')),
  )
  return stranger === undefined ? undefined : `a ${textOf(stranger[0])} named ${textOf(stranger[1])}`
}

const known = new Set(['session_query', 'sessions', 'events'])
