import type { EventHit, EventPage, SearchEventsRequest } from '../core/corpus.ts'
import type { EventMetadataFilter } from '../core/filter.ts'
import { checkPayload, visibleTarget, type Viewer } from './access.ts'
import { choices, query, text, texts, moment, whole } from './arguments.ts'
import { collectHits, type Hits } from './collect-hits.ts'
import { defineTool } from './define-tool.ts'
import { refusal } from './failure.ts'
import { hitLine, indexLine } from './lines.ts'
import { known, nothingFound, onlyCommon, type Reason } from './nothing-found.ts'
import { ownBoundary } from './own-session.ts'
import { numberRange, rangeFilter, timeRange, valuesFilter } from './ranges.ts'
import { count, name } from './text.ts'
import type { ToolCall, ToolHost } from './tool-call.ts'
import type { SessionTool } from './tool.ts'

/** Finds events of one session by what was said in them. */
export function sessionEventSearch(host: ToolHost): SessionTool {
  return defineTool(host, {
    name: 'session_event_search',
    title: 'Search in one session',
    description: `Finds events (messages, tool calls and results, todos, titles) in one session: yours when session_id is left out, as when earlier parts are no longer before you, or another one of your workspace, as session_search found it. Ask in plain words. Gives up to ${host.maxSearchResults} events, best first, each with an excerpt. Of your own session only what came before the step in progress is searched. Next: session_event_read with session_id and seq for the whole event and its neighbours, session_event_trace for what replaced it or what it was made from. Values in a list are alternatives, different arguments must all hold. Times are like 2026-03-01T10:00:00Z. Nothing found does not mean that it never happened: try other words or fewer filters.`,
    arguments: {
      query: query('Plain words; nothing in them acts as search syntax.'),
      session_id: text('The session to search. Your own when left out.'),
      seq_from: whole('Only events with this seq or a later one.'),
      seq_to: whole('Only events with this seq or an earlier one.'),
      time_from: moment('Only events at this time or later.'),
      time_to: moment('Only events at this time or earlier.'),
      event_types: texts(
        'Only events of these types, as user/message, assistant/message, tool/call, tool/result.',
      ),
      surfaces: choices(
        ['current', 'shadowed', 'log-only'],
        'Only events that the model saw to the end (current), that were replaced (shadowed), or that it never saw (log-only).',
      ),
    },
    concurrency: 'exclusive',
    limitMs: host.searchTimeoutMs,
    async run(take, call) {
      const viewer = await call.viewer()
      const sessionId = await visibleTarget(call, viewer, take('session_id'))
      const asked = take('query')
      const seq = numberRange(['seq_from', 'seq_to'], take('seq_from'), take('seq_to'))
      const types = take('event_types')
      const surfaces = take('surfaces')
      const boundary = sessionId === viewer.id ? ownBoundary(host, viewer) : Infinity
      if (boundary === undefined) throw refusal('SESSION_QUERY_TOOL_NO_CURRENT_STEP')
      const time = timeRange(['time_from', 'time_to'], take('time_from'), take('time_to'))

      const head = `Session ${name(sessionId)}${boundary === Infinity ? '' : ` before seq ${boundary}, where the step in progress begins`}`
      const empty = `${head}: no event found.`
      if (time === undefined) {
        return nothingFound(call, empty, undefined, [
          known('No whole millisecond lies in the range of time.'),
        ])
      }
      if ((seq.from ?? 0) >= boundary) {
        return nothingFound(call, empty, undefined, [
          known('What is asked for lies in the step in progress, which is not searched.'),
        ])
      }
      const narrowing: EventMetadataFilter[] = [
        ...rangeFilter('seq', seq),
        ...rangeFilter('time', time),
        ...valuesFilter('type', types),
        ...valuesFilter('surface', surfaces),
      ]
      const before: EventMetadataFilter[] =
        boundary === Infinity ? [] : [{ kind: 'seq', to: boundary - 1 }]
      const search = { sessionId, query: asked, filters: before }
      const narrowed = { ...search, filters: [...before, ...narrowing] }
      const { hits, capped, firstPage } = await searched(call, viewer, narrowed)
      if (hits.length === 0) {
        return nothingFound(call, empty, firstPage, [
          ...(narrowing.length > 0
            ? [matching('Without the filters, events of this session match.', call, viewer, search)]
            : []),
          matching(onlyCommon, call, viewer, { ...narrowed, match: 'any' }),
        ])
      }
      const found = capped
        ? `the best ${count(hits.length, 'event')}; more match. Narrow the search by rarer words or filters to see others.`
        : `${count(hits.length, 'event')}, best first.`
      return [
        `${head}: ${found}`,
        ...hits.map((hit, index) => `${index + 1}. ${hitLine(hit)}`),
        indexLine(firstPage.index),
      ]
        .filter((line) => line !== '')
        .join('\n')
    },
  })
}

type Request = SearchEventsRequest & { readonly sessionId: string }

/** Walks the pages of a search in one session, of which each page has to show that it is still that one. */
function searched(
  call: ToolCall,
  viewer: Viewer,
  request: Request,
  most: number = call.host.maxSearchResults,
): Promise<Hits<EventHit, EventPage>> {
  return collectHits(
    most,
    async (cursor) => {
      const page = await call.ask((corpus, options, timeoutMs) =>
        corpus.searchEvents(
          { ...request, ...(cursor === undefined ? {} : { cursor }), timeoutMs },
          options,
        ),
      )
      checkPayload(viewer, request.sessionId, page.session)
      return page
    },
    ({ sessionId }) => sessionId === request.sessionId,
  )
}

function matching(reason: string, call: ToolCall, viewer: Viewer, request: Request): Reason {
  return { text: reason, holds: async () => (await searched(call, viewer, request, 1)).hits.length > 0 }
}
