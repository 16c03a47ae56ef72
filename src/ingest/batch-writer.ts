import type { AbortSignalLike } from '../core/corpus.ts'
import type { SessionEvent, SessionHeader } from '../core/session.ts'
import { named, opening } from './phrases.ts'
import type { ProblemList, SessionReport } from './report.ts'
import type { SeqSet } from './seq-set.ts'
import { storeBatch, type BatchOutcome, type ImportTarget } from './store-batch.ts'

/** A session of the source that is being read. */
export interface ImportedSession {
  readonly header: SessionHeader
  /** Line of its header. */
  readonly line: number
  readonly report: { -readonly [Field in keyof SessionReport]: SessionReport[Field] }
  /** The seq it goes on with. */
  nextSeq: number
  /** Whether the corpus was given the header. */
  begun: boolean
  /** Whether the event with `nextSeq` did not come where it was due. */
  gap: boolean
  /** What came while there was a gap. */
  passedOver?: SeqSet
  /** An event was in conflict; what follows it is left out, what came before it is still written. */
  ended: boolean
  /** The corpus did not take an event; nothing more is written. */
  refused: boolean
}

/** How much may wait to be written. Whichever limit is reached first ends a batch. */
interface BatchLimits {
  readonly events: number
  /** Of log text. */
  readonly bytes: number
}

/** Where batches go, and what is told about them. */
export interface BatchWriterOptions {
  readonly corpus: ImportTarget
  readonly signal: AbortSignalLike | undefined
  readonly problems: ProblemList
  readonly limits: BatchLimits
  /** Called when a batch has been written, with how many events of it are stored now. */
  readonly onBatch: (events: number) => void
}

/**
 * Gathers events of one session, each the successor of the one before, and writes them while the next are
 * being gathered: one batch of a session at a time, and of several sessions as many as make up one large
 * batch. A small session would otherwise wait for each one before it, there and back to the worker.
 */
export interface BatchWriter {
  /** The seq that an event must have to join the batch, or undefined when the batch is empty. */
  readonly follows: number | undefined
  /** The event of that seq in the batch. */
  find(seq: number): SessionEvent | undefined
  /** Adds to the batch. A promise means that it is full and must be waited for. */
  gather(
    session: ImportedSession,
    event: SessionEvent,
    line: number,
    bytes: number,
  ): Promise<void> | undefined
  /** Starts to write what was gathered, and the header if that was not written, after the last batch. */
  flush(session: ImportedSession): Promise<void>
  /** Waits for the batches that are being written. */
  settle(): Promise<void>
}

/** How many batches may be on their way. */
const mostInFlight = 8

/** A writer for one source; what the corpus does not take goes into `options.problems`. */
export function createBatchWriter(options: BatchWriterOptions): BatchWriter {
  const { corpus, signal, problems, limits, onBatch } = options
  let events: SessionEvent[] = []
  let lines: number[] = []
  let bytes = 0
  const inFlight = new Map<
    ImportedSession,
    { readonly written: Promise<void>; readonly bytes: number }
  >()
  let failure: { readonly error: unknown } | undefined

  const settle = async (): Promise<void> => {
    await Promise.all(Array.from(inFlight.values(), ({ written }) => written))
    if (failure !== undefined) throw failure.error
  }

  const roomFor = (session: ImportedSession, size: number): boolean => {
    if (inFlight.size === 0) return true
    if (inFlight.has(session) || inFlight.size >= mostInFlight) return false
    let total = size
    for (const batch of inFlight.values()) total += batch.bytes
    return total <= limits.bytes
  }

  const flush = async (session: ImportedSession): Promise<void> => {
    if (events.length === 0 && session.begun) return
    const batch = { header: session.header, events }
    const batchLines = lines
    const size = bytes
    events = []
    lines = []
    bytes = 0
    while (!roomFor(session, size)) {
      const own = inFlight.get(session)?.written
      await (own ?? Promise.race(Array.from(inFlight.values(), ({ written }) => written)))
    }
    if (failure !== undefined) await settle()
    if (session.refused) {
      session.report.leftOut += batch.events.length
      return
    }
    const write = async (begun: boolean): Promise<void> => {
      try {
        const outcome = await storeBatch(corpus, { ...batch, begun }, signal)
        record(session, batch.events, batchLines, outcome, problems)
        inFlight.delete(session)
        onBatch(outcome.appended + outcome.unchanged)
      } catch (error) {
        // Kept for whoever comes next: until then nobody waits for this promise.
        failure ??= { error }
        inFlight.delete(session)
      }
    }
    const written = write(session.begun)
    session.begun = true
    inFlight.set(session, { written, bytes: size })
  }

  return {
    get follows() {
      const [first] = events
      return first === undefined ? undefined : first.seq + events.length
    },
    find: (seq) => events[seq - (events[0]?.seq ?? 0)],
    gather(session, event, line, size) {
      events.push(event)
      lines.push(line)
      bytes += size
      return events.length >= limits.events || bytes >= limits.bytes ? flush(session) : undefined
    },
    flush,
    settle,
  }
}

function record(
  session: ImportedSession,
  events: readonly SessionEvent[],
  lines: readonly number[],
  { created, appended, unchanged, refusal }: BatchOutcome,
  problems: ProblemList,
): void {
  const { report, header } = session
  report.created ||= created
  report.appended += appended
  report.unchanged += unchanged
  if (refusal === undefined) return
  session.refused = true
  report.leftOut += events.length - refusal.at
  const kind = refusal.error.code === 'SESSION_QUERY_SOURCE_CONFLICT' ? 'conflict' : 'refused'
  const reason = opening(refusal.error.message)
  const event = refusal.ofHeader ? undefined : events[refusal.at]
  if (event === undefined) {
    const message = `${reason}; the session was left out.`
    problems.add({ line: session.line, kind, message, sessionId: header.id })
  } else {
    const message = `${reason}; ${named(event)} and all that follows it in this session were left out.`
    const line = lines[refusal.at] ?? session.line
    problems.add({ line, kind, message, sessionId: header.id, seq: event.seq })
  }
}
