import type { Match } from './corpus.ts'
import { quoted, SessionQueryError } from './errors.ts'
import { isObject, lossOf, withoutUndefined } from './json.ts'
import type { ResolvedOptions } from './options.ts'
import { eventProblem, headerProblem, type SessionEvent, type SessionLog } from './session.ts'
import { queryTerms } from './words.ts'

/** A search as the engine takes it. */
export interface CheckedSearch {
  /** Empty when the query holds nothing to look for. */
  readonly terms: readonly (readonly string[])[]
  readonly match: Match
  readonly prefixLast: boolean
  readonly limit: number
}

/** @throws SessionQueryError `SESSION_QUERY_SESSION_NOT_FOUND` for what cannot be a session id */
export function sessionIdOf(request: unknown): string {
  const id = isObject(request) ? request['sessionId'] : undefined
  if (typeof id === 'string') return id
  throw noSession(id)
}

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

/** In UTF-16 units; more than a person types or a model asks. */
const longestQuery = 10_000

/**
 * @throws SessionQueryError `SESSION_QUERY_INVALID_QUERY` or `SESSION_QUERY_INVALID_LIMIT`, in this order
 */
export function checkedSearch(request: unknown, options: ResolvedOptions): CheckedSearch {
  const { query, match = 'all', prefixLast = false, limit } = isObject(request) ? request : {}
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
  if (match !== 'phrase' && match !== 'all') {
    throw invalidQuery(`match is ${quoted(match)}; allowed are "phrase" and "all".`)
  }
  if (typeof prefixLast !== 'boolean') {
    throw invalidQuery(`prefixLast is ${quoted(prefixLast)}; it has to be true or false.`)
  }
  return {
    terms: queryTerms(query),
    match,
    prefixLast,
    limit: checkedLimit(limit, options),
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
