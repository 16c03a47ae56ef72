import { quoted } from '../core/errors.ts'
import { recoverRecords, type RecoveredRecord, type Recovery } from './damaged-line.ts'
import { readRecord, type LogRecord } from './deepseek-harness.ts'
import type { Line } from './lines.ts'
import { counted, opening } from './phrases.ts'
import type { ProblemKind } from './report.ts'

/** What a line says. */
export interface LineReading {
  /** The records on it that can be used, and a header that cannot. */
  readonly records: readonly (RecoveredRecord | Extract<LogRecord, { readonly kind: 'bad-header' }>)[]
  readonly problem?: {
    readonly kind: ProblemKind
    readonly message: string
    readonly seq?: number
  }
}

/**
 * Reads a line: one record as a rule, none when it is blank, and from a damaged line every record
 * that is whole.
 *
 * @param nextSeq gives the seq that the session goes on with; asked for damaged lines only
 */
export function readLine(line: Line, nextSeq: () => number | undefined): LineReading {
  if (line.tooLong) {
    return bad(
      'line-too-long',
      `The line is ${line.size} bytes long, which is more than a log line may be; it was left out.`,
    )
  }
  if (line.bytes.length === 0) return nothing
  let text: string
  try {
    text = strict.decode(line.bytes)
  } catch {
    return readBrokenText(line, nextSeq())
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    if (text.trim() === '') return nothing
    return readDamagedText(text, line, nextSeq())
  }
  const record = readRecord(value)
  switch (record.kind) {
    case 'header':
    case 'events':
    case 'bad-header':
      return { records: [record] }
    case 'not-an-event':
    case 'bad-packed-row':
      return bad(record.kind, `${opening(record.reason)}; the line was left out.`, record.seq)
    default:
      return record satisfies never
  }
}

// Without `ignoreBOM` a mark inside the log would vanish from the first string of its line.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })
const replacement = '\u{FFFD}'
const nothing: LineReading = { records: [] }

function readBrokenText(line: Line, nextSeq: number | undefined): LineReading {
  const text = lenient.decode(line.bytes)
  const recovery = recoverRecords(text, nextSeq, replacement)
  if (!line.ended) return torn(text, recovery)
  return {
    records: recovery.records,
    problem: {
      kind: 'not-utf8',
      message: `The line ${quoted(text)} has bytes that are not UTF-8; ${outcome(recovery)}.`,
    },
  }
}

function readDamagedText(text: string, line: Line, nextSeq: number | undefined): LineReading {
  if (/^[\s\0]*$/.test(text)) {
    return bad(
      'nul-bytes',
      `The line is ${line.size} bytes of zeros, as a crash leaves them; it was left out.`,
    )
  }
  const recovery = recoverRecords(text, nextSeq)
  const { records, complete } = recovery
  if (complete) {
    return {
      records,
      problem: {
        kind: 'glued-records',
        message: `There are ${records.length} records on the line instead of one; all of them were read.`,
      },
    }
  }
  if (!line.ended) return torn(text, recovery)
  return {
    records,
    problem: {
      kind: 'damaged-line',
      message: `The line ${quoted(text)} is not JSON; ${outcome(recovery)}.`,
    },
  }
}

function torn(text: string, recovery: Recovery): LineReading {
  const message = `The last line ${quoted(text)} is cut off; ${outcome(recovery)}.`
  return { records: recovery.records, problem: { kind: 'torn-line', message } }
}

function outcome({ records }: Recovery): string {
  if (records.length === 0) return 'it was left out'
  return `${counted(records.length, 'whole record')} on it could be read and the rest was left out`
}

function bad(kind: ProblemKind, message: string, seq?: number): LineReading {
  return { records: [], problem: { kind, message, ...(seq === undefined ? {} : { seq }) } }
}
