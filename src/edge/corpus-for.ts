import { throwIfAborted, untilAborted } from '../core/abort.ts'
import type {
  AbortSignalLike,
  CallOptions,
  LiveOptions,
  SessionCorpus,
  Sessions,
} from '../core/corpus.ts'
import { quoted, SessionQueryError } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import { invalidConfig, optionsObject, resolveOptions, type CorpusOptions } from '../core/options.ts'
import {
  errorOf,
  fromJson,
  type HostedMethod,
  type HostedRequest,
  type HostedResult,
} from '../core/protocol.ts'
import { createLogicalCorpus } from '../live/logical-corpus.ts'
import { remoteStore } from '../live/remote-store.ts'
import { arrived, crossing, isCrossing } from './crossing.ts'
import { objectDefaults, objectEnvironment } from './open-durable-corpus.ts'
import type { HostedOutcome } from './session-corpus-object.ts'

/** What is used of the binding of a class that is {@link SessionCorpusObject} or one of its heirs. */
export interface CorpusNamespace {
  idFromName(name: string): unknown
  get(id: never): unknown
}

/**
 * The corpus of a workspace: that of the object which is named after it. Who may name the workspace may see all of it
 * and nothing else, so take the name from what the caller has proved, never from what a model says. Costs nothing
 * until it is used, and need not be closed.
 *
 * Sessions can be opened here, too, and are stored in the object. Two differences from a corpus of one's own: a session
 * has to be stored, so `persist: false` is refused, and `subscribe` tells of what is done here alone.
 *
 * @param namespace the binding, `env.…`
 * @param workspace any text that is not blank
 * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG`
 */
export function corpusFor(
  namespace: CorpusNamespace,
  workspace: string,
  options: CorpusOptions = {},
): SessionCorpus {
  const resolved = resolveOptions({ ...objectDefaults, ...optionsObject(options) })
  checkNamespace(namespace)
  if (typeof workspace !== 'string' || workspace.trim() === '') {
    throw invalidConfig(`workspace is ${quoted(workspace)}; it has to be a text that is not blank.`)
  }

  async function call<Method extends HostedMethod>(
    method: Method,
    prepare: () => HostedRequest<Method>,
    { signal }: CallOptions = {},
  ): Promise<HostedResult<Method>> {
    throwIfAborted(signal)
    const request = prepare()
    // A deletion that was carried out all the same would be told to have found nothing.
    const waits = method === 'deleteSession' ? [] : retryWaits
    const crossed = answered(waits, signal, async () => {
      // A stub is broken for good by the first call that fails, and costs nothing.
      const stub = namespace.get(namespace.idFromName(workspace) as never) as ObjectStub
      const outcome = await stub.hosted(method, isCrossing(request) ? crossing(request) : request)
      return outcome.ok ? { ok: outcome.ok, value: await arrived(outcome.value) } : outcome
    })
    const outcome = await untilAborted(crossed, signal)
    if (!outcome.ok) throw errorOf(outcome.failure)
    return fromJson(outcome.value) as HostedResult<Method>
  }

  const store = remoteStore(call, async () => undefined)
  const { corpus } = createLogicalCorpus({
    // What is open here and not stored yet is found as soon as it is.
    store: { ...store, showLive: async () => undefined, hideLive: async () => undefined },
    environment: objectEnvironment,
    requestPersistence: async () => true,
    options: resolved,
  })
  return { ...corpus, sessions: storedSessions(corpus.sessions) }
}

interface ObjectStub {
  hosted(method: HostedMethod, request: unknown): Promise<HostedOutcome>
}

/**
 * What an object answers. A call that got lost, as when the object was moved, is made again where the runtime says so:
 * reads change nothing, and what was written is recognised.
 *
 * @see https://developers.cloudflare.com/durable-objects/best-practices/error-handling/
 */
async function answered<Value>(
  [wait, ...waits]: readonly number[],
  signal: AbortSignalLike | undefined,
  call: () => Promise<Value>,
): Promise<Value> {
  try {
    return await call()
  } catch (cause) {
    if (wait !== undefined && isRetryable(cause)) {
      await later(wait)
      throwIfAborted(signal)
      return answered(waits, signal, call)
    }
    if (isObject(cause) && /not implement.*\bhosted\b/.test(String(cause['message']))) {
      throw invalidConfig(
        'namespace is the binding of another class; its class has to extend SessionCorpusObject.',
      )
    }
    throw new SessionQueryError(
      'SESSION_QUERY_WORKER_FAILED',
      'The object of this workspace did not answer; the call may be made again: what was written is recognised.',
      { cause },
    )
  }
}

/** Before each further attempt, in milliseconds. */
const retryWaits = [100, 400]

/** By the marks that the runtime puts on what a stub throws. */
function isRetryable(error: unknown): boolean {
  return isObject(error) && error['retryable'] === true && error['overloaded'] !== true
}

function later(milliseconds: number): Promise<void> {
  return new Promise((resume) => {
    setTimeout(resume, milliseconds)
  })
}

function storedSessions(sessions: Sessions): Sessions {
  return {
    create: async (header, options) => {
      refuseUnstored(options)
      return sessions.create(header, options)
    },
    fork: async (source, seq, header, options) => {
      refuseUnstored(options)
      return sessions.fork(source, seq, header, options)
    },
    resume: (sessionId) => sessions.resume(sessionId),
    list: () => sessions.list(),
  }
}

function refuseUnstored(options: LiveOptions | undefined): void {
  if (options?.persist !== false) return
  throw invalidConfig('persist is false; a session of a workspace is always stored.')
}

function checkNamespace(namespace: unknown): void {
  const { idFromName, get } = (namespace ?? {}) as Partial<CorpusNamespace>
  if (typeof idFromName === 'function' && typeof get === 'function') return
  throw invalidConfig(
    `namespace is ${quoted(namespace)}; it has to be the binding of a Durable Object class, as in env.CORPUS.`,
  )
}
