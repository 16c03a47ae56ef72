import type { SearchSessionsRequest, SessionHit } from '../core/corpus.ts'
import type { EventMetadataFilter, SessionFilter } from '../core/filter.ts'
import type { SessionHeader } from '../core/session.ts'
import { sees, visibleAmong, type Viewer } from './access.ts'
import { choices, flag, query, texts, moment, whole, type Take } from './arguments.ts'
import { collectHits, type Hits } from './collect-hits.ts'
import { defineTool } from './define-tool.ts'
import { refusal } from './failure.ts'
import { hitLine, hitList, sessionLine } from './lines.ts'
import { found, known, noTime, nothingFound, onlyCommon, type Reason } from './nothing-found.ts'
import { ownBoundary } from './own-session.ts'
import { numberRange, rangeFilter, timeRange, valuesFilter } from './ranges.ts'
import { name } from './text.ts'
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
      if (viewer.cwd === undefined) throw refusal('SESSION_QUERY_TOOL_UNAUTHORIZED')
      const search = { query: take('query'), sessionFilters: [workspace(viewer.cwd)] }
      const filters = filtersOf(take, viewer)
      const parents = await parentFilter(take, call, viewer)
      const reasons = filters.asksForOwn ? [heldByOwn(call, viewer, search.query, filters.events)] : []
      const impossible = filters.impossible ?? parents.impossible
      if (impossible !== undefined) {
        return nothingFound(call, nothing, undefined, [known(impossible), ...reasons])
      }

      const narrowing = [...filters.sessions, ...parents.filters]
      const narrowed = {
        ...search,
        sessionFilters: [...search.sessionFilters, ...narrowing],
        eventFilters: filters.events,
      }
      const hits = await searched(call, viewer, narrowed)
      if (hits.hits.length > 0) return rendered(call, viewer, hits)
      const wider = narrowing.length + filters.events.length > 0 ? [search] : []
      return nothingFound(call, nothing, hits.firstPage, [
        ...wider.map((request) =>
          found('Without the filters, other sessions of your workspace match.', () =>
            searched(call, viewer, request, 1),
          ),
        ),
        found(onlyCommon, () => searched(call, viewer, { ...narrowed, match: 'any' }, 1)),
        ...reasons,
      ])
    },
  })
}

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
    event_types: texts('As user/message, assistant/message, tool/call, tool/result.'),
    event_surfaces: choices(
      ['current', 'shadowed', 'log-only'],
      'What its model saw last (current), what was replaced in that (shadowed), what was never in it (log-only).',
    ),
  }
}

const nothing = 'No session found.'

type SearchTake = Take<ReturnType<typeof searchArguments>>

interface Filters {
  readonly sessions: readonly SessionFilter[]
  readonly events: readonly EventMetadataFilter[]
  /** Whether the caller's own session is among what is asked for. */
  readonly asksForOwn: boolean
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
  const surfaces = take('event_surfaces')
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
      ...valuesFilter('surface', surfaces),
    ],
    asksForOwn: asked === undefined || asked.includes(viewer.id),
    impossible:
      ids?.length === 0
        ? 'session_ids names your own session alone, which this tool leaves out: use session_event_search.'
        : created === undefined || time === undefined
          ? noTime
          : undefined,
  }
}

/** Lets the children of visible parents through, and sessions without a parent where they are asked for. */
async function parentFilter(
  take: SearchTake,
  call: ToolCall,
  viewer: Viewer,
): Promise<{ readonly filters: readonly SessionFilter[]; readonly impossible?: string }> {
  const asked = take('parent_session_ids')
  const roots = take('include_root_sessions') === true ? [null] : []
  if (asked === undefined)
    return { filters: valuesFilter('parent', roots.length === 0 ? undefined : roots) }
  const visible = await visibleAmong(call, viewer, asked)
  const values = [...asked.filter((id) => visible.has(id)), ...roots]
  return values.length === 0
    ? { filters: [], impossible: 'None of parent_session_ids is a session that is visible to you.' }
    : { filters: valuesFilter('parent', values) }
}

function workspace(cwd: string): SessionFilter {
  return { kind: 'cwd', values: [cwd] }
}

/** Walks the pages of a search for other sessions that are visible. */
function searched(
  call: ToolCall,
  viewer: Viewer,
  request: SearchSessionsRequest,
  most: number = call.host.maxSearchResults,
): Promise<Hits<SessionHit>> {
  return collectHits(
    most,
    (asked) =>
      call.ask((corpus, options, timeoutMs) =>
        corpus.searchSessions({ ...request, ...asked, timeoutMs }, options),
      ),
    ({ header }) => header.id !== viewer.id && sees(viewer, header),
  )
}

function heldByOwn(
  call: ToolCall,
  viewer: Viewer,
  text: string,
  filters: readonly EventMetadataFilter[],
): Reason {
  return {
    text: 'Your own session, which is left out here, holds a match: use session_event_search.',
    async holds() {
      const boundary = ownBoundary(call.host, viewer) ?? 0
      if (boundary === 0) return false
      const before: EventMetadataFilter = { kind: 'seq', to: boundary - 1 }
      const page = await call.ask((corpus, options, timeoutMs) =>
        corpus.searchEvents(
          { sessionId: viewer.id, query: text, filters: [...filters, before], timeoutMs },
          options,
        ),
      )
      return page.items.length > 0
    },
  }
}

async function rendered(call: ToolCall, viewer: Viewer, hits: Hits<SessionHit>): Promise<string> {
  const headers = hits.hits.map(({ header }) => header)
  const titles = await titlesOf(call, viewer, headers)
  const parents = await visibleParents(call, viewer, headers)
  return hitList('session', hits, ({ bestMatch, ...record }) => {
    const { parentSession } = record.header
    const parent =
      parentSession === undefined
        ? 'none'
        : parents.has(parentSession)
          ? name(parentSession)
          : 'not visible'
    return `${sessionLine(record, titles)}, parent ${parent}\n   ${hitLine(bestMatch)}`
  })
}

/** The parents of hits that may be named; none when they cannot be looked up. */
async function visibleParents(
  call: ToolCall,
  viewer: Viewer,
  headers: readonly SessionHeader[],
): Promise<ReadonlySet<string>> {
  const parents = new Set(headers.flatMap(({ parentSession }) => parentSession ?? []))
  const visible = await call.spare('The parents of sessions could not be looked up', () =>
    visibleAmong(call, viewer, [...parents]),
  )
  return visible ?? new Set()
}
