import type { CallOptions, EventWindow, SessionQuery } from './corpus.ts'
import { traceEvent } from './event-trace.ts'
import { eventFiltersOf } from './filter.ts'
import { detached } from './json.ts'
import {
  contentOf,
  eventRecords,
  eventsBetween,
  eventWindow,
  filteredEvents,
  surfaceOf,
  type FoldedLog,
} from './log-reads.ts'
import { noSession, sessionIdOf } from './request.ts'
import type { SessionLog } from './session.ts'
import type { SessionTitle } from './title.ts'
import { checkedWindow, type Window } from './window.ts'

/** The reads of one session. */
export type SessionReads = Pick<
  SessionQuery,
  | 'readSession'
  | 'readSurface'
  | 'readTitle'
  | 'listEvents'
  | 'filterEvents'
  | 'readEvent'
  | 'traceEvent'
>

/** A log that is at hand, in memory. */
export interface LogAtHand extends SessionLog {
  /** The latest title. */
  readonly title: SessionTitle | undefined
  /** Whether the log folds. */
  readonly folds: boolean
  /**
   * The log with its fold.
   *
   * @throws SessionQueryError `INVALID_SURFACE` when it does not fold
   */
  folded(): FoldedLog
}

export interface SessionReadsOptions {
  /** The log of a session that is at hand. */
  readonly find: (sessionId: string) => LogAtHand | undefined
  readonly readWindowMax: number
  /** Judges whether a call may run, and runs it. */
  readonly answer: <Result>(
    call: CallOptions | undefined,
    body: () => Result | Promise<Result>,
  ) => Promise<Result>
  /** Who has the others. */
  readonly store: () => SessionReads | undefined
}

/**
 * Reads a session from the log at hand where there is one, without asking the store; else from the store.
 * What is given is detached from the log.
 */
export function sessionReads({
  find,
  readWindowMax,
  answer,
  store,
}: SessionReadsOptions): SessionReads {
  function read<Result>(
    request: unknown,
    call: CallOptions | undefined,
    fromLog: (log: LogAtHand) => Result,
    fromStore: (store: SessionReads) => Promise<Result>,
  ): Promise<Result> {
    return answer(call, () => {
      const sessionId = sessionIdOf(request)
      const log = find(sessionId)
      if (log !== undefined) return detached(fromLog(log))
      const mounted = store()
      if (mounted === undefined) throw noSession(sessionId)
      return fromStore(mounted)
    })
  }

  return {
    readSession: (request, call) =>
      read(
        request,
        call,
        (log) => contentOf(log.folded()),
        (from) => from.readSession(request, call),
      ),
    readSurface: (request, call) =>
      read(
        request,
        call,
        (log) => surfaceOf(log.folded()),
        (from) => from.readSurface(request, call),
      ),
    readTitle: (request, call) =>
      read(
        request,
        call,
        (log) => log.title,
        (from) => from.readTitle(request, call),
      ),
    listEvents: (request, call) =>
      read(
        request,
        call,
        (log) => eventRecords(log.folded()),
        (from) => from.listEvents(request, call),
      ),
    filterEvents: (request, call) =>
      answer(call, () => {
        // Copied before anything is waited for.
        const filters = eventFiltersOf(request)
        return read(
          request,
          call,
          (log) => filteredEvents(log.folded(), filters),
          (from) => from.filterEvents({ sessionId: request.sessionId, filters }, call),
        )
      }),
    readEvent: (request, call) =>
      read(
        request,
        call,
        (log) => windowOf(log, request.seq, checkedWindow(request, readWindowMax)),
        (from) => from.readEvent(request, call),
      ),
    traceEvent: (request, call) =>
      read(
        request,
        call,
        (log) => {
          const { target } = windowOf(log, request.seq, { before: 0, after: 0 })
          return traceEvent(log.header, target, log.folded().fold)
        },
        (from) => from.traceEvent(request, call),
      ),
  }
}

function windowOf(log: LogAtHand, seq: unknown, window: Window): EventWindow {
  const range = (from: number, to: number) => eventsBetween(log, from, to)
  return eventWindow(log.header, log.events.length, seq, window, range)
}
