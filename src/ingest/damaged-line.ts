import { readRecord, type LogRecord } from './deepseek-harness.ts'
import { objectEnd, objectStart } from './json-text.ts'
import { readJson, type ReadJson } from './read-json.ts'

/** A whole record that was found on a damaged line. */
export type RecoveredRecord = Extract<LogRecord, { readonly kind: 'header' | 'events' }> & {
  /** It might as well be part of the torn record before it; what follows must decide. */
  readonly doubtful?: true
}

/** What was found on a damaged line. */
export interface Recovery {
  readonly records: readonly RecoveredRecord[]
  /** Whether there is nothing on the line but these records. */
  readonly complete: boolean
  /** Whether the search was given up, as the line holds too much that looks like a record and is none. */
  readonly gaveUp: boolean
}

/**
 * Finds the whole records on a line that is not one JSON value. A process that dies while it writes
 * leaves a torn record, and the next one goes on behind it, on the same line.
 *
 * From the beginning of the line records are read one after the other up to the first torn one. What is
 * behind that is read from its end, where a record can be told from what is around it: it ends where the
 * line ends or another record begins, and only a whole one has a brace that opens it.
 *
 * A torn record may hold objects that look like records themselves. Where the tear is just behind
 * such an object, nothing on the line tells it from one that was written behind a tear in front of it:
 * such a record is doubtful.
 *
 * @param unreadable a character that stands for bytes that could not be decoded; a record that has it
 *   is not whole
 */
export function recoverRecords(text: string, unreadable?: string): Recovery {
  const read = (from: number, end: number): LogRecord | undefined => {
    const part = text.slice(from, end)
    const json = unreadable !== undefined && part.includes(unreadable) ? undefined : parsed(part)
    if (json === undefined) return undefined
    return json.refused === undefined ? readRecord(json.value) : { kind: 'not-an-event', reason: '' }
  }
  const front = readForward(text, read)
  if (padding.test(text.slice(front.end))) {
    const complete = front.complete && blank.test(text.slice(front.end))
    return { records: front.records, complete, gaveUp: false }
  }
  const back = readBackward(text, front.end, read)
  return { ...back, records: [...front.records, ...back.records], complete: false }
}

type Read = (from: number, end: number) => LogRecord | undefined

/** The records from the beginning of the line up to the first that is not whole. */
function readForward(text: string, read: Read) {
  const records: RecoveredRecord[] = []
  let complete = true
  for (let end = 0; ;) {
    const brace = text.indexOf('{', end)
    const before = brace === -1 ? undefined : text.slice(end, brace)
    const next = before !== undefined && padding.test(before) ? objectEnd(text, brace) : undefined
    const record = next === undefined ? undefined : read(brace, next)
    if (next === undefined || record === undefined) return { records, complete, end }
    const usable = isUsable(record)
    if (usable) records.push(record)
    complete &&= usable && blank.test(before ?? '')
    end = next
  }
}

/** The records behind `from`, where the text does not begin with a whole one. */
function readBackward(text: string, from: number, read: Read) {
  const records: RecoveredRecord[] = []
  // What is looked at in vain is looked at again from another brace; a limit keeps hostile lines linear.
  let budget = 16 * text.length + 10_000
  for (let close = text.lastIndexOf('}'); close >= from;) {
    let next = close
    recordFollows.lastIndex = close + 1
    if (recordFollows.test(text)) {
      const start = objectStart(text, close, from)
      const record = start === undefined ? undefined : read(start, close + 1)
      if (start !== undefined && record !== undefined && isUsable(record)) {
        records.push(mayBePart(text.slice(from, start)) ? { ...record, doubtful: true } : record)
        next = start
      } else {
        budget -= close - (start ?? from)
        if (budget <= 0) return { records: records.toReversed(), gaveUp: true }
      }
    }
    close = next === 0 ? -1 : text.lastIndexOf('}', next - 1)
  }
  return { records: records.toReversed(), gaveUp: false }
}

function isUsable(record: LogRecord): record is RecoveredRecord {
  return record.kind === 'header' || record.kind === 'events'
}

/** Behind a record: the end of the line, or another one. */
const recordFollows = /[\s\0]*(?:$|\{\s*")/y
/** White space of JSON, and the byte-order marks that files have which were put together. */
const blank = /^[ \t\r\n\uFEFF]*$/
/** A crash may leave zeros where nothing was written. */
const padding = /^[\s\0]*$/

/** Whether an object may stand behind `torn`, the beginning of a record, as a part of it. */
function mayBePart(torn: string): boolean {
  const tail = torn.slice(-100).trimEnd()
  if (tail === '') return torn.length > 100
  return /(?:"\s*:|\[|(?:["\]}\d]|true|false|null)\s*,)$/.test(tail)
}

function parsed(text: string): ReadJson | undefined {
  try {
    return readJson(text)
  } catch {
    return undefined
  }
}
