import { throwIfAborted, untilAborted } from '../core/abort.ts'
import type { AbortSignalLike, CallOptions, SessionQuery } from '../core/corpus.ts'
import { viewerFrom, type CallerSource, type Viewer } from './access.ts'
import { log, type ToolLogger } from './failure.ts'
import { limited, timeIsUp } from './limited.ts'

/** What the host decides, resolved. */
export interface ToolHost {
  readonly query: SessionQuery
  readonly caller: CallerSource
  readonly maxSearchResults: number
  /** In milliseconds. */
  readonly searchTimeoutMs: number
  readonly boundarySeq: number | (() => number | undefined) | undefined
  readonly readWindowMax: number
  readonly logger: ToolLogger | undefined
}

/** One call of a tool: whom it may ask, and for how long. */
export interface ToolCall {
  readonly host: ToolHost

  /** @throws SessionQueryError `SESSION_QUERY_TOOL_MISSING_AGENT` */
  viewer(): Promise<Viewer>

  /**
   * Asks the corpus, unless the call has ended; stops waiting when it ends.
   *
   * @throws what the corpus throws; the reason of an abort; `SESSION_QUERY_TIMEOUT` when the time is up
   */
  ask<Result>(
    work: (query: SessionQuery, options: CallOptions, remainingMs: number) => Promise<Result>,
  ): Promise<Result>

  /**
   * Does without something that cannot be had.
   *
   * @param what one word for the logger
   * @returns what `work` gives, or undefined when it fails; `failed` is told of it, and the logger
   * @throws the reason of the caller's abort
   */
  spare<Result>(
    what: string,
    work: () => Promise<Result>,
    failed?: (error: unknown) => void,
  ): Promise<Result | undefined>
}

/** Runs `body` as a call; see {@link limited}. */
export function calling<Result>(
  host: ToolHost,
  signal: AbortSignalLike | undefined,
  limitMs: number | undefined,
  body: (call: ToolCall) => Promise<Result>,
): Promise<Result> {
  const end = limitMs === undefined ? Infinity : performance.now() + limitMs
  return limited(signal, limitMs, (own) =>
    body({
      host,
      viewer: () => untilAborted(viewerFrom(host.caller), own),
      async ask(work) {
        throwIfAborted(own)
        // A corpus that never lets a timer have its turn still comes to an end.
        const remainingMs = timeUntil(end)
        const asked = Promise.resolve(work(host.query, { signal: own }, remainingMs))
        const result = await untilAborted(asked, own)
        throwIfAborted(own)
        timeUntil(end)
        return result
      },
      async spare(what, work, failed) {
        try {
          return await work()
        } catch (error) {
          throwIfAborted(signal)
          log(host.logger, `${what} could not be looked up`, error)
          failed?.(error)
          return undefined
        }
      },
    }),
  )
}

/** @throws SessionQueryError `SESSION_QUERY_TIMEOUT` when no time is left */
function timeUntil(end: number): number {
  const remainingMs = end - performance.now()
  if (remainingMs <= 0) throw timeIsUp()
  return remainingMs
}
