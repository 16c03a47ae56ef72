import type { EventRecord, EventText, EventWindow, SessionContent, SessionSurface } from './corpus.ts'
import { semanticText } from './document.ts'
import { quoted, SessionQueryError } from './errors.ts'
import { eventRecord } from './event-trace.ts'
import { eventPredicate, type EventFilter } from './filter.ts'
import { firstBrokenMessage } from './message.ts'
import { noEvent } from './request.ts'
import type { SessionEvent, SessionHeader, SessionLog } from './session.ts'
import type { SurfaceFold } from './surface.ts'
import type { Window } from './window.ts'

/** A log and what it folds to. */
export interface FoldedLog extends SessionLog {
  readonly fold: SurfaceFold
}

/**
 * The whole log, checked.
 *
 * @throws SessionQueryError `CORRUPT_SESSION` when a message is none
 */
export function contentOf({ header, events }: FoldedLog): SessionContent {
  checkMessages(header, events)
  return { session: header, events }
}

/**
 * What the model sees at the end of the log.
 *
 * @throws SessionQueryError `CORRUPT_SESSION` when a message on the surface is none
 */
export function surfaceOf({ header, events, fold }: FoldedLog): SessionSurface {
  const visible = fold.nodes().flatMap((seq) => events[seq] ?? [])
  checkMessages(header, visible)
  return { session: header, capturedThroughSeq: events.at(-1)?.seq ?? null, events: visible }
}

/** Every event, without its data. */
export function eventRecords({ header, events, fold }: FoldedLog): EventRecord[] {
  return events.map((event) => eventRecord(header.id, event, fold))
}

/** The events with searchable text that pass the filters. */
export function filteredEvents(
  { header, events, fold }: FoldedLog,
  filters: readonly EventFilter[],
): EventText[] {
  const passes = eventPredicate(filters)
  return events
    .map((event) => ({ ...eventRecord(header.id, event, fold), text: semanticText(event) }))
    .filter((event) => event.text !== '' && passes(event))
}

/**
 * An event between its neighbours.
 *
 * @param range the events with seqs from one to another, both included, as far as there are any
 * @throws SessionQueryError `EVENT_NOT_FOUND`
 */
export function eventWindow(
  header: SessionHeader,
  length: number,
  seq: unknown,
  { before, after }: Window,
  range: (from: number, to: number) => readonly SessionEvent[],
): EventWindow {
  const events = typeof seq === 'number' ? range(seq - before, seq + after) : []
  const target = events.find((event) => event.seq === seq)
  if (target === undefined) throw noEvent(header.id, seq, length)
  return {
    session: header,
    target,
    events,
    startSeq: events[0]?.seq ?? target.seq,
    endSeq: events.at(-1)?.seq ?? target.seq,
  }
}

/**
 * The events of a log in memory with seqs from one to another, both included.
 *
 * @param folds whether the log folds: then the seq of an event is its place
 */
export function eventsBetween(
  { events, folds }: { readonly events: readonly SessionEvent[]; readonly folds: boolean },
  from: number,
  to: number,
): SessionEvent[] {
  if (folds) return events.slice(Math.max(0, from), Math.max(0, to + 1))
  return events.filter(({ seq }) => seq >= from && seq <= to)
}

function checkMessages({ id }: SessionHeader, events: readonly SessionEvent[]): void {
  const broken = firstBrokenMessage(events)
  if (broken === undefined) return
  throw new SessionQueryError(
    'SESSION_QUERY_CORRUPT_SESSION',
    `The event with seq ${broken.seq} of session ${quoted(id)} is not the message that its type, ${broken.type}, promises. readEvent gives it as it is.`,
  )
}
