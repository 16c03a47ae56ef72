import { throwIfAborted } from '../core/abort.ts'
import type { AbortSignalLike } from '../core/corpus.ts'
import { createLineSplitter, type Line } from './lines.ts'
import { createLineTaker } from './line-taker.ts'
import type { Pace } from './pace.ts'
import { createProblemList, type SourceReport } from './report.ts'
import { createSessionWriter } from './session-writer.ts'
import { sniff } from './sniff.ts'
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
 * @param pace of the whole import: many small sources in one task would hold up the page, too
 *
 * @throws what the corpus throws, when that is not about the log; the signal's own reason
 */
export async function importSource(
  corpus: ImportTarget,
  source: LogSource,
  pace: Pace,
  signal: AbortSignalLike | undefined,
  onProgress: (read: ReadSoFar) => void,
): Promise<ImportedSource> {
  const problems = createProblemList(maxProblems)
  let bytesRead = 0
  let bytesTold = 0
  let events = 0
  const readSoFar = (): ReadSoFar => ({ bytesRead, sessions: writer.sessionCount, events })
  const tell = (): void => {
    bytesTold = bytesRead
    onProgress(readSoFar())
  }
  const writer = createSessionWriter({
    corpus,
    signal,
    problems,
    limits: batchLimits,
    onBatch(stored) {
      events += stored
      tell()
    },
  })
  const lines = createLineSplitter(maxLineBytes)
  const restNow = async (): Promise<void> => {
    await pace.rest()
    throwIfAborted(signal)
  }
  const rest = (): Promise<void> | undefined => (pace.due() ? restNow() : undefined)
  const taker = createLineTaker({ writer, problems, rest })
  const take = async (found: Iterable<Line>): Promise<void> => {
    for (const line of found) {
      const waiting = taker.take(line) ?? rest()
      if (waiting !== undefined) await waiting
    }
  }
  const read = async (text: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const bytes of text) {
      await take(lines.push(bytes))
      if (bytesRead - bytesTold >= progressBytes) tell()
      await rest()
      throwIfAborted(signal)
    }
    await take(lines.end())
  }
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of readChunks(source, signal)) {
      for (let at = 0; at < chunk.length; at += pieceBytes) {
        const piece = chunk.subarray(at, at + pieceBytes)
        bytesRead += piece.length
        yield piece
      }
    }
  }

  try {
    const text = plainBytes(chunks(), (damage) => problems.add({ line: lines.number, ...damage }))
    const { notALog, bytes } = await sniff(text, rest)
    if (notALog === undefined) await read(bytes)
    else {
      await text.return()
      problems.add({ line: 1, kind: 'not-a-log', message: `${notALog}. Nothing of it was imported.` })
    }
    if (notALog === undefined && !taker.foundHeader && !writer.foundOrphans)
      problems.add(noHeader(bytesRead))
  } catch (error) {
    if (!(error instanceof UnreadableSource)) throw error
    problems.add({
      line: lines.number,
      kind: 'unreadable',
      message: `The source cannot be read any further (${error.message}); the lines before this one were read.`,
    })
  }
  taker.end()
  await writer.end()
  throwIfAborted(signal)
  const { sessions } = writer
  return {
    report: {
      name: source.name,
      bytesRead,
      sessions,
      problems: problems.sorted(),
      problemsOmitted: problems.omitted,
    },
    orphans: problems.leftOut,
    readSoFar: {
      ...readSoFar(),
      events: sessions.reduce((sum, { appended, unchanged }) => sum + appended + unchanged, 0),
    },
  }
}

/** 64 MiB: longer than any event, and still well below what a string can hold. */
const maxLineBytes = 1 << 26
const maxProblems = 200
const batchLimits = { events: 500, bytes: 1 << 17 }
/** Progress is told after each batch, and where nothing is written, each time so much was read. */
const progressBytes = 1 << 20
/** A chunk counts as read piece by piece, or a file that comes in one would be done at once. */
const pieceBytes = 1 << 15

function noHeader(bytesRead: number) {
  const what = bytesRead === 0 ? 'The source is empty' : 'No session header was found in the source'
  const message = `${what}; is it a session log? Nothing of it was imported.`
  return { line: 1, kind: 'no-header', message } as const
}
