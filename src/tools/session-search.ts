import type { EventHit, SearchSessionsRequest, SessionHit } from '../core/corpus.ts'
import type { SessionQueryErrorCode } from '../core/errors.ts'
import type { EventMetadataFilter, SessionFilter } from '../core/filter.ts'
import { sees, type Viewer } from './access.ts'
import { choices, eventTypes, flag, moment, query, surfaces, texts, whole } from './argument-kinds.ts'
import type { Take } from './arguments.ts'
import { collectHits, type Hits } from './collect-hits.ts'
import { defineTool } from './define-tool.ts'
import { codeOf, refusal } from './failure.ts'
import { hitLine, hitList, sessionLine } from './lines.ts'
import { found, known, noTime, nothingFound, onlyCommon, type Reason } from './nothing-found.ts'
import { isInherited, ownStep, type OwnStep } from './own-session.ts'
import { parentFilter, parentsOf } from './parents.ts'
import { numberRange, rangeFilter, timeRange, valuesFilter } from './ranges.ts'
import { searchedEvents } from './searched-events.ts'
import { titlesOf } from './titles.ts'
import type { ToolCall, ToolHost } from './tool-call.ts'
import type { SessionTool } from './tool.ts'

/** Finds other sessions of the workspace by what was said in them. */
export function sessionSearch(host: ToolHost): SessionTool {
  return defineTool(host, {
    name: 'session_search',
    title: 'Search past sessions',
    description: `Finds other sessions of your workspace by what was said or done in them: decisions, errors and their fixes, what a person wanted. Ask in plain words. Gives up to ${host.maxSearchResults} sessions, best first, each with its best event and an excerpt. Next: session_event_search with session_id for more of one, session_event_read with session_id and seq for a whole event. Your own session is left out; session_event_search looks into it. Values of a list are alternatives, different arguments must all hold. Times are like 2026-03-01T10:00:00Z. Nothing found does not mean that it never happened: try other words, fewer filters.`,
    arguments: searchArguments(),
    concurrency: 'exclusive',
    limitMs: host.searchTimeoutMs,
    async run(take, call) {
      const viewer = await call.viewer()
      const { cwd } = viewer
      if (cwd === undefined) throw refusal('SESSION_QUERY_TOOL_UNAUTHORIZED', noWorkspace)
      const step = ownStep(host, viewer)
      const workspace: SessionFilter = { kind: 'cwd', values: [cwd] }
      const search = { query: take('query'), sessionFilters: [workspace] }
      const filters = filtersOf(take, viewer)
      const parents = await parentFilter(
        call,
        viewer,
        take('parent_session_ids'),
        take('include_root_sessions') === true,
      )
      const impossible = filters.impossible ?? parents.impossible
      if (impossible !== undefined) {
        return nothingFound(call, nothing, undefined, [known(impossible)])
      }

      const searched = (request: SearchSessionsRequest, most: number): Promise<Hits<SessionHit>> =>
        searchedSessions(call, viewer, step, request, most)
      const narrowing = [...filters.sessions, ...parents.filters]
      const narrowed = {
        ...search,
        sessionFilters: [workspace, ...narrowing],
        eventFilters: filters.events,
      }
      const hits = await searched(narrowed, host.maxSearchResults)
      if (hits.hits.length > 0) return rendered(call, viewer, hits)
      return nothingFound(call, nothing, hits.firstPage, [
        ...(narrowing.length + filters.events.length > 0
          ? [
              found(
                'Without the filters, other sessions match: leave some out, or check their values.',
                () => searched(search, 1),
              ),
            ]
          : []),
        found(onlyCommon, () => searched({ ...narrowed, match: 'any' }, 1)),
        // Filters on sessions are not asked of the own one.
        ...(narrowing.length === 0
          ? [heldByOwn(call, viewer, step.boundary ?? 0, search.query, filters.events)]
          : []),
      ])
    },
  })
}

const nothing = 'No session found.'

const noWorkspace =
  'Your session has no workspace, so no other is visible to you. Use session_event_search.'

function searchArguments() {
  return {
    query: query('Plain words; nothing acts as search syntax.'),
    session_ids: texts('Only these sessions.'),
    created_at_from: moment('Only sessions begun at this time or later.'),
    created_at_to: moment('Only sessions begun at this time or earlier.'),
    parent_session_ids: texts('Only sessions forked from or delegated by these.'),
    include_root_sessions: flag('Only sessions without a parent; with parent_session_ids, those too.'),
    availability: choices(['live', 'persisted'], 'Open now (live) or stored (persisted).'),
    event_seq_from: whole('Only events of this seq or later.'),
    event_seq_to: whole('Only events of this seq or earlier.'),
    event_time_from: moment('Only events at this time or later.'),
    event_time_to: moment('Only events at this time or earlier.'),
    event_types: eventTypes(),
    event_surfaces: surfaces(),
  }
}

type SearchTake = Take<ReturnType<typeof searchArguments>>

interface Filters {
  readonly sessions: readonly SessionFilter[]
  readonly events: readonly EventMetadataFilter[]
  /** Why nothing can pass; the search need not be run. */
  readonly impossible: string | undefined
}

/** The filters that stand in the arguments, parents aside. */
function filtersOf(take: SearchTake, viewer: Viewer): Filters {
  const seq = numberRange(
    ['event_seq_from', 'event_seq_to'],
    take('event_seq_from'),
    take('event_seq_to'),
  )
  const asked = take('session_ids')
  const ids = asked?.filter((id) => id !== viewer.id)
  const availability = take('availability')
  const types = take('event_types')
  const wantedSurfaces = take('event_surfaces')
  take('parent_session_ids')
  take('include_root_sessions')
  const created = timeRange(
    ['created_at_from', 'created_at_to'],
    take('created_at_from'),
    take('created_at_to'),
  )
  const time = timeRange(
    ['event_time_from', 'event_time_to'],
    take('event_time_from'),
    take('event_time_to'),
  )
  return {
    sessions: [
      ...valuesFilter('id', ids),
      ...rangeFilter('created-at', created),
      ...valuesFilter('availability', availability),
    ],
    events: [
      ...rangeFilter('seq', seq),
      ...rangeFilter('time', time),
      ...valuesFilter('type', types),
      ...valuesFilter('surface', wantedSurfaces),
    ],
    impossible:
      ids?.length === 0
        ? 'session_ids names your own session alone: use session_event_search.'
        : created === undefined || time === undefined
          ? noTime
          : undefined,
  }
}

/** Walks the pages of a search for other sessions that are visible. */
function searchedSessions(
  call: ToolCall,
  viewer: Viewer,
  step: OwnStep,
  request: SearchSessionsRequest,
  most: number,
): Promise<Hits<SessionHit>> {
  return collectHits(
    most,
    (asked) =>
      call.ask((corpus, options, timeoutMs) =>
        corpus.searchSessions({ ...request, ...asked, timeoutMs }, options),
      ),
    async (hit) => {
      const { header, bestMatch } = hit
      if (header.id === viewer.id || !sees(viewer, header)) return undefined
      if (!step.has(header, bestMatch)) return hit
      const other = await otherMatch(call, viewer, step, header.id, request)
      return other && { ...hit, bestMatch: other }
    },
  )
}

/** The best match of a fork that may be shown. A fork that is gone meanwhile has none. */
async function otherMatch(
  call: ToolCall,
  viewer: Viewer,
  step: OwnStep,
  sessionId: string,
  { query: asked, match, eventFilters }: SearchSessionsRequest,
): Promise<EventHit | undefined> {
  try {
    const request = { sessionId, query: asked, match, filters: eventFilters }
    return (await searchedEvents(call, viewer, step, request, 1)).hits[0]
  } catch (error) {
    if (lost.has(codeOf(error))) return undefined
    throw error
  }
}

/** Of a session that cannot be searched any more; the search of the others goes on. */
const lost: ReadonlySet<SessionQueryErrorCode | undefined> = new Set([
  'SESSION_QUERY_TOOL_UNAUTHORIZED',
  'SESSION_QUERY_SESSION_NOT_FOUND',
  'SESSION_QUERY_SOURCE_CONFLICT',
  'SESSION_QUERY_CORRUPT_SESSION',
])

function heldByOwn(
  call: ToolCall,
  viewer: Viewer,
  boundary: number,
  text: string,
  filters: readonly EventMetadataFilter[],
): Reason {
  return {
    text: 'Your own session holds a match: use session_event_search.',
    async holds() {
      if (boundary === 0) return false
      const before: EventMetadataFilter = { kind: 'seq', to: boundary - 1 }
      const page = await call.ask((corpus, options, timeoutMs) =>
        corpus.searchEvents(
          { sessionId: viewer.id, query: text, filters: [...filters, before], timeoutMs },
          options,
        ),
      )
      return page.session !== undefined && sees(viewer, page.session) && page.items.length > 0
    },
  }
}

async function rendered(call: ToolCall, viewer: Viewer, hits: Hits<SessionHit>): Promise<string> {
  const headers = hits.hits.map(({ header }) => header)
  const titles = await titlesOf(call, viewer, headers)
  const parents = await parentsOf(call, viewer, headers)
  return hitList('session', hits, ({ bestMatch, ...record }) => {
    const { parentSession } = record.header
    const inherited = isInherited(record.header, bestMatch.seq) ? ', inherited from its parent' : ''
    return `${sessionLine(record, titles)}, parent ${parents(parentSession)}\n   ${hitLine(bestMatch, inherited)}`
  })
}
