import { abortReason, throwIfAborted } from '../core/abort.ts'
import type { AbortSignalLike } from '../core/corpus.ts'
import {
  isErrorCode,
  isSessionQueryError,
  SessionQueryError,
  type SessionQueryErrorCode,
} from '../core/errors.ts'

/** Where the details of failures go; the model gets none of them. `console` is one. */
export interface ToolLogger {
  /** @param detail what was thrown, just as it came; it may be anything */
  error(message: string, detail: unknown): void
}

/** An error that a tool raises itself: its message is made for the model. */
class Refusal extends SessionQueryError {}

/** The error for a call that cannot be answered, in words for the model. */
export function refusal(
  code: SessionQueryErrorCode,
  message: string = messages[code] ?? otherwise,
): SessionQueryError {
  return new Refusal(code, message)
}

/**
 * The one boundary that every call of a tool passes. A caller's abort comes out as it went in, a refusal of ours as
 * it is; whatever else is thrown becomes a fixed message, by its code where it has a known one, and its detail goes to
 * the logger alone.
 *
 * @throws the signal's own reason; a refusal; SessionQueryError `SESSION_QUERY_INVALID_CONFIG` where the signal is none
 */
export async function guarded<Result>(
  tool: string,
  signal: AbortSignalLike | undefined,
  logger: ToolLogger | undefined,
  body: () => Promise<Result>,
): Promise<Result> {
  throwIfAborted(signal)
  try {
    return await body()
  } catch (error) {
    if (signal?.aborted === true) throw abortReason(signal)
    if (isRefusal(error)) throw error
    const code = codeOf(error) ?? 'SESSION_QUERY_TOOL_FAILED'
    log(logger, `${tool} failed: ${code}`, error)
    throw refusal(code)
  }
}

/** The code of an error of this library; undefined for anything else, however it defends itself. */
export function codeOf(error: unknown): SessionQueryErrorCode | undefined {
  try {
    if (!isSessionQueryError(error)) return undefined
    const { code } = error
    return isErrorCode(code) ? code : undefined
  } catch {
    return undefined
  }
}

function isRefusal(error: unknown): boolean {
  try {
    return error instanceof Refusal
  } catch {
    return false
  }
}

/** A logger that fails, at once or later, changes nothing. */
export function log(logger: ToolLogger | undefined, message: string, detail: unknown): void {
  try {
    const told: unknown = logger?.error(message, detail)
    Promise.resolve(told).catch(() => undefined)
  } catch {
    // There is nobody left to tell.
  }
}

/** What a model is told of each failure, and what it may do next. */
const messages: Readonly<Partial<Record<SessionQueryErrorCode, string>>> = {
  SESSION_QUERY_CORRUPT_SESSION: 'This session is damaged. Read its events one by one.',
  SESSION_QUERY_EVENT_NOT_FOUND: 'This session has no event with this seq.',
  SESSION_QUERY_INDEX_FAILED: 'Search is out of order. Reads and traces still work.',
  SESSION_QUERY_INVALID_FILTER: 'The filters were not accepted. Send fewer or simpler ones.',
  SESSION_QUERY_INVALID_LINEAGE: 'The ancestry of this session loops. Its events can still be read.',
  SESSION_QUERY_INVALID_QUERY: 'The query was not accepted. Send plain words.',
  SESSION_QUERY_INVALID_SURFACE: 'This session is damaged. Read its events one by one.',
  SESSION_QUERY_INVALID_WINDOW: 'This corpus allows fewer neighbours than before or after asks for.',
  SESSION_QUERY_PERSISTENCE_FAILED: 'Stored sessions cannot be read right now.',
  SESSION_QUERY_SEARCH_DISABLED: 'Search is switched off. Reads and traces still work.',
  SESSION_QUERY_SESSION_NOT_FOUND: 'This session is no longer there.',
  SESSION_QUERY_SOURCE_CONFLICT: 'This session exists in two versions. Read its events one by one.',
  SESSION_QUERY_STALE_CURSOR: 'Sessions changed while they were searched. Repeat the same call.',
  SESSION_QUERY_TIMEOUT:
    'The search took too long; the index may still be being built. Narrow it, or try later.',
  SESSION_QUERY_TOOL_MISSING_AGENT: 'There is no session to call this tool from.',
  SESSION_QUERY_TOOL_NO_CURRENT_STEP:
    'No step is in progress, and your own session can be searched only before one. Read its events by seq.',
  SESSION_QUERY_TOOL_UNAUTHORIZED:
    'This is not visible to you. Your own session is, and those of the same workspace.',
  SESSION_QUERY_WORKER_FAILED: 'The corpus has stopped.',
}

const otherwise = 'The tool failed. It may work when it is called again.'
