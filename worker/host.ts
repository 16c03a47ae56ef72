import type { AbortSignalLike, CallOptions, SessionStore } from '../src/core/corpus.ts'
import { SessionQueryError } from '../src/core/errors.ts'
import {
  failureOf,
  fromJson,
  hostedMethods,
  protocol,
  toJson,
  type CorpusHost,
  type HostedMethod,
  type HostOptions,
  type IndexListener,
  type JsonText,
  type Outcome,
} from '../src/core/protocol.ts'

/**
 * What the page sees of the worker: frozen, because Comlink lets the other side write to what is
 * exposed.
 *
 * @param turn returns when the messages that have arrived by now have been read
 */
export function createHost(
  turn: () => Promise<void>,
  open: (options: HostOptions, indexChanged: IndexListener) => Promise<SessionStore>,
): Readonly<CorpusHost> {
  const running = new Map<number, AbortController>()
  let cancelled: Int32Array | undefined
  let opened: Promise<SessionStore> | undefined

  async function hosted(
    method: HostedMethod,
    callId: number,
    request: unknown,
  ): Promise<Outcome<unknown>> {
    const controller = new AbortController()
    running.set(callId, controller)
    try {
      return await outcome(async () => {
        // The abort of a call may stand right behind it in the queue; after this turn it has been read.
        await turn()
        const store = await (opened ?? Promise.reject(notOpen()))
        const call = store[method] as (request: unknown, options: CallOptions) => Promise<unknown>
        return call(carried(method, request), { signal: signalOf(callId, controller) })
      })
    } finally {
      running.delete(callId)
    }
  }

  /** Aborted by message, or by the number in shared memory while no message can be read. */
  function signalOf(callId: number, { signal }: AbortController): AbortSignalLike {
    return {
      get aborted() {
        return signal.aborted || (cancelled !== undefined && cancelledAt(cancelled, callId))
      },
      get reason(): unknown {
        return signal.reason
      },
      addEventListener: (type, listener, options) => signal.addEventListener(type, listener, options),
      removeEventListener: (type, listener) => signal.removeEventListener(type, listener),
    }
  }

  const calls = Object.fromEntries(
    hostedMethods.map((method) => [
      method,
      (callId: number, request: unknown) => hosted(method, callId, request),
    ]),
  ) as Pick<CorpusHost, HostedMethod>

  return Object.freeze({
    ...calls,
    hello: () => protocol,
    open: (options: HostOptions, indexChanged: IndexListener) =>
      outcome(async () => {
        if (options.cancelled !== undefined)
          cancelled = new Int32Array(options.cancelled as SharedArrayBuffer)
        opened ??= open(options, indexChanged)
        await opened
        return null
      }),
    cancel: (callId: number) => running.get(callId)?.abort(),
    close: () =>
      outcome(async () => {
        await (await opened)?.close()
        return null
      }),
  })
}

function cancelledAt(cancelled: Int32Array, callId: number): boolean {
  return Atomics.load(cancelled, callId % cancelled.length) === callId
}

async function outcome<Value>(body: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { ok: true, value: toJson(await body()) }
  } catch (error) {
    return { ok: false, failure: failureOf(error) }
  }
}

function carried(method: HostedMethod, request: unknown): unknown {
  return jsonMethods.has(method) ? fromJson(request as JsonText<unknown>) : request
}

/** Logs come as JSON text. */
const jsonMethods: ReadonlySet<HostedMethod> = new Set(['putSession', 'appendEvents', 'showLive'])

function notOpen(): SessionQueryError {
  return new SessionQueryError('SESSION_QUERY_WORKER_FAILED', 'The corpus is not open yet.')
}
