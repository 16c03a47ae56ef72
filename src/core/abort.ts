import type { AbortSignalLike } from './corpus.ts'
import { quoted, SessionQueryError } from './errors.ts'

/** What an aborted call rejects with: the signal's own reason, the very object, or `SESSION_QUERY_ABORTED` where it has none. */
export function abortReason(signal: AbortSignalLike): unknown {
  return signal.reason ?? new SessionQueryError('SESSION_QUERY_ABORTED', 'The call was aborted.')
}

/**
 * Throws where the signal is aborted, or is no signal.
 *
 * @throws the signal's own reason; SessionQueryError `SESSION_QUERY_INVALID_CONFIG`
 */
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
 * What the promise gives, unless the signal is aborted first. It takes as many turns with a signal as without, so that
 * calls keep their order.
 *
 * @param aborted called when it is
 * @throws what the promise rejects with; the signal's own reason
 */
export function untilAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignalLike | undefined,
  aborted: () => void = () => undefined,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const settled = promise.then(resolve, reject)
    if (signal === undefined) return
    const abort = (): void => {
      aborted()
      reject(abortReason(signal))
    }
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    void settled.finally(() => signal.removeEventListener('abort', abort))
  })
}
