import type { CallOptions, EventWindow, SessionQuery, SessionStore } from '../core/corpus.ts'
import { traceEvent } from '../core/event-trace.ts'
import { eventFiltersOf } from '../core/filter.ts'
import { detached } from '../core/json.ts'
import {
  contentOf,
  eventRecords,
  eventsBetween,
  eventWindow,
  filteredEvents,
  surfaceOf,
} from '../core/log-reads.ts'
import { noSession, sessionIdOf } from '../core/request.ts'
import { checkedWindow, type Window } from '../core/window.ts'
import type { LiveLog } from './live-log.ts'
import type { LiveSessions } from './live-sessions.ts'

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

export interface SessionReadsOptions {
  readonly live: LiveSessions
  readonly readWindowMax: number
  /** Judges whether a call may run, and runs it. */
  readonly answer: <Result>(
    call: CallOptions | undefined,
    body: () => Result | Promise<Result>,
  ) => Promise<Result>
  readonly store: () => SessionStore | undefined
}

/**
 * Reads a session from this page when it is open here, without asking the store; else from the store.
 * What is given is detached from the log.
 */
export function sessionReads({
  live,
  readWindowMax,
  answer,
  store,
}: SessionReadsOptions): SessionReads {
  function read<Result>(
    request: unknown,
    call: CallOptions | undefined,
    fromLog: (log: LiveLog) => Result,
    fromStore: (store: SessionStore) => Promise<Result>,
  ): Promise<Result> {
    return answer(call, () => {
      const sessionId = sessionIdOf(request)
      const open = live.get(sessionId)
      if (open !== undefined) return detached(fromLog(open.log))
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

function windowOf(log: LiveLog, seq: unknown, window: Window): EventWindow {
  const range = (from: number, to: number) => eventsBetween(log, from, to)
  return eventWindow(log.header, log.events.length, seq, window, range)
}
