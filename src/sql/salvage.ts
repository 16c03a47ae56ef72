import { isSessionQueryError } from '../core/errors.ts'
import type { SqlRow } from './database.ts'

/**
 * The rows with a key from `from` to `to`; when damage keeps them from being read together, those that can be
 * read one by one.
 *
 * @throws what keeps rows from being read and is no damage
 */
export function salvaged(
  from: number,
  to: number,
  together: (from: number, to: number) => readonly SqlRow[],
): readonly SqlRow[] {
  try {
    return together(from, to)
  } catch (error) {
    if (!isDamage(error)) throw error
    if (from >= to) return []
    const middle = Math.floor((from + to) / 2)
    return [...salvaged(from, middle, together), ...salvaged(middle + 1, to, together)]
  }
}

/** What is asked first that can be read. */
export function firstReadable<Value>(ask: () => Value, ...others: readonly (() => Value)[]): Value {
  try {
    return ask()
  } catch (error) {
    const [next, ...rest] = others
    if (!isDamage(error) || next === undefined) throw error
    return firstReadable(next, ...rest)
  }
}

/** What `body` reads, or undefined where damage keeps it from that. */
export function unlessDamaged<Value>(body: () => Value): Value | undefined {
  try {
    return body()
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}

/** Whether a failure is about what a part of the file holds, so that other parts may be read. */
function isDamage(error: unknown): boolean {
  return (
    isSessionQueryError(error) &&
    error.code === 'SESSION_QUERY_PERSISTENCE_FAILED' &&
    (error.reason === 'corrupt' || error.reason === 'failed')
  )
}
