import { abortReason, throwIfAborted, untilAborted } from '../core/abort.ts'
import type { AbortSignalLike, CallOptions, SessionQuery } from '../core/corpus.ts'
import { viewerFrom, type CallerSource, type Viewer } from './access.ts'
import { log, refusal, type ToolLogger } from './failure.ts'

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
   * @returns what `work` gives, or undefined when it fails; `failed` is told of it, and the logger
   * @throws the reason of the caller's abort
   */
  spare<Result>(
    what: string,
    work: () => Promise<Result>,
    failed?: (error: unknown) => void,
  ): Promise<Result | undefined>
}

/**
 * Runs `body` as a call.
 *
 * @param limitMs ends it with `SESSION_QUERY_TIMEOUT`; never when it is left out
 */
export async function calling<Result>(
  host: ToolHost,
  signal: AbortSignalLike | undefined,
  limitMs: number | undefined,
  body: (call: ToolCall) => Promise<Result>,
): Promise<Result> {
  const end = limitMs === undefined ? Infinity : performance.now() + limitMs
  const own = new AbortController()
  const follow = (): void => {
    if (signal !== undefined) own.abort(abortReason(signal))
  }
  signal?.addEventListener('abort', follow, { once: true })
  const timer =
    limitMs === undefined
      ? undefined
      : setTimeout(() => own.abort(refusal('SESSION_QUERY_TIMEOUT')), limitMs)
  try {
    return await body({
      host,
      viewer: () => untilAborted(viewerFrom(host.caller), own.signal),
      async ask(work) {
        throwIfAborted(own.signal)
        const remainingMs = end - performance.now()
        // A corpus that never lets a timer have its turn still comes to an end.
        if (remainingMs <= 0) throw refusal('SESSION_QUERY_TIMEOUT')
        const asked = Promise.resolve(work(host.query, { signal: own.signal }, remainingMs))
        const result = await untilAborted(asked, own.signal)
        throwIfAborted(own.signal)
        return result
      },
      async spare(what, work, failed) {
        try {
          return await work()
        } catch (error) {
          throwIfAborted(signal)
          log(host.logger, what, error)
          failed?.(error)
          return undefined
        }
      },
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', follow)
  }
}
