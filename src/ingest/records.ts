import { quoted } from '../core/errors.ts'
import { recoverRecords, type RecoveredRecord, type Recovery } from './damaged-line.ts'
import { readRecord, type LogRecord } from './deepseek-harness.ts'
import type { Line } from './lines.ts'
import { counted, named, opening } from './phrases.ts'
import { readJson, type ReadJson } from './read-json.ts'
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
 */
export function readLine(line: Line): LineReading {
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
    return readBrokenText(line)
  }
  let json: ReadJson
  try {
    json = readJson(text)
  } catch {
    if (text.trim() === '') return nothing
    return readDamagedText(text, line)
  }
  const record = readRecord(json.value)
  const { refused, changed } = json
  switch (record.kind) {
    case 'header':
      if (refused !== undefined)
        return { records: [{ kind: 'bad-header', reason: `the session header ${refused}` }] }
      break
    case 'events':
      if (refused !== undefined) {
        const [event] = record.events
        const what = event === undefined ? 'the event' : named(event)
        return bad('refused', `${opening(what)} ${refused}; the line was left out.`, record.firstSeq)
      }
      break
    case 'bad-header':
      break
    case 'not-an-event':
    case 'bad-packed-row':
      return bad(record.kind, `${opening(record.reason)}; the line was left out.`, record.seq)
    default:
      return record satisfies never
  }
  if (changed === undefined) return { records: [record] }
  const message = `A number on the line cannot be kept as it is written: ${changed}.`
  const seq = record.kind === 'events' ? { seq: record.firstSeq } : {}
  return { records: [record], problem: { kind: 'number-changed', message, ...seq } }
}

// Without `ignoreBOM` a mark inside the log would vanish from the first string of its line.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })
const replacement = '\u{FFFD}'
const nothing: LineReading = { records: [] }

function readBrokenText(line: Line): LineReading {
  const text = lenient.decode(line.bytes)
  const recovery = recoverRecords(text, replacement)
  if (!line.ended) return torn(text, recovery)
  return {
    records: recovery.records,
    problem: {
      kind: 'not-utf8',
      message: `The line ${quoted(text)} has bytes that are not UTF-8; ${outcome(recovery)}.`,
    },
  }
}

function readDamagedText(text: string, line: Line): LineReading {
  if (/^[\s\0]*$/.test(text)) {
    return bad(
      'nul-bytes',
      `The line is ${line.size} bytes of zeros, as a crash leaves them; it was left out.`,
    )
  }
  const recovery = recoverRecords(text)
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

function outcome({ records, gaveUp }: Recovery): string {
  const sure = records.filter(({ doubtful }) => doubtful !== true).length
  const read =
    sure === 0
      ? 'it was left out'
      : `${counted(sure, 'whole record')} on it could be read and the rest was left out`
  const doubtful =
    records.length === sure
      ? ''
      : ', but for an object at its end that may be a record or a part of a torn one'
  return `${read}${doubtful}${gaveUp ? '; not all of it was searched' : ''}`
}

function bad(kind: ProblemKind, message: string, seq?: number): LineReading {
  return { records: [], problem: { kind, message, ...(seq === undefined ? {} : { seq }) } }
}
