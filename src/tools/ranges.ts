import type { Range } from '../core/filter.ts'
import { refusal } from './failure.ts'
import { isAfter, type Instant } from './instant.ts'

/**
 * A range of whole numbers from two arguments; both ends count, and one that is left out is open.
 *
 * @param names of the two arguments
 * @throws SessionQueryError `SESSION_QUERY_INVALID_FILTER` when it begins behind its end
 */
export function numberRange(
  [fromName, toName]: readonly [string, string],
  from: number | undefined,
  to: number | undefined,
): Range {
  if (from !== undefined && to !== undefined && from > to) {
    throw backwards(`${fromName} is ${from}, above ${toName}, which is ${to}`)
  }
  return range(from, to)
}

/**
 * The milliseconds between two points in time, both included.
 *
 * @param names of the two arguments
 * @returns undefined where no whole millisecond lies between them
 * @throws SessionQueryError `SESSION_QUERY_INVALID_FILTER` when it begins behind its end
 */
export function timeRange(
  [fromName, toName]: readonly [string, string],
  from: Instant | undefined,
  to: Instant | undefined,
): Range | undefined {
  if (from !== undefined && to !== undefined && isAfter(from, to)) {
    throw backwards(`${fromName} is ${from.text}, after ${toName}, which is ${to.text}`)
  }
  const first = from === undefined || from.rest === '' ? from?.ms : from.ms + 1
  return first !== undefined && to !== undefined && first > to.ms ? undefined : range(first, to?.ms)
}

/** A filter by a range; none for a range that leaves nothing out. */
export function rangeFilter<Kind extends string>(
  kind: Kind,
  { from, to }: Range = {},
): ({ readonly kind: Kind } & Range)[] {
  return from === undefined && to === undefined ? [] : [{ kind, ...range(from, to) }]
}

/** A filter by values; none where no list was given. */
export function valuesFilter<Kind extends string, Value>(
  kind: Kind,
  values: readonly Value[] | undefined,
): { readonly kind: Kind; readonly values: readonly Value[] }[] {
  return values === undefined ? [] : [{ kind, values }]
}

function range(from: number | undefined, to: number | undefined): Range {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

function backwards(what: string): Error {
  return refusal('SESSION_QUERY_INVALID_FILTER', `${what}; a range begins at or before its end.`)
}
