import { quoted } from '../core/errors.ts'
import type { SessionEvent, SessionHeader } from '../core/session.ts'
import { createBatchWriter, type BatchWriterOptions, type ImportedSession } from './batch-writer.ts'
import { counted, named, opening } from './phrases.ts'
import type { ProblemKind, SessionReport } from './report.ts'
import { createSeqSet } from './seq-set.ts'

/**
 * Puts the events of one source into their sessions, placing them by seq. Behind a gap a session goes on
 * where the event comes that is missing: in a log that was repeated, or whose lines got out of order.
 * Behind an event that is in conflict, or refused, nothing is placed any more.
 *
 * What its methods return has to be waited for before the next one is called.
 */
export interface SessionWriter {
  /** In the order of their first header. */
  readonly sessions: readonly SessionReport[]
  /** How many sessions there are. */
  readonly sessionCount: number
  /** Whether there were events with no header before them. */
  readonly foundOrphans: boolean
  /** Id of the session being read. */
  sessionId(): string | undefined
  /** The seq that it goes on with. */
  nextSeq(): number | undefined
  /** A header: what follows belongs to its session. */
  begin(header: SessionHeader, line: number): Promise<void>
  /** A header that counts only when the log goes on as a new one would, with an event of seq 0. */
  beginDoubtful(header: SessionHeader, line: number): Promise<void>
  /** A header that cannot be used: what follows is left out. */
  beginUnusable(reason: string, line: number): Promise<void>
  /** The next event. `bytes` is its share of the log text. */
  add(event: SessionEvent, line: number, bytes: number): Promise<void> | undefined
  /** Writes what is left. */
  end(): Promise<void>
}

/** Lines under a header that cannot be used, or under none. */
interface Orphans {
  readonly kind: ProblemKind
  readonly reason: string
  readonly line: number
  readonly sessionId?: string
  readonly doubtful?: SessionHeader
  count: number
}

/** A writer for one source; what it finds goes into `options.problems`. */
export function createSessionWriter(options: BatchWriterOptions): SessionWriter {
  const { problems } = options
  const batches = createBatchWriter(options)
  const sessions = new Map<string, ImportedSession>()
  let session: ImportedSession | undefined
  let orphans: Orphans | undefined
  let foundOrphans = false

  /** Ends what the last header began. */
  const close = async (): Promise<void> => {
    if (session !== undefined) await batches.flush(session)
    session = undefined
    if (orphans !== undefined) {
      const { count, doubtful: _, reason, ...problem } = orphans
      const message = `${reason}; ${lost(orphans)} left out.`
      problems.add({ ...problem, message, leftOut: count })
    }
    orphans = undefined
  }

  const begin = async (header: SessionHeader, line: number): Promise<void> => {
    await close()
    const known = sessions.get(header.id)
    if (known === undefined) {
      const report = { sessionId: header.id, created: false, appended: 0, unchanged: 0, leftOut: 0 }
      session = {
        header,
        line,
        report,
        nextSeq: 0,
        begun: false,
        gap: false,
        ended: false,
        refused: false,
      }
      sessions.set(header.id, session)
    } else if (JSON.stringify(known.header) === JSON.stringify(header)) {
      session = known
    } else {
      const reason = `Session ${quoted(header.id)} has another header here than in line ${known.line}`
      orphans = { kind: 'conflict', reason, line, sessionId: header.id, count: 0 }
    }
  }

  /** An event that was there before and said something else: what follows was made after it. */
  const end = (target: ImportedSession, event: SessionEvent, line: number): void => {
    target.ended = true
    target.report.leftOut += 1
    const message = `${opening(named(event))} was there before and said something else; it and all that follows it in this session were left out.`
    problems.add({ line, kind: 'conflict', message, sessionId: target.header.id, seq: event.seq })
  }

  /** An event that has to wait for others, which may never come. */
  const passOver = (target: ImportedSession, event: SessionEvent, line: number): void => {
    target.passedOver ??= createSeqSet()
    if (target.passedOver.add(event.seq)) target.report.leftOut += 1
    if (target.gap) return
    target.gap = true
    const message = `${opening(named(event))} stands where seq ${target.nextSeq} was due; it and all that follows it in this session were left out, up to where that comes.`
    problems.add({ line, kind: 'seq-gap', message, sessionId: target.header.id, seq: event.seq })
  }

  const place = (
    target: ImportedSession,
    event: SessionEvent,
    line: number,
    bytes: number,
  ): Promise<void> | undefined => {
    const { nextSeq } = target
    if (target.ended || target.refused) {
      target.report.leftOut += 1
      return undefined
    }
    if (event.seq > nextSeq) {
      passOver(target, event, line)
      return undefined
    }
    const { follows } = batches
    if (follows !== undefined && follows !== event.seq) {
      const twin = batches.find(event.seq)
      // A repetition of what was written before starts a batch of its own: the corpus compares.
      if (twin === undefined) return batches.flush(target).then(() => place(target, event, line, bytes))
      if (JSON.stringify(twin) === JSON.stringify(event)) target.report.unchanged += 1
      else end(target, event, line)
      return undefined
    }
    if (event.seq === nextSeq) {
      target.nextSeq += 1
      target.gap = false
      if (target.passedOver?.delete(event.seq) === true) target.report.leftOut -= 1
    }
    return batches.gather(target, event, line, bytes)
  }

  const add = (event: SessionEvent, line: number, bytes: number): Promise<void> | undefined => {
    if (session !== undefined) return place(session, event, line, bytes)
    if (orphans?.doubtful !== undefined && orphans.count === 0 && event.seq === 0) {
      const { doubtful, line: headerLine } = orphans
      orphans = undefined
      return begin(doubtful, headerLine).then(() => add(event, line, bytes))
    }
    const reason = 'No session header comes before this line'
    foundOrphans ||= orphans === undefined
    orphans ??= { kind: 'events-without-header', reason, line, count: 0 }
    orphans.count += 1
    return undefined
  }

  return {
    get sessions() {
      return Array.from(sessions.values(), ({ report }) => report)
    },
    get sessionCount() {
      return sessions.size
    },
    get foundOrphans() {
      return foundOrphans
    },
    sessionId: () => session?.header.id,
    nextSeq: () =>
      session === undefined || session.ended || session.refused ? undefined : session.nextSeq,
    begin,
    async beginDoubtful(header, line) {
      await close()
      const reason = `The header of session ${quoted(header.id)} may be a part of the torn record before it`
      orphans = { kind: 'bad-header', reason, line, doubtful: header, count: 0 }
    },
    async beginUnusable(reason, line) {
      await close()
      orphans = { kind: 'bad-header', reason: opening(reason), line, count: 0 }
    },
    add,
    async end() {
      await close()
      await batches.settle()
    },
  }
}

function lost({ kind, count }: Orphans): string {
  const events = `${counted(count, 'event')} from here on`
  if (kind === 'events-without-header') return `${events} ${count === 1 ? 'was' : 'were'}`
  return count === 0 ? 'it was' : `it and ${events} were`
}
