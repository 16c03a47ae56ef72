/** Every way in which a call can fail, as a closed set that callers can switch over. */
const errorCodes = [
  'SESSION_QUERY_ABORTED',
  'SESSION_QUERY_CORRUPT_SESSION',
  'SESSION_QUERY_EVENT_NOT_FOUND',
  'SESSION_QUERY_INDEX_FAILED',
  'SESSION_QUERY_INVALID_CONFIG',
  'SESSION_QUERY_INVALID_CURSOR',
  'SESSION_QUERY_INVALID_FILTER',
  'SESSION_QUERY_INVALID_LIMIT',
  'SESSION_QUERY_INVALID_LINEAGE',
  'SESSION_QUERY_INVALID_QUERY',
  'SESSION_QUERY_INVALID_SURFACE',
  'SESSION_QUERY_INVALID_WINDOW',
  'SESSION_QUERY_PERSISTENCE_FAILED',
  'SESSION_QUERY_SEARCH_DISABLED',
  'SESSION_QUERY_SESSION_NOT_FOUND',
  'SESSION_QUERY_SOURCE_CONFLICT',
  'SESSION_QUERY_STALE_CURSOR',
  'SESSION_QUERY_TIMEOUT',
  'SESSION_QUERY_TOOL_FAILED',
  'SESSION_QUERY_TOOL_MISSING_AGENT',
  'SESSION_QUERY_TOOL_NO_CURRENT_STEP',
  'SESSION_QUERY_TOOL_UNAUTHORIZED',
  'SESSION_QUERY_WORKER_FAILED',
] as const

export type SessionQueryErrorCode = (typeof errorCodes)[number]

/**
 * Why storage failed: it cannot be had here (`unavailable`), has no room (`full`), is held by
 * another page (`busy`), is damaged (`corrupt`), or failed in some other way (`failed`).
 */
export type PersistenceReason = 'unavailable' | 'full' | 'busy' | 'corrupt' | 'failed'

export interface SessionQueryErrorOptions {
  /** Only with `SESSION_QUERY_PERSISTENCE_FAILED`. */
  readonly reason?: PersistenceReason
  /** What lay underneath, in the words of SQLite or the browser. */
  readonly cause?: unknown
}

/**
 * The one error that this library throws. `code` is for programs, `message` for people: it says
 * what was wrong with which value and what is allowed.
 */
export class SessionQueryError extends Error {
  override readonly name = 'SessionQueryError'
  readonly code: SessionQueryErrorCode
  readonly reason?: PersistenceReason

  constructor(code: SessionQueryErrorCode, message: string, options: SessionQueryErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    if (options.reason !== undefined) this.reason = options.reason
  }

  /** What of an error can be written down; its cause stays where it happened. */
  toJSON(): { code: SessionQueryErrorCode; message: string; reason?: PersistenceReason } {
    const { code, message, reason } = this
    return { code, message, ...(reason === undefined ? {} : { reason }) }
  }
}

/** Whether `value` is an error of this library, also one made by another copy of it. */
export function isSessionQueryError(value: unknown): value is SessionQueryError {
  return (
    value instanceof SessionQueryError ||
    (value instanceof Error &&
      value.name === 'SessionQueryError' &&
      'code' in value &&
      isErrorCode(value.code))
  )
}

/** Whether `value` is one of the codes. */
export function isErrorCode(value: unknown): value is SessionQueryErrorCode {
  return errorCodes.some((code) => code === value)
}

/** The error that storage gives. */
export function persistenceFailed(
  reason: PersistenceReason,
  message: string,
  cause?: unknown,
): SessionQueryError {
  return new SessionQueryError('SESSION_QUERY_PERSISTENCE_FAILED', message, {
    reason,
    ...(cause === undefined ? {} : { cause }),
  })
}

/** A value as it may stand in a message: short, on one line, its kind visible. */
export function quoted(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch {
    text = undefined
  }
  if (text === undefined) return value === undefined ? 'undefined' : 'a value that is not JSON'
  return text.length > 80 ? `${text.slice(0, 77).replace(/[\uD800-\uDBFF]$/, '')}…` : text
}
