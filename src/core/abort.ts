import type { AbortSignalLike } from './corpus.ts'
import { SessionQueryError } from './errors.ts'

/** What an aborted call rejects with: the signal's own reason, the very object. */
export function abortReason(signal: AbortSignalLike): unknown {
  return signal.reason ?? new SessionQueryError('SESSION_QUERY_ABORTED', 'The call was aborted.')
}

/** Ends a call whose signal is aborted. */
export function throwIfAborted(signal: AbortSignalLike | undefined): void {
  if (signal?.aborted === true) throw abortReason(signal)
}
