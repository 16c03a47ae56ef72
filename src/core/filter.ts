import { quoted, SessionQueryError } from './errors.ts'
import { isObject } from './json.ts'
import type { SessionHeader } from './session.ts'
import type { SurfaceState } from './surface.ts'
import { textPattern } from './text-pattern.ts'

/** Includes both ends; an end that is absent is open. */
export interface Range {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Where a session exists. */
export type Availability = 'live' | 'persisted'

/** A condition on sessions. Null stands for none: no workspace, no parent. */
export type SessionFilter =
  | { readonly kind: 'id'; readonly values: readonly string[] }
  | { readonly kind: 'cwd' | 'parent'; readonly values: readonly (string | null)[] }
  | { readonly kind: 'availability'; readonly values: readonly Availability[] }
  | ({ readonly kind: 'created-at' } & Range)

/** A condition on events, text aside. */
export type EventMetadataFilter =
  | ({ readonly kind: 'seq' | 'time' } & Range)
  | { readonly kind: 'type'; readonly values: readonly string[] }
  | { readonly kind: 'surface'; readonly values: readonly SurfaceState[] }

/**
 * A literal scan over searchable text: case does not count, by Unicode simple folding, any run of white
 * space matches any other, and white space around the text does not count.
 */
export interface TextFilter {
  readonly kind: 'text'
  readonly text: string
}

/** A condition on events. */
export type EventFilter = EventMetadataFilter | TextFilter

/** What a session filter looks at. */
export interface FilteredSession {
  readonly header: SessionHeader
  readonly live: boolean
  readonly persisted: boolean
}

/** What an event filter looks at. */
export interface FilteredEvent {
  readonly seq: number
  readonly time: number
  readonly type: string
  readonly surface: SurfaceState
  readonly text: string
}

/** The most values in the filters of one call. */
const maxFilterValues = 32_000

/**
 * A copy of session filters, known to be ones.
 *
 * @throws SessionQueryError `SESSION_QUERY_INVALID_FILTER`, naming the clause and the value
 */
export function sessionFiltersIn(filters: unknown): readonly SessionFilter[] {
  return checkedFilters(filters, sessionKinds) as readonly SessionFilter[]
}

/**
 * A copy of event filters that look at metadata alone, known to be ones.
 *
 * @throws SessionQueryError `SESSION_QUERY_INVALID_FILTER`, naming the clause and the value
 */
export function metadataFiltersIn(filters: unknown): readonly EventMetadataFilter[] {
  return checkedFilters(filters, metadataKinds) as readonly EventMetadataFilter[]
}

/**
 * The session filters of a request.
 *
 * @throws SessionQueryError `SESSION_QUERY_INVALID_FILTER`
 */
export function sessionFiltersOf(request: unknown): readonly SessionFilter[] {
  return sessionFiltersIn(filtersOf(request))
}

/**
 * The event filters of a request.
 *
 * @throws SessionQueryError `SESSION_QUERY_INVALID_FILTER`
 */
export function eventFiltersOf(request: unknown): readonly EventFilter[] {
  const kinds = { ...metadataKinds, text: checkedText }
  return checkedFilters(filtersOf(request), kinds) as readonly EventFilter[]
}

/** Whether a session passes all filters. */
export function sessionPredicate(
  filters: readonly SessionFilter[],
): (session: FilteredSession) => boolean {
  return all(filters.map(sessionClause))
}

/** Whether an event passes all filters. */
export function eventPredicate(filters: readonly EventFilter[]): (event: FilteredEvent) => boolean {
  return all(filters.map(eventClause))
}

function sessionClause(filter: SessionFilter): (session: FilteredSession) => boolean {
  switch (filter.kind) {
    case 'id':
      return oneOf(filter.values, ({ header }) => header.id)
    case 'cwd':
      return oneOf(filter.values, ({ header }) => header.cwd ?? null)
    case 'parent':
      return oneOf(filter.values, ({ header }) => header.parentSession ?? null)
    case 'availability':
      return (session) => filter.values.some((value) => session[value])
    case 'created-at':
      return ({ header }) => within(filter, header.createdAt)
    default:
      return filter satisfies never
  }
}

function eventClause(filter: EventFilter): (event: FilteredEvent) => boolean {
  switch (filter.kind) {
    case 'seq':
      return ({ seq }) => within(filter, seq)
    case 'time':
      return ({ time }) => within(filter, time)
    case 'type':
      return oneOf(filter.values, ({ type }) => type)
    case 'surface':
      return oneOf(filter.values, ({ surface }) => surface)
    case 'text': {
      const pattern = textPattern(filter.text)
      return ({ text }) => pattern.test(text)
    }
    default:
      return filter satisfies never
  }
}

function all<Item>(clauses: readonly ((item: Item) => boolean)[]): (item: Item) => boolean {
  return (item) => clauses.every((clause) => clause(item))
}

function oneOf<Item, Value>(
  values: readonly Value[],
  of: (item: Item) => Value,
): (item: Item) => boolean {
  const set = new Set(values)
  return (item) => set.has(of(item))
}

function within({ from = -Infinity, to = Infinity }: Range, value: number): boolean {
  return value >= from && value <= to
}

type Check = (clause: Clause, at: string) => object

interface Clause {
  readonly kind?: unknown
  readonly values?: unknown
  readonly from?: unknown
  readonly to?: unknown
  readonly text?: unknown
}

const isText = (value: unknown): boolean => typeof value === 'string'

const sessionKinds: Readonly<Record<string, Check>> = {
  id: listOf('strings', isText),
  cwd: listOf('strings and null', (value) => value === null || isText(value)),
  parent: listOf('strings and null', (value) => value === null || isText(value)),
  availability: oneOfThese('live', 'persisted'),
  'created-at': checkedRange,
}

const metadataKinds: Readonly<Record<string, Check>> = {
  seq: checkedRange,
  time: checkedRange,
  type: listOf('strings', isText),
  surface: oneOfThese('current', 'shadowed', 'log-only'),
}

function filtersOf(request: unknown): unknown {
  return isObject(request) ? request['filters'] : undefined
}

function checkedFilters(filters: unknown, kinds: Readonly<Record<string, Check>>): readonly object[] {
  if (!Array.isArray(filters)) throw invalid(`filters is ${quoted(filters)}; it has to be a list`)
  let count = 0
  return (filters as readonly unknown[]).map((clause, index) => {
    const at = `filters[${index}]`
    if (!isObject(clause))
      throw invalid(`${at} is ${quoted(clause)}; a filter is an object with a kind`)
    const { kind } = clause
    const check = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
    if (check === undefined) {
      throw invalid(`${at}.kind is ${quoted(kind)}; allowed here are ${Object.keys(kinds).join(', ')}`)
    }
    const copy = check(clause, at)
    count += 'values' in copy && Array.isArray(copy.values) ? copy.values.length : 0
    if (count > maxFilterValues) {
      throw invalid(
        `the filters have more than ${maxFilterValues} values, which is the most in one call`,
      )
    }
    return { kind, ...copy }
  })
}

function listOf(what: string, allowed: (value: unknown) => boolean): Check {
  return (clause, at) => {
    if (!Array.isArray(clause.values)) {
      throw invalid(`${at}.values is ${quoted(clause.values)}; it has to be a list of ${what}`)
    }
    const copy: readonly unknown[] = Array.from(clause.values as readonly unknown[])
    const wrong = copy.findIndex((value) => !allowed(value))
    if (wrong === -1) return { values: copy }
    throw invalid(`${at}.values[${wrong}] is ${quoted(copy[wrong])}; allowed are ${what}`)
  }
}

function oneOfThese(...names: readonly string[]): Check {
  return listOf(names.map((name) => quoted(name)).join(', '), (value) =>
    names.includes(value as string),
  )
}

function checkedRange({ from, to }: Clause, at: string): Range {
  return {
    ...bound('from', from, at),
    ...bound('to', to, at),
    ...(typeof from === 'number' && typeof to === 'number' && from > to ? inverted(from, to, at) : {}),
  }
}

function bound(name: 'from' | 'to', value: unknown, at: string): Range {
  if (value === undefined) return {}
  if (typeof value === 'number' && Number.isFinite(value)) return { [name]: value }
  throw invalid(`${at}.${name} is ${quoted(value)}; it has to be a finite number or absent`)
}

function inverted(from: number, to: number, at: string): never {
  throw invalid(`${at}.from is ${from}, above ${at}.to, which is ${to}`)
}

function checkedText({ text }: Clause, at: string): { text: string } {
  if (typeof text === 'string' && text.trim() !== '') return { text }
  throw invalid(`${at}.text is ${quoted(text)}; it has to be text that is not blank`)
}

function invalid(why: string): SessionQueryError {
  return new SessionQueryError('SESSION_QUERY_INVALID_FILTER', `The filter cannot be used: ${why}.`)
}
