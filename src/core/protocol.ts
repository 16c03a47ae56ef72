import type { IndexStatus, SessionStore, StoragePlace, TabRole } from './corpus.ts'
import {
  isSessionQueryError,
  SessionQueryError,
  type PersistenceReason,
  type SessionQueryErrorCode,
} from './errors.ts'
import { isObject } from './json.ts'
import type { ResolvedOptions } from './options.ts'

/**
 * The stored half of a corpus as it crosses a thread. A call is its number and its request; what comes back is an
 * outcome, never an exception: thrown errors lose their code and class on the way.
 */
export type CorpusHost = {
  readonly [Method in HostedMethod]: (
    callId: number,
    request: HostedRequest<Method>,
  ) => Promise<Outcome<HostedResult<Method>>>
} & {
  /** Answers at once with the {@link protocol} that the worker speaks. */
  hello(): string
  /**
   * Opens the corpus, or waits for it behind another tab; comes first, once.
   *
   * @param tell lives in the page
   */
  open(options: HostOptions, tell: HostListener): Promise<Outcome<Opened>>
  /** Tells a call that nobody waits for it any more. */
  cancel(callId: number): void
  close(): Promise<Outcome<null>>
}

/** The calls that cross, by name. */
export const hostedMethods = [
  'listSessions',
  'filterSessions',
  'readLog',
  'readSession',
  'readSurface',
  'readTitle',
  'readTitles',
  'listEvents',
  'filterEvents',
  'readEvent',
  'traceEvent',
  'searchSessions',
  'searchEvents',
  'putSession',
  'appendEvents',
  'deleteSession',
  'showLive',
  'hideLive',
  'status',
  'beginExport',
  'copyForExport',
  'readExport',
  'beginImport',
  'writeImport',
  'mergeImport',
  'endWork',
  'clearStep',
  'compactStep',
] as const satisfies readonly (keyof SessionStore)[]

export type HostedMethod = (typeof hostedMethods)[number]

/** Logs cross as JSON text: it is exact, and it nests as deep as they do. */
export type HostedRequest<Method extends HostedMethod> = Method extends
  'putSession' | 'appendEvents' | 'showLive'
  ? JsonText<NonNullable<Parameters<SessionStore[Method]>[0]>>
  : NonNullable<Parameters<SessionStore[Method]>[0]>

export type HostedResult<Method extends HostedMethod> = Awaited<ReturnType<SessionStore[Method]>>

/** What the worker tells its page by itself. */
export type HostEvent =
  /** How the index stands when that changes, and how the building of it gets on. */
  | { readonly kind: 'index'; readonly index: IndexStatus }
  /** It has the databases open now, after another tab. */
  | { readonly kind: 'owner' }
  /** It was its turn to open the databases, and it could not; it will try again. */
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** The browser has removed the files, as when its user clears the data of a site; what is written goes nowhere. */
  | { readonly kind: 'cleared' }
  /** The engine broke down in mid-call. Nothing is answered any more: the worker has to be ended. */
  | { readonly kind: 'broken' }

export type HostListener = (event: HostEvent) => void

/** How a worker stands after it was opened. */
export interface Opened {
  /** Whether it has the databases open, or waits behind the tab that has. */
  readonly role: TabRole
  readonly storage: StoragePlace
}

/** What a worker needs to know to open a corpus. */
export interface HostOptions {
  readonly options: ResolvedOptions
  readonly name: string
  readonly storage: StorageChoice
  /** What this tab goes by. The worker holds a Web Lock of that name as long as it lives. */
  readonly tab: string
  /**
   * Where the page is cross-origin isolated: 32-bit numbers, one of which is that of a call that was cancelled,
   * at its remainder by their count; for a worker that is too busy to read messages.
   */
  readonly cancelled?: SharedMemory
}

/** A `SharedArrayBuffer`, by what is used of it. */
export interface SharedMemory {
  readonly byteLength: number
}

/** Where to keep the corpus; `auto` is OPFS where that can be had, memory elsewhere. */
export type StorageChoice = 'auto' | 'opfs' | 'memory'

/** What page and worker speak; a worker from another version of this package speaks another. */
export const protocol = 'session-query/2'

export type Outcome<Value> =
  | { readonly ok: true; readonly value: JsonText<Value> }
  | { readonly ok: false; readonly failure: Failure }

/** A `SessionQueryError` as data. */
export interface Failure {
  readonly code: SessionQueryErrorCode
  readonly message: string
  readonly reason?: PersistenceReason
  readonly cause?: { readonly name: string; readonly message: string }
}

/**
 * JSON that stands for a `Value`; undefined for undefined. Of an object its member `bytes` goes beside the text,
 * when it holds bytes: as they are, copied by structured clone.
 */
export type JsonText<Value> = {
  readonly json: string | undefined
  readonly bytes?: Uint8Array
  readonly of?: Value
}

export function toJson<Value>(value: Value): JsonText<Value> {
  if (!isObject(value) || !(value['bytes'] instanceof Uint8Array)) {
    return { json: JSON.stringify(value) }
  }
  const { bytes, ...rest } = value
  return { json: JSON.stringify(rest), bytes }
}

export function fromJson<Value>({ json, bytes }: JsonText<Value>): Value {
  const value: unknown = json === undefined ? undefined : JSON.parse(json)
  return (bytes === undefined ? value : { ...(value as object), bytes }) as Value
}

/** A request as it was before it crossed. */
export function requestOf(method: HostedMethod, request: unknown): unknown {
  return jsonMethods.has(method) ? fromJson(request as JsonText<unknown>) : request
}

/** Logs come as JSON text. */
const jsonMethods: ReadonlySet<HostedMethod> = new Set(['putSession', 'appendEvents', 'showLive'])

/** Any error as data; one that is not ours becomes a failure of the worker. */
export function failureOf(error: unknown): Failure {
  if (!isSessionQueryError(error)) {
    return {
      code: 'SESSION_QUERY_WORKER_FAILED',
      message: 'The corpus failed in a way that it does not know.',
      cause: named(error),
    }
  }
  return {
    code: error.code,
    message: error.message,
    ...(error.reason === undefined ? {} : { reason: error.reason }),
    ...(error.cause === undefined ? {} : { cause: named(error.cause) }),
  }
}

/** The error that a failure stands for. */
export function errorOf({ code, message, reason, cause }: Failure): SessionQueryError {
  return new SessionQueryError(code, message, {
    ...(reason === undefined ? {} : { reason }),
    ...(cause === undefined
      ? {}
      : { cause: Object.assign(new Error(cause.message), { name: cause.name }) }),
  })
}

function named(cause: unknown): { name: string; message: string } {
  return cause instanceof Error
    ? { name: cause.name, message: cause.message }
    : { name: 'Error', message: String(cause) }
}
