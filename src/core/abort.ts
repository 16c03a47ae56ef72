import type { AbortSignalLike } from './corpus.ts'
import { quoted, SessionQueryError } from './errors.ts'

/** What an aborted call rejects with: the signal's own reason, the very object. */
export function abortReason(signal: AbortSignalLike): unknown {
  return signal.reason ?? new SessionQueryError('SESSION_QUERY_ABORTED', 'The call was aborted.')
}

/** Ends a call whose signal is aborted, or none at all. */
export function throwIfAborted(signal: AbortSignalLike | undefined): void {
  if (signal === undefined) return
  const { addEventListener, removeEventListener } = (signal as Partial<AbortSignalLike> | null) ?? {}
  if (typeof addEventListener !== 'function' || typeof removeEventListener !== 'function') {
    throw new SessionQueryError(
      'SESSION_QUERY_INVALID_CONFIG',
      `signal is ${quoted(signal)}; it has to be an AbortSignal.`,
    )
  }
  if (signal.aborted) throw abortReason(signal)
}

/**
 * What the promise gives, unless the signal is aborted first.
 *
 * @param aborted called when it is
 */
export function untilAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignalLike | undefined,
  aborted: () => void = () => undefined,
): Promise<Value> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      aborted()
      reject(abortReason(signal))
    }
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
