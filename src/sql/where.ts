import type { EventFilter, Range, SessionFilter } from '../core/filter.ts'
import { keyOf, type SqlValue } from './database.ts'

/** A condition for a WHERE clause, and what is bound to its places. */
export interface Where {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

/** Session filters on the columns of stored sessions, which are persisted and not live. */
export function sessionsWhere(filters: readonly SessionFilter[]): Where {
  const terms = new Terms([])
  for (const column of ['id', 'cwd', 'parent'] as const) terms.oneOf(column, common(filters, column))
  terms.within('created_at', overlap(filters, 'created-at'))
  const availability = common(filters, 'availability')
  if (availability !== undefined && !availability.includes('persisted')) terms.never()
  return terms.where()
}

/**
 * Event filters on the columns of stored events. Surface and text are not columns: whoever uses this has
 * to look at them.
 *
 * @param values what is bound to the places before those of this condition
 */
export function eventsWhere(filters: readonly EventFilter[], values: readonly SqlValue[]): Where {
  const terms = new Terms(values)
  terms.within('seq', overlap(filters, 'seq'))
  terms.within('time', overlap(filters, 'time'))
  terms.oneOf('type', common(filters, 'type'))
  return terms.where()
}

type ListFilter = { readonly kind: string; readonly values: readonly (string | null)[] }

/**
 * The values that all clauses of a kind have in common, so that any number of clauses is one term;
 * undefined when there is no such clause.
 */
function common(
  filters: readonly (SessionFilter | EventFilter)[],
  kind: ListFilter['kind'],
): readonly (string | null)[] | undefined {
  const [first, ...rest] = filters.filter(
    (filter): filter is Extract<SessionFilter | EventFilter, ListFilter> =>
      filter.kind === kind && 'values' in filter,
  )
  if (first === undefined) return undefined
  const sets = rest.map((filter) => new Set<string | null>(filter.values))
  return first.values.filter((value) => sets.every((set) => set.has(value)))
}

/** The range that all clauses of a kind have in common. */
function overlap(filters: readonly (SessionFilter | EventFilter)[], kind: string): Range {
  let [from, to] = [-Infinity, Infinity]
  for (const filter of filters) {
    if (filter.kind !== kind || 'values' in filter || 'text' in filter) continue
    from = Math.max(from, filter.from ?? from)
    to = Math.min(to, filter.to ?? to)
  }
  return {
    ...(from === -Infinity ? {} : { from }),
    ...(to === Infinity ? {} : { to }),
  }
}

class Terms {
  readonly #terms: string[] = []
  readonly #values: SqlValue[]

  constructor(values: readonly SqlValue[]) {
    this.#values = Array.from(values)
  }

  never(): void {
    this.#terms.push('false')
  }

  /**
   * Null among the values stands for NULL in the column. A list is bound as JSON text, as hosts limit the number of
   * bound values; and in several, as they limit the length of each.
   */
  oneOf(column: string, values: readonly (string | null)[] | undefined): void {
    if (values === undefined) return
    const keys = values.flatMap((value) => (value === null ? [] : JSON.stringify(keyOf(value))))
    const alternatives = Array.from(
      listsOf(keys),
      (list) => `${column} IN (SELECT value FROM json_each(${this.#bind(list)}))`,
    )
    if (values.includes(null)) alternatives.push(`${column} IS NULL`)
    this.#terms.push(alternatives.length === 0 ? 'false' : `(${alternatives.join(' OR ')})`)
  }

  within(column: string, { from, to }: Range): void {
    if (from !== undefined) this.#terms.push(`${column} >= ${this.#bind(from)}`)
    if (to !== undefined) this.#terms.push(`${column} <= ${this.#bind(to)}`)
  }

  where(): Where {
    return { sql: ['true', ...this.#terms].join(' AND '), values: this.#values }
  }

  #bind(value: SqlValue): string {
    this.#values.push(value)
    return `?${this.#values.length}`
  }
}

/** The longest list in UTF-16 units, though a single value may be longer. */
const longestList = 400_000

/** JSON lists of values that are JSON themselves. */
function* listsOf(values: readonly string[]): Generator<string> {
  let list: string[] = []
  let length = 0
  for (const value of values) {
    if (length + value.length > longestList && list.length > 0) {
      yield `[${list.join(',')}]`
      list = []
      length = 0
    }
    list.push(value)
    length += value.length + 1
  }
  if (list.length > 0) yield `[${list.join(',')}]`
}
