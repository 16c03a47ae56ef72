import type { Match, Rank } from './corpus.ts'
import { quoted, SessionQueryError } from './errors.ts'
import {
  metadataFiltersIn,
  sessionFiltersIn,
  type EventMetadataFilter,
  type SessionFilter,
} from './filter.ts'
import { isObject, lossOf, withoutUndefined } from './json.ts'
import type { ResolvedOptions } from './options.ts'
import { compareCodePoints } from './order.ts'
import { eventProblem, headerProblem, type SessionEvent, type SessionLog } from './session.ts'

/** A search that was found to be in order. */
export interface SearchOrder {
  /** Trimmed, its white space collapsed. */
  readonly query: string
  readonly match: Match
  readonly rank: Rank
  readonly prefixLast: boolean
  readonly limit: number
  readonly sessionFilters: readonly SessionFilter[]
  readonly eventFilters: readonly EventMetadataFilter[]
  /** How long the search may take, in milliseconds. */
  readonly timeoutMs: number
  /** Look at live sessions alone: there is no store, or it is not to be asked. */
  readonly liveOnly: boolean
  /** Sessions that are open in the page, stored or not. */
  readonly openSessions: readonly string[]
  /** The same for every request that asks for the same. */
  readonly key: string
}

/** @throws SessionQueryError `SESSION_QUERY_SESSION_NOT_FOUND` for what cannot be a session id */
export function sessionIdOf(request: unknown): string {
  const id = isObject(request) ? request['sessionId'] : undefined
  if (typeof id === 'string') return id
  throw noSession(id)
}

/** The member of a request that asks for a search of live sessions alone; for the corpus, not for callers. */
export const liveScope = 'liveOnly'

/** The member of a request that lists the sessions that are open in the page; for the corpus as well. */
export const openScope = 'openSessions'

/** The error for an id that no session has. */
export function noSession(id: unknown): SessionQueryError {
  const hint = typeof id === 'string' ? '' : '; a session id is a string'
  return new SessionQueryError(
    'SESSION_QUERY_SESSION_NOT_FOUND',
    `There is no session ${quoted(id)} in this corpus${hint}.`,
  )
}

/** The error for a seq that a session does not have. */
export function noEvent(sessionId: string, seq: unknown, length: number): SessionQueryError {
  const range = length === 0 ? 'its log is empty' : `its events have seq 0 to ${length - 1}`
  return new SessionQueryError(
    'SESSION_QUERY_EVENT_NOT_FOUND',
    `Session ${quoted(sessionId)} has no event with seq ${quoted(seq)}; ${range}.`,
  )
}

const matches = ['auto', 'phrase', 'all', 'any'] as const
const ranks = ['relevance', 'occurrences', 'recent'] as const

function checkedQuery(query: unknown): string {
  if (typeof query !== 'string' || query.trim() === '' || query.includes('\0')) {
    throw invalidQuery(
      `The query is ${quoted(query)}; it has to be text that is not blank and holds no NUL.`,
    )
  }
  if (query.length > longestQuery) {
    throw invalidQuery(
      `The query is ${query.length} characters long; at most ${longestQuery} are allowed.`,
    )
  }
  return query.trim().replaceAll(/\s+/gu, ' ')
}

function oneOf<Name extends string>(what: string, value: unknown, names: readonly Name[]): Name {
  const found = names.find((name) => name === value)
  if (found !== undefined) return found
  throw invalidQuery(
    `${what} is ${quoted(value)}; allowed are ${names.map((name) => quoted(name)).join(', ')}.`,
  )
}

/** Nobody waits longer; only a query made to be slow on a large corpus takes that long. */
const defaultTimeoutMs = 30_000

function checkedTimeout(timeout: unknown): number {
  if (timeout === undefined) return defaultTimeoutMs
  if (typeof timeout === 'number' && timeout >= 0) return timeout
  throw new SessionQueryError(
    'SESSION_QUERY_INVALID_LIMIT',
    `timeoutMs is ${quoted(timeout)}; it has to be a number of milliseconds from 0.`,
  )
}

/** The order of filters and of their values does not count; values that are named twice do. */
function normalised(filters: readonly (SessionFilter | EventMetadataFilter)[]): string[] {
  return filters
    .map((filter) =>
      'values' in filter
        ? JSON.stringify([
            filter.kind,
            filter.values.map((value) => JSON.stringify(value)).toSorted(compareCodePoints),
          ])
        : JSON.stringify([filter.kind, filter.from ?? null, filter.to ?? null]),
    )
    .toSorted(compareCodePoints)
}

function listGiven(filters: unknown): unknown {
  return filters === undefined ? [] : filters
}

/** In UTF-16 units; more than a person types or a model asks. */
const longestQuery = 10_000

/**
 * What a search asks for, judged in this order: filters, query, limit.
 *
 * @param what is searched for; a cursor of the one search is none of the other
 * @throws SessionQueryError `SESSION_QUERY_INVALID_FILTER`, `SESSION_QUERY_INVALID_QUERY` or
 *   `SESSION_QUERY_INVALID_LIMIT`
 */
export function searchOrder(
  request: unknown,
  options: ResolvedOptions,
  what: 'sessions' | 'events',
): SearchOrder {
  const given: Partial<Record<string, unknown>> = isObject(request) ? request : {}
  const sessionFilters = sessionFiltersIn(listGiven(given['sessionFilters']))
  const eventFilters = metadataFiltersIn(
    listGiven(what === 'sessions' ? given['eventFilters'] : given['filters']),
  )
  const query = checkedQuery(given['query'])
  const match = oneOf('match', given['match'] ?? 'auto', matches)
  const rank = oneOf('rank', given['rank'] ?? 'relevance', ranks)
  const prefixLast = given['prefixLast'] ?? false
  if (typeof prefixLast !== 'boolean') {
    throw invalidQuery(`prefixLast is ${quoted(prefixLast)}; it has to be true or false.`)
  }
  const limit = checkedLimit(given['limit'], options)
  const timeoutMs = checkedTimeout(given['timeoutMs'])
  const filters = [sessionFilters, eventFilters].map(normalised)
  const sessionId = what === 'events' && given['sessionId'] !== undefined ? sessionIdOf(given) : null
  return {
    query,
    match,
    rank,
    prefixLast,
    limit,
    sessionFilters,
    eventFilters,
    timeoutMs,
    liveOnly: given[liveScope] === true,
    openSessions: (given[openScope] as readonly string[] | undefined) ?? [],
    key: JSON.stringify([what, sessionId, query, match, rank, prefixLast, limit, filters]),
  }
}

/**
 * The ids of a titles request, each once, in order of first occurrence.
 *
 * @throws SessionQueryError `SESSION_QUERY_INVALID_FILTER`
 */
export function distinctIds(request: unknown): readonly string[] {
  const ids = isObject(request) ? request['sessionIds'] : undefined
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) {
    throw new SessionQueryError(
      'SESSION_QUERY_INVALID_FILTER',
      `sessionIds is ${quoted(ids)}; it has to be a list of strings.`,
    )
  }
  return [...new Set<string>(ids)]
}

/** @throws SessionQueryError `SESSION_QUERY_CORRUPT_SESSION` */
export function checkedLog(request: unknown): SessionLog {
  const { header: given, events } = isObject(request) ? request : {}
  const header = isObject(given) ? withoutUndefined(given) : given
  const problem = headerProblem(header) ?? lossOf(header, 'header')
  if (problem !== undefined) throw corrupt(`The session cannot be stored: ${problem}.`)
  return { header: header as SessionLog['header'], events: checkedEvents({ events }) }
}

/** @throws SessionQueryError `SESSION_QUERY_CORRUPT_SESSION` */
export function checkedEvents(request: unknown): readonly SessionEvent[] {
  const events = isObject(request) ? request['events'] : undefined
  if (!Array.isArray(events)) {
    throw corrupt(`events is ${quoted(events)}; it has to be a list of events.`)
  }
  for (const [at, event] of (events as readonly unknown[]).entries()) {
    const problem = eventProblem(event) ?? lossOf(event)
    if (problem === undefined) continue
    const type =
      isObject(event) && typeof event['type'] === 'string' ? ` (${quoted(event['type'])})` : ''
    throw corrupt(`events[${at}]${type} cannot be stored: ${problem}.`)
  }
  return events as readonly SessionEvent[]
}

function checkedLimit(limit: unknown, { defaultLimit, maxLimit }: ResolvedOptions): number {
  if (limit === undefined) return defaultLimit
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= maxLimit)
    return limit
  throw new SessionQueryError(
    'SESSION_QUERY_INVALID_LIMIT',
    `limit is ${quoted(limit)}; it has to be a whole number from 1 to ${maxLimit}.`,
  )
}

function invalidQuery(message: string): SessionQueryError {
  return new SessionQueryError('SESSION_QUERY_INVALID_QUERY', message)
}

function corrupt(message: string): SessionQueryError {
  return new SessionQueryError('SESSION_QUERY_CORRUPT_SESSION', message)
}
