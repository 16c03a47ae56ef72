import type { Remote } from 'comlink'
import type { AbortSignalLike } from '../core/corpus.ts'
import type {
  CorpusHost,
  HostedMethod,
  HostedRequest,
  HostedResult,
  Outcome,
} from '../core/protocol.ts'
import type { Calls } from './calls.ts'

/** A call of a store elsewhere, with a request that can cross. */
export type HostCall = <Method extends HostedMethod>(
  method: Method,
  request: HostedRequest<Method>,
  signal: AbortSignalLike | undefined,
) => Promise<HostedResult<Method>>

/**
 * Calls of this host.
 *
 * @param cancel tells a call that nobody waits for it any more
 */
export function hostCall(
  host: Remote<Pick<CorpusHost, HostedMethod>>,
  calls: Calls,
  cancel: (callId: number) => void,
): HostCall {
  return (method, request, signal) => {
    const send = host[method] as unknown as SendTo<typeof method>
    return calls.make(signal, (callId) => send(callId, request), cancel)
  }
}

type SendTo<Method extends HostedMethod> = (
  callId: number,
  request: HostedRequest<Method>,
) => Promise<Outcome<HostedResult<Method>>>
