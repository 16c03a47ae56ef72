import type { EventMetadataFilter } from '../core/filter.ts'
import { visibleTarget } from './access.ts'
import { eventTypes, moment, query, surfaces, text, whole } from './argument-kinds.ts'
import { defineTool } from './define-tool.ts'
import { refusal } from './failure.ts'
import { hitLine, hitList } from './lines.ts'
import { found, known, noTime, nothingFound, onlyCommon } from './nothing-found.ts'
import { ownStep } from './own-session.ts'
import { numberRange, rangeFilter, timeRange, valuesFilter } from './ranges.ts'
import { name } from './text.ts'
import { searchedEvents } from './searched-events.ts'
import type { ToolHost } from './tool-call.ts'
import type { SessionTool } from './tool.ts'

/** Finds events of one session by what was said in them. */
export function sessionEventSearch(host: ToolHost): SessionTool {
  return defineTool(host, {
    name: 'session_event_search',
    title: 'Search in one session',
    description: `Finds events (messages, tool calls and results, todos, titles) in one session: yours when session_id is left out, or another one of your workspace. Ask in plain words. Gives up to ${host.maxSearchResults} events, best first, each with an excerpt. Your own session is searched up to the step in progress. Next: session_event_read with session_id and seq for a whole event and its neighbours. Values of a list are alternatives, different arguments must all hold. Times are like 2026-03-01T10:00:00Z. Nothing found does not mean that it never happened: try other words, fewer filters.`,
    arguments: {
      query: query('Plain words; nothing acts as search syntax.'),
      session_id: text('Your own when left out.'),
      seq_from: whole('Only events of this seq or later.'),
      seq_to: whole('Only events of this seq or earlier.'),
      time_from: moment('Only events at this time or later.'),
      time_to: moment('Only events at this time or earlier.'),
      event_types: eventTypes(),
      surfaces: surfaces(),
    },
    concurrency: 'exclusive',
    limitMs: host.searchTimeoutMs,
    async run(take, call) {
      const viewer = await call.viewer()
      const target = take('session_id') ?? viewer.id
      const step = ownStep(host, viewer)
      const boundary = target === viewer.id ? step.boundary : Infinity
      const sessionId = await visibleTarget(call, viewer, target)
      const asked = take('query')
      const seq = numberRange(['seq_from', 'seq_to'], take('seq_from'), take('seq_to'))
      const types = take('event_types')
      const wantedSurfaces = take('surfaces')
      if (boundary === undefined) throw refusal('SESSION_QUERY_TOOL_NO_CURRENT_STEP')
      const time = timeRange(['time_from', 'time_to'], take('time_from'), take('time_to'))

      const head = `Session ${name(sessionId)}${boundary === Infinity ? '' : ` before seq ${boundary}, where the step in progress begins`}: `
      const empty = `${head}no event found.`
      if (time === undefined) return nothingFound(call, empty, undefined, [known(noTime)])
      if ((seq.from ?? 0) >= boundary) {
        return nothingFound(call, empty, undefined, [known('The step in progress is not searched.')])
      }
      const before: EventMetadataFilter[] =
        boundary === Infinity ? [] : [{ kind: 'seq', to: boundary - 1 }]
      const narrowing: EventMetadataFilter[] = [
        ...rangeFilter('seq', seq),
        ...rangeFilter('time', time),
        ...valuesFilter('type', types),
        ...valuesFilter('surface', wantedSurfaces),
      ]
      const search = { sessionId, query: asked, filters: before }
      const narrowed = { ...search, filters: [...before, ...narrowing] }
      const hits = await searchedEvents(call, viewer, step, narrowed, host.maxSearchResults)
      if (hits.hits.length > 0) return head + hitList('event', hits, (hit) => hitLine(hit))
      const wider = narrowing.length > 0 ? [search] : []
      return nothingFound(call, empty, hits.firstPage, [
        ...wider.map((request) =>
          found('Without the filters, events match: leave some out, or check their values.', () =>
            searchedEvents(call, viewer, step, request, 1),
          ),
        ),
        found(onlyCommon, () => searchedEvents(call, viewer, step, { ...narrowed, match: 'any' }, 1)),
      ])
    },
  })
}
