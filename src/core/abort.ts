import type { AbortSignalLike } from './corpus.ts'
import { quoted, SessionQueryError } from './errors.ts'

/** What an aborted call rejects with: the signal's own reason, the very object. */
export function abortReason(signal: AbortSignalLike): unknown {
  return signal.reason ?? new SessionQueryError('SESSION_QUERY_ABORTED', 'The call was aborted.')
}

/** Ends a call whose signal is aborted, or none at all. */
export function throwIfAborted(signal: AbortSignalLike | undefined): void {
  if (signal === undefined) return
  if (typeof (signal as Partial<AbortSignalLike> | null)?.addEventListener !== 'function') {
    throw new SessionQueryError(
      'SESSION_QUERY_INVALID_CONFIG',
      `signal is ${quoted(signal)}; it has to be an AbortSignal.`,
    )
  }
  if (signal.aborted) throw abortReason(signal)
}
