import { quoted } from './errors.ts'
import { isIndex, isObject, type JsonObject, type JsonValue } from './json.ts'

/**
 * The immutable head of a session. Fields that are not named here are kept and come back as they
 * went in.
 */
export interface SessionHeader {
  /** Version of the log format; 0 today. */
  readonly version: number
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** The workspace; compared exactly, never normalised. */
  readonly cwd?: string
  /** Id of the session that this one was forked from or delegated by. */
  readonly parentSession?: string
  /** How many leading events came with the fork. */
  readonly seedLength?: number
  readonly origin?: string
  /** 0 when absent. */
  readonly delegationDepth?: number
  readonly agentPreset?: string
  readonly [field: string]: JsonValue | undefined
}

/** How an event changes what the model sees: it joins the end, or stands in for a range of nodes. */
export type SurfaceOp =
  'append' | { readonly op: 'replace'; readonly start: number; readonly end: number }

/** One entry of a session's log. */
export interface SessionEvent {
  /** An open vocabulary; the first-party types are in {@link EventData}. */
  readonly type: string
  /** Place in the log, from 0, without gaps. */
  readonly seq: number
  /** Milliseconds since the epoch; may go backwards from one event to the next. */
  readonly time: number
  readonly data: JsonValue
  /** A reader that does not know the type may skip the event. */
  readonly ignorable?: true
  /** On the three surface types alone, and there always. */
  readonly surfaceOp?: SurfaceOp
  /** Earlier events that this one was made from. */
  readonly sourceEventSeqs?: readonly number[]
}

/** A header with its whole log. */
export interface SessionLog {
  readonly header: SessionHeader
  readonly events: readonly SessionEvent[]
}

export type TextBlock = {
  readonly type: 'text'
  readonly text: string
}

export type ReasoningBlock = {
  readonly type: 'reasoning'
  readonly text: string
}

export type ImageBlock = {
  readonly type: 'image'
  readonly [field: string]: JsonValue
}

export type ToolCallBlock = {
  readonly type: 'tool-call'
  readonly id: string
  readonly name: string
  /** As the model wrote them; not necessarily JSON. */
  readonly arguments: string
}

export type ToolResultBlock = {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly content: readonly Block[]
  readonly isError?: boolean
}

/** A part of a message. Blocks of other types are kept, and give no text. */
export type Block = TextBlock | ReasoningBlock | ImageBlock | ToolCallBlock | ToolResultBlock

export type TurnEndReason =
  | { readonly kind: 'completed' | 'aborted' | 'blocked' | 'max-tokens' | 'interrupted' }
  | { readonly kind: 'error'; readonly error: { readonly message: string; readonly code: string } }

type Turn = {
  readonly turn: number
}

type Step = Turn & { readonly step: number }

/** What the first-party event types carry in `data`. */
export type EventData = {
  readonly 'user/message': {
    readonly id: string
    readonly role: 'user'
    readonly content: readonly Block[]
    readonly source: JsonObject & { readonly kind: string }
  }
  readonly 'assistant/message': Step & {
    readonly message: {
      readonly id: string
      readonly role: 'assistant'
      readonly content: readonly Block[]
      readonly source?: JsonObject
    }
    readonly usage?: JsonObject
    readonly interrupted?: boolean
  }
  readonly 'tool/call': Step & {
    readonly callId: string
    readonly name: string
    readonly arguments: string
  }
  readonly 'tool/result': Step & {
    readonly message: {
      readonly role: 'user'
      readonly content: readonly [ToolResultBlock]
      readonly [field: string]: JsonValue | undefined
    }
    readonly error?: { readonly name: string; readonly code: string }
    readonly meta?: JsonValue
  }
  readonly 'assistant/chunk': Step & { readonly chunk: JsonObject }
  readonly 'turn/start': Turn
  readonly 'turn/end': Turn & { readonly reason: TurnEndReason }
  readonly 'step/start': Step
  readonly 'step/end': Step
  readonly 'todo/write': {
    readonly todos: readonly { readonly content: string; readonly status: string }[]
  }
  readonly 'session/title': {
    readonly title: string
    readonly messageSeqs: readonly number[]
    readonly source: JsonObject & { readonly kind: 'fallback' | 'provider' | 'user' }
  }
}

/** What an event of a type carries: for a first-party type that, for others any lossless JSON. */
export type EventDataOf<Type extends string> = Type extends keyof EventData
  ? EventData[Type]
  : JsonValue | object

/** The event types that make up what the model sees. */
export const surfaceTypes: ReadonlySet<string> = new Set([
  'user/message',
  'assistant/message',
  'tool/result',
])

/**
 * Says what keeps `value` from being a session header.
 *
 * @returns a sentence that names the field, or undefined when it is one
 */
export function headerProblem(value: unknown): string | undefined {
  if (!isObject(value)) return `a session header is an object, not ${quoted(value)}`
  if (value['version'] !== 0) {
    return `the header's version is ${quoted(value['version'])}; version 0 is known`
  }
  if (typeof value['id'] !== 'string' || value['id'] === '') {
    return `the header's id is ${quoted(value['id'])}; it has to be a string that is not empty`
  }
  if (!isIndex(value['createdAt'])) {
    return `the header's createdAt is ${quoted(value['createdAt'])}; it has to be a time in milliseconds since the epoch`
  }
  for (const field of ['cwd', 'parentSession', 'origin', 'agentPreset']) {
    if (value[field] !== undefined && typeof value[field] !== 'string') {
      return `the header's ${field} is ${quoted(value[field])}; it has to be a string or absent`
    }
  }
  for (const field of ['seedLength', 'delegationDepth']) {
    if (value[field] !== undefined && !isIndex(value[field])) {
      return `the header's ${field} is ${quoted(value[field])}; it has to be a whole number from 0 or absent`
    }
  }
  return undefined
}

/**
 * Says what keeps `value` from being an event, its payload and its place on the surface aside.
 *
 * @returns a sentence that names the field, or undefined when it is one
 */
export function eventProblem(value: unknown): string | undefined {
  if (!isObject(value)) return `an event is an object, not ${quoted(value)}`
  if (typeof value['type'] !== 'string' || value['type'] === '') {
    return `the event's type is ${quoted(value['type'])}; it has to be a string that is not empty`
  }
  if (!isIndex(value['seq'])) {
    return `the event's seq is ${quoted(value['seq'])}; it has to be a whole number from 0`
  }
  if (typeof value['time'] !== 'number' || !Number.isFinite(value['time'])) {
    return `the event's time is ${quoted(value['time'])}; it has to be a time in milliseconds since the epoch`
  }
  if (!('data' in value)) return 'the event has no data'
  return undefined
}
