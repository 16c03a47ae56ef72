import { traceEvent } from '../core/event-trace.ts'
import { eventFiltersOf } from '../core/filter.ts'
import {
  contentOf,
  eventRecords,
  eventWindow,
  filteredEvents,
  surfaceOf,
  type FoldedLog,
} from '../core/log-reads.ts'
import type { SessionRequest } from '../core/corpus.ts'
import { noEvent, sessionIdOf } from '../core/request.ts'
import type { SessionReads } from '../core/session-reads.ts'
import { checkedWindow } from '../core/window.ts'
import type { StoredSessions } from './sessions.ts'
import type { StoredSurfaces } from './surfaces.ts'

/** The reads of one session, from what is stored of it. */
export function storedReads(
  sessions: StoredSessions,
  surfaces: StoredSurfaces,
  readWindowMax: number,
): SessionReads {
  /** A log with its fold; `INVALID_SURFACE` when there is none. */
  function folded(request: SessionRequest): FoldedLog {
    const stored = sessions.get(sessionIdOf(request))
    const fold = surfaces.of(stored)
    return { header: stored.header, events: sessions.events(stored.session), fold }
  }

  return {
    readSession: async (request) => contentOf(folded(request)),
    readSurface: async (request) => surfaceOf(folded(request)),
    readTitle: async (request) => sessions.title(sessions.get(sessionIdOf(request)).session),
    listEvents: async (request) => eventRecords(folded(request)),
    filterEvents: async (request) => {
      const filters = eventFiltersOf(request)
      const stored = sessions.get(sessionIdOf(request))
      const events = sessions.filteredEvents(stored.session, filters)
      return filteredEvents({ header: stored.header, events, fold: surfaces.of(stored) }, filters)
    },
    readEvent: async (request) => {
      const window = checkedWindow(request, readWindowMax)
      const { session, header, length } = sessions.get(sessionIdOf(request))
      const range = (from: number, to: number) => sessions.range(session, from, to)
      return eventWindow(header, length, request.seq, window, range)
    },
    traceEvent: async (request) => {
      const stored = sessions.get(sessionIdOf(request))
      const event = Number.isSafeInteger(request.seq)
        ? sessions.event(stored.session, request.seq)
        : undefined
      if (event === undefined) throw noEvent(stored.header.id, request.seq, stored.length)
      return traceEvent(stored.header, event, surfaces.of(stored))
    },
  }
}
