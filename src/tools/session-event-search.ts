import type { EventPage, SearchEventsRequest } from '../core/corpus.ts'
import type { EventMetadataFilter } from '../core/filter.ts'
import { askAbout, visibleTarget, type Viewer } from './access.ts'
import { choices, query, text, texts, moment, whole } from './argument-kinds.ts'
import { collectHits, type Hits } from './collect-hits.ts'
import { defineTool } from './define-tool.ts'
import { refusal } from './failure.ts'
import { hitLine, hitList } from './lines.ts'
import { found, known, noTime, nothingFound, onlyCommon } from './nothing-found.ts'
import { ownStep, type OwnStep } from './own-session.ts'
import { numberRange, rangeFilter, timeRange, valuesFilter } from './ranges.ts'
import { name } from './text.ts'
import type { ToolCall, ToolHost } from './tool-call.ts'
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
      event_types: texts('As user/message, assistant/message, tool/call, tool/result.'),
      surfaces: choices(
        ['current', 'shadowed', 'log-only'],
        'What its model saw last (current), what was replaced in that (shadowed), what was never in it (log-only).',
      ),
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
      const surfaces = take('surfaces')
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
        ...valuesFilter('surface', surfaces),
      ]
      const search = { sessionId, query: asked, filters: before }
      const narrowed = { ...search, filters: [...before, ...narrowing] }
      const hits = await searched(call, viewer, step, narrowed)
      if (hits.hits.length > 0) return head + hitList('event', hits, (hit) => hitLine(hit))
      const wider = narrowing.length > 0 ? [search] : []
      return nothingFound(call, empty, hits.firstPage, [
        ...wider.map((request) =>
          found('Without the filters, events match: leave some out, or check their values.', () =>
            searched(call, viewer, step, request, 1),
          ),
        ),
        found(onlyCommon, () => searched(call, viewer, step, { ...narrowed, match: 'any' }, 1)),
      ])
    },
  })
}

type Request = SearchEventsRequest & { readonly sessionId: string }

/** Walks the pages of a search in one session, of which each page has to show that it is still that one. */
function searched(
  call: ToolCall,
  viewer: Viewer,
  step: OwnStep,
  request: Request,
  most: number = call.host.maxSearchResults,
): Promise<Hits<EventPage['items'][number]>> {
  return collectHits(
    most,
    (asked) =>
      askAbout(
        call,
        viewer,
        request.sessionId,
        (corpus, options, timeoutMs) =>
          corpus.searchEvents({ ...request, ...asked, timeoutMs }, options),
        ({ session }) => session,
      ),
    (hit) => (hit.sessionId === request.sessionId && !step.has(hit.header, hit) ? hit : undefined),
  )
}
