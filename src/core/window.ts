import { quoted, SessionQueryError } from './errors.ts'
import { isObject } from './json.ts'

/** How many neighbours to read around an event. */
export interface Window {
  readonly before: number
  readonly after: number
}

/**
 * The window that a request asks for.
 *
 * @param max the most neighbours on either side
 * @throws SessionQueryError `SESSION_QUERY_INVALID_WINDOW` for anything but whole numbers from 0 to `max`
 */
export function checkedWindow(request: unknown, max: number): Window {
  const { before, after } = isObject(request) ? request : {}
  return { before: side('before', before, max), after: side('after', after, max) }
}

function side(name: string, value: unknown, max: number): number {
  if (value === undefined) return 0
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max)
    return value + 0
  throw new SessionQueryError(
    'SESSION_QUERY_INVALID_WINDOW',
    `${name} is ${quoted(value)}; it has to be a whole number from 0 to ${max}.`,
  )
}
