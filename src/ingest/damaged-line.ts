import { readRecord, type LogRecord } from './deepseek-harness.ts'

/** A whole record that was found on a damaged line. */
export type RecoveredRecord = Extract<LogRecord, { readonly kind: 'header' | 'events' }> & {
  /** A header that might as well be part of the torn record before it; what follows must decide. */
  readonly doubtful?: true
}

/** What was found on a damaged line. */
export interface Recovery {
  readonly records: readonly RecoveredRecord[]
  /** Whether there is nothing on the line but these records. */
  readonly complete: boolean
}

/**
 * Finds the whole records on a line that is not one JSON value. A process that dies while it writes
 * leaves a torn record, and the next one goes on behind it, on the same line.
 *
 * A torn record may hold objects that look like records themselves. Those are told apart by what
 * stands around them: a record that was written behind a torn one reaches to the end of the line or
 * to the next record, while a part of a record is followed by more of it. Where both are possible
 * (the tear is just where a value may stand), an event counts only when it is the very next one.
 *
 * @param nextSeq the seq that the session goes on with, if any session is being read
 * @param unreadable a character that stands for bytes that could not be decoded; a record that has it
 *   is not whole
 */
export function recoverRecords(text: string, nextSeq?: number, unreadable?: string): Recovery {
  const records: RecoveredRecord[] = []
  let complete = true
  let expected = nextSeq
  let accepted = 0
  // Nested objects that never close are looked at once each; a limit keeps hostile lines linear.
  let budget = 8 * text.length + 10_000
  for (let at = 0; budget > 0;) {
    recordStart.lastIndex = at
    const from = recordStart.exec(text)?.index
    if (from === undefined) break
    const end = objectEnd(text, from)
    budget -= (end ?? text.length) - from
    const value = end === undefined ? undefined : parsed(text.slice(from, end))
    if (end === undefined || value === undefined) {
      at = from + 1
      continue
    }
    at = end
    const record = readRecord(value)
    if (record.kind !== 'header' && record.kind !== 'events') continue
    if (unreadable !== undefined && text.slice(from, end).includes(unreadable)) continue

    const before = text.slice(accepted, from)
    let doubtful = false
    if (!padding.test(before)) {
      recordFollows.lastIndex = end
      if (!recordFollows.test(text)) continue
      doubtful = /[:,[]\s*$/.test(before)
      if (doubtful && record.kind === 'events' && record.events[0]?.seq !== expected) continue
    }
    complete &&= blank.test(before)
    records.push(doubtful && record.kind === 'header' ? { ...record, doubtful } : record)
    expected = record.kind === 'header' ? 0 : (record.events.at(-1)?.seq ?? 0) + 1
    accepted = end
  }
  return { records, complete: complete && blank.test(text.slice(accepted)) }
}

/** How the format begins each record; recovery looks for nothing else. */
const recordStart = /\{\s*"type"\s*:/g
const recordFollows = /[\s\0]*(?:$|\{\s*"type"\s*:)/y
/** White space of JSON alone: a byte-order mark is damage here. */
const blank = /^[ \t\r\n]*$/
/** A crash may leave zeros where nothing was written. */
const padding = /^[\s\0]*$/

/** The place behind the brace that closes the one at `from`, or undefined when none does. */
function objectEnd(text: string, from: number): number | undefined {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = stringEnd(text, at)
        break
      case 0x7b:
        depth += 1
        break
      case 0x7d:
        depth -= 1
        if (depth === 0) return at + 1
        break
      default:
    }
  }
  return undefined
}

/** The place of the quote that closes the one at `from`, or the end of the text. */
function stringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at
    if (code === 0x5c) at += 1
  }
  return text.length
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
