import { throwIfAborted } from '../core/abort.ts'
import type { AbortSignalLike } from '../core/corpus.ts'
import type { SessionEvent } from '../core/session.ts'
import { createLineSplitter, type Line } from './lines.ts'
import { createPace } from './pace.ts'
import { readLine, type LineReading } from './records.ts'
import { createProblemList, type ProblemList, type SourceReport } from './report.ts'
import { createSessionWriter, type SessionWriter } from './session-writer.ts'
import { readChunks, UnreadableSource, type LogSource } from './sources.ts'
import type { ImportTarget } from './store-batch.ts'
import { plainBytes } from './zstd.ts'

/** How far a source has been read. */
export interface ReadSoFar {
  readonly bytesRead: number
  readonly sessions: number
  /** Stored, or found to be stored. */
  readonly events: number
}

/** What came of a source. */
export interface ImportedSource {
  readonly report: SourceReport
  /** Events left out because no usable header comes before them. */
  readonly orphans: number
  readonly readSoFar: ReadSoFar
}

/**
 * Imports one source.
 *
 * @throws what the corpus throws, when that is not about the log; the signal's own reason
 */
export async function importSource(
  corpus: ImportTarget,
  source: LogSource,
  signal: AbortSignalLike | undefined,
  onProgress: (read: ReadSoFar) => void,
): Promise<ImportedSource> {
  const problems = createProblemList(maxProblems)
  let bytesRead = 0
  let bytesTold = 0
  const tell = (): void => {
    bytesTold = bytesRead
    onProgress(readSoFar(bytesRead, writer))
  }
  const writer = createSessionWriter({ corpus, signal, problems, limits: batchLimits, onBatch: tell })
  const lines = createLineSplitter(maxLineBytes)
  const takeLine = lineTaker(writer, problems)
  const pace = createPace()

  const rest = async (): Promise<void> => {
    if (pace.due()) await pace.rest()
    throwIfAborted(signal)
  }
  const take = async (found: Iterable<Line>): Promise<void> => {
    for (const line of found) {
      const waiting = takeLine(line)
      if (waiting !== undefined) await waiting
      if (pace.due()) await rest()
    }
  }
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of readChunks(source, signal)) {
      bytesRead += chunk.length
      yield chunk
    }
  }

  try {
    const text = plainBytes(chunks(), (damage) => problems.add({ line: lines.number, ...damage }))
    for await (const bytes of text) {
      await take(lines.push(bytes))
      if (bytesRead - bytesTold >= progressBytes) tell()
      await rest()
    }
    await take(lines.end())
    if (!takeLine.foundHeader()) problems.add(noHeader(bytesRead))
  } catch (error) {
    if (!(error instanceof UnreadableSource)) throw error
    problems.add({
      line: lines.number,
      kind: 'unreadable',
      message: `The source cannot be read any further (${error.message}); the lines before this one were read.`,
    })
  }
  await writer.end()
  throwIfAborted(signal)
  return {
    report: {
      name: source.name,
      bytesRead,
      sessions: writer.sessions,
      problems: problems.sorted(),
      problemsOmitted: problems.omitted,
    },
    orphans: problems.leftOut,
    readSoFar: readSoFar(bytesRead, writer),
  }
}

/** 64 MiB: longer than any event, and still well below what a string can hold. */
const maxLineBytes = 1 << 26
const maxProblems = 200
const batchLimits = { events: 500, bytes: 1 << 20 }
/** Progress is told after each batch, and where nothing is written, each time so much was read. */
const progressBytes = 1 << 20

/** What to do with each line; a promise has to be waited for before the next one. */
interface LineTaker {
  (line: Line): Promise<void> | undefined
  foundHeader(): boolean
}

function lineTaker(writer: SessionWriter, problems: ProblemList): LineTaker {
  let foundHeader = false

  const takeLine = (line: Line): Promise<void> | undefined => {
    const { records, problem } = readLine(line, () => writer.nextSeq())
    if (problem !== undefined) {
      const sessionId = writer.sessionId()
      problems.add({ line: line.number, ...problem, ...(sessionId === undefined ? {} : { sessionId }) })
    }
    const [record] = records
    if (record === undefined) return undefined
    if (record.kind === 'events' && records.length === 1) return takeEvents(record.events, line)
    return takeAll(records, line)
  }

  /** Without a promise for each line, as most hold one event and fill no batch. */
  const takeEvents = (
    events: readonly SessionEvent[],
    line: Line,
    bytesEach = line.size / events.length,
  ): Promise<void> | undefined => {
    for (const [at, event] of events.entries()) {
      const waiting = writer.add(event, line.number, bytesEach)
      if (waiting !== undefined) {
        return waiting.then(() => takeEvents(events.slice(at + 1), line, bytesEach))
      }
    }
    return undefined
  }

  const takeAll = async (records: LineReading['records'], line: Line): Promise<void> => {
    for (const record of records) {
      switch (record.kind) {
        case 'events':
          await takeEvents(record.events, line)
          break
        case 'header':
          foundHeader = true
          await (record.doubtful === true
            ? writer.beginDoubtful(record.header, line.number)
            : writer.begin(record.header, line.number))
          break
        case 'bad-header':
          foundHeader = true
          await writer.beginUnusable(record.reason, line.number)
          break
        default:
          record satisfies never
      }
    }
  }

  return Object.assign(takeLine, { foundHeader: () => foundHeader })
}

function noHeader(bytesRead: number) {
  const what = bytesRead === 0 ? 'The source is empty' : 'No session header was found in the source'
  const message = `${what}; is it a session log? Nothing of it was imported.`
  return { line: 1, kind: 'no-header', message } as const
}

function readSoFar(bytesRead: number, { sessions }: SessionWriter): ReadSoFar {
  const events = sessions.reduce((sum, { appended, unchanged }) => sum + appended + unchanged, 0)
  return { bytesRead, sessions: sessions.length, events }
}
