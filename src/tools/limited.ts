import { abortReason, untilAborted } from '../core/abort.ts'
import type { AbortSignalLike } from '../core/corpus.ts'
import { SessionQueryError } from '../core/errors.ts'

/**
 * What `body` gives, unless the signal is aborted first.
 *
 * @param limitMs no limit when it is left out
 * @param body gets a signal that is aborted with this one and when the time is up
 * @throws the signal's own reason; what `body` throws, which has to heed its signal: the time limit ends nothing else
 */
export async function limited<Result>(
  signal: AbortSignalLike | undefined,
  limitMs: number | undefined,
  body: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const [aborted, ended] = [new AbortController(), new AbortController()]
  // One listener, since the signal may be that of many calls.
  const follow = (): void => {
    if (signal === undefined) return
    const reason = abortReason(signal)
    aborted.abort(reason)
    ended.abort(reason)
  }
  signal?.addEventListener('abort', follow, { once: true })
  const timer = limitMs === undefined ? undefined : setTimeout(() => ended.abort(timeIsUp()), limitMs)
  try {
    return await untilAborted(body(ended.signal), aborted.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', follow)
  }
}

/** Whoever is asked sees this; the model hears a sentence that nobody could change. */
export function timeIsUp(): SessionQueryError {
  return new SessionQueryError('SESSION_QUERY_TIMEOUT', 'The time for this call is up.')
}
