import { compareCodePoints } from '../core/order.ts'
import { keyOf, numberOf, textOf, withNames, type SqlDatabase, type SqlRow } from '../sql/database.ts'
import type { CopiedSession } from '../sql/export-log.ts'
import { LongTexts } from '../sql/long-texts.ts'
import { logSchema } from '../sql/schema.ts'
import type { FileWriter, SchemaEntry } from './file/file-writer.ts'

/** What of a log goes into a file. */
export interface Snapshot {
  readonly sessions: ReadonlyMap<number, CopiedSession>
  /** The last event. */
  readonly last: number
  /** Of the file, a random text. */
  readonly identity: string
}

/** Goes through a log for a file that is counted or written. */
export interface Passage {
  readonly log: SqlDatabase
  readonly snapshot: Snapshot
  readonly writer: FileWriter
  /** Whether the lengths of events suffice. */
  readonly counting: boolean
  /** Told of each event that is in it. */
  readonly passed: (session: CopiedSession) => void
}

/** The mark of a file, as the schema makes it. */
const markStatement =
  'CREATE TABLE session_query (application TEXT, version INTEGER, identity TEXT) STRICT'

/** The statement that makes a table or an index of a log file. */
export function statementOf(name: string): string {
  const statements = logSchema.statements.map((statement) => withNames(statement, ''))
  return statements.find((statement) => statement.split(' ')[2] === name) ?? ''
}

/** Gives everything that a file of the log holds to its writer, some of it between one `yield` and the next. */
export function* logTrees(passage: Passage): Generator<undefined, void, undefined> {
  const { writer, snapshot } = passage
  for (const [entry, fill] of trees) {
    writer.begin(entry)
    yield* fill(passage, snapshot)
    writer.end()
  }
}

type Fill = (passage: Passage, snapshot: Snapshot) => Generator<undefined, void, undefined>

const table = (name: string, sql = statementOf(name)): SchemaEntry => ({
  type: 'table',
  name,
  table: name,
  sql,
})

const index = (name: string, of: string, sql: string | null = statementOf(name)): SchemaEntry => ({
  type: 'index',
  name,
  table: of,
  sql,
})

const trees: readonly (readonly [SchemaEntry, Fill])[] = [
  [table('session_query', markStatement), fillMark],
  [table('sessions'), fillSessions],
  [index('sqlite_autoindex_sessions_1', 'sessions', null), fillIds],
  [table('sqlite_sequence', 'CREATE TABLE sqlite_sequence(name,seq)'), fillSequence],
  [table('events'), fillEvents],
  [index('events_by_seq', 'events'), fillSeqs],
  [index('titles', 'events'), fillTitles],
]

function* fillMark({ writer }: Passage, { identity }: Snapshot): ReturnType<Fill> {
  writer.addRow(1, [logSchema.application, logSchema.version, identity])
  yield
}

function* fillSessions({ log, writer }: Passage, { sessions }: Snapshot): ReturnType<Fill> {
  const texts = new LongTexts(log)
  const rows = slices(([last = 0]) =>
    log.query(
      `SELECT session, id, created_at, cwd, parent, header FROM {sessions}
       WHERE session > ?1 ORDER BY session LIMIT ${sliceHeaders}`,
      [last],
    ),
  )
  for (const slice of rows) {
    for (const [number, id = null, createdAt = null, cwd = null, parent = null, header] of slice) {
      const session = numberOf(number)
      const noted = sessions.get(session)
      if (noted === undefined) continue
      // One that has grown since is as long as it was.
      const { length } = noted
      const json = texts.whole(-session, textOf(header))
      writer.addRow(session, [null, id, createdAt, cwd, parent, length, json])
    }
    yield
  }
}

function* fillIds({ writer }: Passage, { sessions }: Snapshot): ReturnType<Fill> {
  const entries = Array.from(sessions, ([session, { id }]) => [keyOf(id), session] as const)
  for (const entry of entries.toSorted(([a], [b]) => compareCodePoints(a, b))) writer.addEntry(entry)
  yield
}

function* fillSequence({ writer }: Passage, { sessions }: Snapshot): ReturnType<Fill> {
  // Numbers that were given stay given.
  const last = Array.from(sessions.keys()).reduce((most, session) => Math.max(most, session), 0)
  if (last > 0) writer.addRow(1, ['sessions', last])
  yield
}

function* fillEvents(passage: Passage, { last }: Snapshot): ReturnType<Fill> {
  const { log, counting } = passage
  const heads = slices(([from = 0]) =>
    log.query(
      `SELECT id, session, seq, type, time, octet_length(event) FROM {events}
       WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ${sliceEvents}`,
      [from, last],
    ),
  )
  for (const slice of heads) {
    if (counting) {
      countEvents(passage, slice)
      yield
    } else {
      for (const [from, to] of spansOf(new LongTexts(log), slice)) {
        addEvents(passage, from, to)
        yield
      }
    }
  }
}

function countEvents({ log, snapshot, writer, passed }: Passage, heads: readonly SqlRow[]): void {
  const texts = new LongTexts(log)
  for (const [id, number, seq = null, type = null, time = null, octets] of heads) {
    const noted = snapshot.sessions.get(numberOf(number))
    if (noted === undefined) continue
    const length = texts.octets(numberOf(id), numberOf(octets))
    writer.addRow(numberOf(id), [null, numberOf(number), seq, type, time, { octets: length }])
    passed(noted)
  }
}

function addEvents({ log, snapshot, writer, passed }: Passage, from: number, to: number): void {
  const texts = new LongTexts(log)
  const rows = log.query(
    `SELECT id, session, seq, type, time, event FROM {events}
     WHERE id BETWEEN ?1 AND ?2 ORDER BY id`,
    [from, to],
  )
  for (const [id, number, seq = null, type = null, time = null, event] of rows) {
    const noted = snapshot.sessions.get(numberOf(number))
    if (noted === undefined) continue
    const json = texts.whole(numberOf(id), textOf(event))
    writer.addRow(numberOf(id), [null, numberOf(number), seq, type, time, json])
    passed(noted)
  }
}

/** Events that are read together: so many bytes, or one. */
function* spansOf(
  texts: LongTexts,
  heads: readonly SqlRow[],
): Generator<readonly [from: number, to: number]> {
  let from: number | undefined
  let bytes = 0
  for (const [at, [head, , , , , octets]] of heads.entries()) {
    const id = numberOf(head)
    from ??= id
    bytes += texts.octets(id, numberOf(octets))
    if (bytes < sliceBytes && at < heads.length - 1) continue
    yield [from, id]
    from = undefined
    bytes = 0
  }
}

function* fillSeqs({ log, writer }: Passage, { sessions, last }: Snapshot): ReturnType<Fill> {
  const rows = slices(([session = 0, seq = 0, id = 0]) =>
    log.query(
      `SELECT session, seq, id FROM {events}
       WHERE (session, seq, id) > (?1, ?2, ?3) ORDER BY session, seq, id LIMIT ${sliceEntries}`,
      [session, seq, id],
    ),
  )
  for (const slice of rows) {
    for (const entry of slice) {
      const [session, , id] = entry
      if (numberOf(id) <= last && sessions.has(numberOf(session))) writer.addEntry(entry)
    }
    yield
  }
}

function* fillTitles({ log, writer }: Passage, { sessions, last }: Snapshot): ReturnType<Fill> {
  const rows = slices(([session = 0, id = 0]) =>
    log.query(
      `SELECT session, id FROM {events}
       WHERE type = 'session/title' AND (session, id) > (?1, ?2)
       ORDER BY session, id LIMIT ${sliceEntries}`,
      [session, id],
    ),
  )
  for (const slice of rows) {
    for (const [session = 0, id = 0] of slice) {
      // The row's own number stands behind every entry, here once more.
      if (numberOf(id) <= last && sessions.has(numberOf(session))) writer.addEntry([session, id, id])
    }
    yield
  }
}

/** Rows, as many at a time as are asked for, each time behind the last ones. */
function* slices(next: (last: readonly number[]) => readonly SqlRow[]): Generator<readonly SqlRow[]> {
  for (let rows = next([0, 0, 0]); rows.length > 0;) {
    yield rows
    rows = next((rows.at(-1) ?? []).slice(0, 3).map(numberOf))
  }
}

/** What is read at once: some milliseconds. */
const sliceHeaders = 200
const sliceEvents = 500
const sliceEntries = 2000
const sliceBytes = 1 << 20
