import type { AbortSignalLike, CallOptions, SessionStore } from '../src/core/corpus.ts'
import { SessionQueryError } from '../src/core/errors.ts'
import {
  failureOf,
  hostedMethods,
  protocol,
  requestOf,
  toJson,
  type CorpusHost,
  type HostedMethod,
  type HostListener,
  type HostOptions,
  type Opened,
  type Outcome,
} from '../src/core/protocol.ts'
import { isBreakdown } from './breakdown.ts'
import type { Seat } from './seat.ts'

/** The calls of one caller. */
export type HostedCalls = Pick<CorpusHost, HostedMethod | 'cancel'>

export interface HostedStore {
  /** Returns when the messages that have arrived by now have been read. */
  readonly turn: () => Promise<void>
  /** @throws SessionQueryError while there is none */
  readonly store: () => Promise<SessionStore>
  /** Told of a failure after which nothing of the engine can be trusted. */
  readonly broken: () => void
  /** Where a caller leaves the numbers of calls that it gave up. */
  readonly cancelled?: () => Int32Array | undefined
}

/**
 * What the page sees of the worker: frozen, because Comlink lets the other side write to what is
 * exposed.
 *
 * @param turn returns when the messages that have arrived by now have been read
 */
export function createHost(
  turn: () => Promise<void>,
  open: (options: HostOptions, tell: HostListener) => Promise<Seat>,
): Readonly<CorpusHost> {
  let cancelled: Int32Array | undefined
  let opened: Promise<Seat> | undefined
  let tellPage: HostListener | undefined

  return Object.freeze({
    ...hostedCalls({
      turn,
      store: async () => (await (opened ?? Promise.reject(notOpen()))).store(),
      broken: () => tellPage?.({ kind: 'broken' }),
      cancelled: () => cancelled,
    }),
    hello: () => protocol,
    open: (options: HostOptions, tell: HostListener) =>
      outcome(async (): Promise<Opened> => {
        if (options.cancelled !== undefined)
          cancelled = new Int32Array(options.cancelled as SharedArrayBuffer)
        tellPage = tell
        opened ??= open(options, tell)
        const { role, storage } = await opened
        return { role, storage }
      }),
    close: () =>
      outcome(async () => {
        await (await opened)?.close()
        return null
      }),
  })
}

/** The calls of one caller, each of which can be cancelled by its number. */
export function hostedCalls({ turn, store, broken, cancelled }: HostedStore): HostedCalls {
  const running = new Map<number, AbortController>()

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
        const target = await store()
        const call = target[method] as (request: unknown, options: CallOptions) => Promise<unknown>
        return call(requestOf(method, request), { signal: signalOf(callId, controller) })
      }, broken)
    } finally {
      running.delete(callId)
    }
  }

  /** Aborted by message, or by the number in shared memory while no message can be read. */
  function signalOf(callId: number, { signal }: AbortController): AbortSignalLike {
    return {
      get aborted() {
        const numbers = cancelled?.()
        return signal.aborted || (numbers !== undefined && cancelledAt(numbers, callId))
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
  return { ...calls, cancel: (callId: number) => running.get(callId)?.abort() }
}

function cancelledAt(cancelled: Int32Array, callId: number): boolean {
  return Atomics.load(cancelled, callId % cancelled.length) === callId
}

async function outcome<Value>(
  body: () => Promise<Value>,
  broken?: () => void,
): Promise<Outcome<Value>> {
  try {
    return { ok: true, value: toJson(await body()) }
  } catch (error) {
    if (!isBreakdown(error)) return { ok: false, failure: failureOf(error) }
    // Behind the answer: the page ends the worker when it hears of it.
    setTimeout(() => broken?.())
    return { ok: false, failure: failureOf(brokenDown(error)) }
  }
}

function notOpen(): SessionQueryError {
  return new SessionQueryError('SESSION_QUERY_WORKER_FAILED', 'The corpus is not open yet.')
}

function brokenDown(cause: unknown): SessionQueryError {
  return new SessionQueryError(
    'SESSION_QUERY_WORKER_FAILED',
    'The database engine broke down in this call and is started again; what was stored is safe.',
    { cause },
  )
}
