import type { SessionEvent } from '../core/session.ts'
import type { EventsRecord } from './deepseek-harness.ts'
import type { Line } from './lines.ts'
import { named, opening } from './phrases.ts'
import { readLine, type LineReading } from './records.ts'
import type { ProblemList } from './report.ts'
import type { SessionWriter } from './session-writer.ts'

/** Takes the lines of a log, in order, and hands what they say to a writer. */
export interface LineTaker {
  /** A promise has to be waited for before the next line. */
  take(line: Line): Promise<void> | undefined
  /** What had to wait for another line. */
  end(): void
  /** Whether there was a header, usable or not. */
  readonly foundHeader: boolean
}

/** What a line taker needs. */
export interface LineTakerOptions {
  readonly writer: SessionWriter
  readonly problems: ProblemList
  /** Gives a promise when it is time to let others have their turn. */
  readonly rest: () => Promise<void> | undefined
}

/** What outlives the bytes of a line. */
type Place = Pick<Line, 'number' | 'size'>

type FoundRecord = LineReading['records'][number]

export function createLineTaker({ writer, problems, rest }: LineTakerOptions): LineTaker {
  let foundHeader = false
  /** An event that counts only when the next record is its successor. */
  let doubted: { readonly record: EventsRecord; readonly line: Place } | undefined

  /** A row, without a promise for each of its events, as most fill no batch. */
  const takeEvents = (
    events: Iterator<SessionEvent, void, undefined>,
    line: Place,
    bytesEach: number,
  ): Promise<void> | undefined => {
    for (let step = events.next(); step.done !== true; step = events.next()) {
      const waiting = writer.add(step.value, line.number, bytesEach) ?? rest()
      if (waiting !== undefined) return waiting.then(() => takeEvents(events, line, bytesEach))
    }
    return undefined
  }

  const takeRecord = ({ events, count }: EventsRecord, line: Place): Promise<void> | undefined => {
    if (count > 1) return takeEvents(events[Symbol.iterator](), line, line.size / count)
    for (const event of events) return writer.add(event, line.number, line.size)
    return undefined
  }

  const decide = async (next: FoundRecord | undefined): Promise<void> => {
    if (doubted === undefined) return
    const { record, line } = doubted
    doubted = undefined
    if (next?.kind === 'events' && next.firstSeq === record.firstSeq + record.count) {
      await takeRecord(record, line)
      return
    }
    const [event] = record.events
    const sessionId = writer.sessionId()
    problems.add({
      line: line.number,
      kind: 'damaged-line',
      message: `${opening(event === undefined ? 'an event' : named(event))} may be a part of the torn record before it, and what follows does not say otherwise; it was left out.`,
      ...(sessionId === undefined ? {} : { sessionId }),
      seq: record.firstSeq,
    })
  }

  const takeAll = async (records: LineReading['records'], line: Place): Promise<void> => {
    for (const record of records) {
      await decide(record)
      switch (record.kind) {
        case 'events':
          if (!('doubtful' in record)) await takeRecord(record, line)
          // With another seq it could not be placed, and is rather what it looks like: a part.
          else if (record.firstSeq === writer.nextSeq()) doubted = { record, line }
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

  return {
    take(line) {
      const { records, problem } = readLine(line)
      if (problem !== undefined) {
        const sessionId = writer.sessionId()
        problems.add({
          line: line.number,
          ...problem,
          ...(sessionId === undefined ? {} : { sessionId }),
        })
      }
      const [record] = records
      if (record === undefined) return undefined
      const alone = doubted === undefined && records.length === 1
      if (alone && record.kind === 'events' && !('doubtful' in record)) return takeRecord(record, line)
      return takeAll(records, { number: line.number, size: line.size })
    },
    end() {
      void decide(undefined)
    },
    get foundHeader() {
      return foundHeader
    },
  }
}
