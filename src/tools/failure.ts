import { abortReason, throwIfAborted, untilAborted } from '../core/abort.ts'
import type { AbortSignalLike } from '../core/corpus.ts'
import { isErrorCode, SessionQueryError, type SessionQueryErrorCode } from '../core/errors.ts'

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
  message: string = messages[code],
): SessionQueryError {
  return new Refusal(code, message)
}

/**
 * The one boundary that every call of a tool passes. A caller's abort comes out as it went in, a refusal of ours as
 * it is; whatever else is thrown becomes a fixed message, by its code where it has a known one, and its detail goes to
 * the logger alone.
 */
export async function guarded<Result>(
  tool: string,
  signal: AbortSignalLike | undefined,
  logger: ToolLogger | undefined,
  body: () => Promise<Result>,
): Promise<Result> {
  throwIfAborted(signal)
  try {
    return await untilAborted(body(), signal)
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
    if (!(error instanceof Error) || error.name !== 'SessionQueryError') return undefined
    const code: unknown = (error as Partial<SessionQueryError>).code
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
const messages: Readonly<Record<SessionQueryErrorCode, string>> = {
  SESSION_QUERY_ABORTED: 'The call was aborted.',
  SESSION_QUERY_CORRUPT_SESSION:
    'What is stored of this session is damaged. session_event_read may still give its events one by one.',
  SESSION_QUERY_EVENT_NOT_FOUND:
    'This session has no event with this seq. Take the seq from a search, a trace or a read.',
  SESSION_QUERY_INDEX_FAILED:
    'The search index can be neither used nor rebuilt. Reads and traces still work.',
  SESSION_QUERY_INVALID_CONFIG:
    'The session tools are not set up rightly. Repeating the call will not help.',
  SESSION_QUERY_INVALID_CURSOR: 'The search could not be carried through. Repeat the call.',
  SESSION_QUERY_INVALID_FILTER:
    'The filters were not accepted. Send fewer values, or values of the kind that the schema names.',
  SESSION_QUERY_INVALID_LIMIT:
    'The search could not be carried through with the limits that are set for it.',
  SESSION_QUERY_INVALID_LINEAGE:
    'The ancestry of this session loops, so it cannot be traced. Its events can still be read.',
  SESSION_QUERY_INVALID_QUERY: 'The query was not accepted. Send plain words, without NUL characters.',
  SESSION_QUERY_INVALID_SURFACE:
    'The log of this session does not hold together, so its events cannot be traced. session_event_read still gives them one by one.',
  SESSION_QUERY_INVALID_WINDOW:
    'before or after is more than this corpus allows. Ask for fewer neighbours.',
  SESSION_QUERY_PERSISTENCE_FAILED:
    'The storage of past sessions cannot be read right now. Your own session can still be read.',
  SESSION_QUERY_SEARCH_DISABLED: 'Search is switched off here. Reads and traces still work.',
  SESSION_QUERY_SESSION_NOT_FOUND: 'This session is no longer there.',
  SESSION_QUERY_SOURCE_CONFLICT:
    'This session is open and stored in two versions that contradict each other. Its events can still be read one by one.',
  SESSION_QUERY_STALE_CURSOR:
    'Sessions changed again and again while they were searched. Repeat the same call.',
  SESSION_QUERY_TIMEOUT:
    'The search took longer than it may; the index may still be being built. Narrow the search, or repeat the call later.',
  SESSION_QUERY_TOOL_FAILED:
    'The tool failed for a reason of its own. It may work when it is called again.',
  SESSION_QUERY_TOOL_MISSING_AGENT: 'There is no session to call this tool from.',
  SESSION_QUERY_TOOL_NO_CURRENT_STEP:
    'Your own session can be searched only before the step in progress, and no step is in progress. Name another session_id, or read events by seq.',
  SESSION_QUERY_TOOL_UNAUTHORIZED:
    'This is not visible to you. Your own session is, and every session with the same workspace as yours.',
  SESSION_QUERY_WORKER_FAILED:
    'The session corpus has stopped. Repeating the call will not help until it is opened again.',
}
