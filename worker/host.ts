import type { CallOptions, SessionStore } from '../src/core/corpus.ts'
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
  type JsonText,
  type Outcome,
} from '../src/core/protocol.ts'

/**
 * What the page sees of the worker: frozen, because Comlink lets the other side write to what is
 * exposed.
 */
export function createHost(
  open: (options: HostOptions) => Promise<SessionStore>,
): Readonly<CorpusHost> {
  const running = new Map<number, AbortController>()
  const turn = turns()
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
        return call(carried(method, request), { signal: controller.signal })
      })
    } finally {
      running.delete(callId)
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
    open: (options: HostOptions) =>
      outcome(async () => {
        opened ??= open(options)
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

/** What waits for the messages that have arrived by now to be read; calls keep their order. */
function turns(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel()
  const waiting: (() => void)[] = []
  port1.addEventListener('message', () => waiting.shift()?.())
  port1.start()
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      port2.postMessage(null)
    })
}

async function outcome<Value>(body: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { ok: true, value: toJson(await body()) }
  } catch (error) {
    return { ok: false, failure: failureOf(error) }
  }
}

function carried(method: HostedMethod, request: unknown): unknown {
  return method === 'putSession' || method === 'appendEvents'
    ? fromJson(request as JsonText<unknown>)
    : request
}

function notOpen(): SessionQueryError {
  return new SessionQueryError('SESSION_QUERY_WORKER_FAILED', 'The corpus is not open yet.')
}
