/**
 * What can be wrong in a source:
 *
 * - `unreadable`: its stream could not be opened or broke off
 * - `not-a-log`: it begins as another kind of file does; nothing more of it was read
 * - `torn-compression`, `corrupt-compression`: a Zstandard frame that ends early, or is not what was
 *   written
 * - `line-too-long`, `not-utf8`, `nul-bytes`: a line that cannot be text of a log
 * - `torn-line`: the last line, cut off
 * - `damaged-line`: a line that is not one JSON value
 * - `glued-records`: several whole records on one line
 * - `not-an-event`, `bad-packed-row`, `bad-header`: JSON that does not say what it should
 * - `number-changed`: a number that cannot be kept as it is written; the event was stored with another
 * - `no-header`, `events-without-header`: nothing says which session this is
 * - `seq-gap`: events are missing before this one; the session goes on where the first of them comes
 * - `conflict`: another header or event is there already under this id and seq
 * - `refused`: the event cannot be stored, or does not fold
 */
export type ProblemKind =
  | 'unreadable'
  | 'not-a-log'
  | 'torn-compression'
  | 'corrupt-compression'
  | 'line-too-long'
  | 'not-utf8'
  | 'nul-bytes'
  | 'torn-line'
  | 'damaged-line'
  | 'glued-records'
  | 'not-an-event'
  | 'bad-packed-row'
  | 'bad-header'
  | 'number-changed'
  | 'no-header'
  | 'events-without-header'
  | 'seq-gap'
  | 'conflict'
  | 'refused'

/** One thing that was wrong in a source, and what became of it. */
export interface ImportProblem {
  /** Line of the decompressed text, from 1; where a stream broke, the line that was being read. */
  readonly line: number
  readonly kind: ProblemKind
  /** One sentence for people: what was wrong with which value, and what happened to it. */
  readonly message: string
  /** The session it belongs to, where that is known. */
  readonly sessionId?: string
  /** The event it belongs to, where that is known. */
  readonly seq?: number
  /** Events that were left out because they stand under a header that is missing or unusable. */
  readonly leftOut?: number
}

/** What became of one session of a source. */
export interface SessionReport {
  readonly sessionId: string
  /** Whether this import added the session. */
  readonly created: boolean
  /** Events that this import added. */
  readonly appended: number
  /** Events that were stored already, exactly so. */
  readonly unchanged: number
  /**
   * Intact events that were not stored: those behind a gap whose log did not go on later in the source,
   * each counted once, and all from the first that was in conflict or refused.
   */
  readonly leftOut: number
}

/** What became of one source. */
export interface SourceReport {
  readonly name: string
  /** Bytes that were read, as they came (compressed or not). */
  readonly bytesRead: number
  /** In the order of their first header. */
  readonly sessions: readonly SessionReport[]
  /** Ascending by line, at most 200. */
  readonly problems: readonly ImportProblem[]
  /** How many more problems there were than are listed. */
  readonly problemsOmitted: number
}

/** What an import did. */
export interface ImportReport {
  /** In the order of the sources. */
  readonly sources: readonly SourceReport[]
  readonly totals: ImportTotals
}

/** Sums over all sources; a session that is in two sources counts twice. */
export interface ImportTotals {
  readonly sources: number
  readonly bytesRead: number
  readonly sessions: number
  readonly created: number
  readonly appended: number
  readonly unchanged: number
  /** With the events that have no usable header. */
  readonly leftOut: number
  /** With those that are not listed. */
  readonly problems: number
}

/** The problems of one source, as they are found. */
export interface ProblemList {
  add(problem: ImportProblem): void
  /** Events under no usable header, also those whose problem is not listed. */
  readonly leftOut: number
  readonly omitted: number
  /** What was kept, ascending by line. */
  sorted(): readonly ImportProblem[]
}

/** @param most how many to keep; the rest is counted, so that a large file of rubbish stays cheap */
export function createProblemList(most: number): ProblemList {
  const kept: ImportProblem[] = []
  let omitted = 0
  let leftOut = 0
  return {
    add(problem) {
      leftOut += problem.leftOut ?? 0
      if (kept.length < most) kept.push(problem)
      else omitted += 1
    },
    get leftOut() {
      return leftOut
    },
    get omitted() {
      return omitted
    },
    // Writes finish after later lines were read, so problems are not found in order.
    sorted: () => kept.toSorted((left, right) => left.line - right.line),
  }
}

/**
 * The report of all sources.
 *
 * @param sources each with the number of events that it left out for want of a usable header
 */
export function sumUp(
  sources: readonly { readonly report: SourceReport; readonly orphans: number }[],
): ImportReport {
  const sessions = sources.flatMap(({ report }) => report.sessions)
  return {
    sources: sources.map(({ report }) => report),
    totals: {
      sources: sources.length,
      bytesRead: sum(sources.map(({ report }) => report.bytesRead)),
      sessions: sessions.length,
      created: sessions.filter(({ created }) => created).length,
      appended: sum(sessions.map(({ appended }) => appended)),
      unchanged: sum(sessions.map(({ unchanged }) => unchanged)),
      leftOut: sum(sessions.map(({ leftOut }) => leftOut)) + sum(sources.map(({ orphans }) => orphans)),
      problems: sum(sources.map(({ report }) => report.problems.length + report.problemsOmitted)),
    },
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
