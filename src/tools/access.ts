import type { CallOptions, SessionQuery } from '../core/corpus.ts'
import { isObject } from '../core/json.ts'
import type { SessionEvent, SessionHeader } from '../core/session.ts'
import { refusal } from './failure.ts'
import type { ToolCall } from './tool-call.ts'

/** The session on whose behalf tools are called. A session of `corpus.sessions` is one. */
export interface ToolCaller {
  readonly id: string
  readonly header: SessionHeader
  /** Every event so far, in its order; what is in them is not looked at, so that `listEvents` gives enough. */
  readonly events: readonly Pick<SessionEvent, 'type' | 'seq' | 'time'>[]
}

/** The caller, or what gives it at each call; undefined where there is none. Never what a model says. */
export type CallerSource =
  ToolCaller | undefined | (() => ToolCaller | undefined | Promise<ToolCaller | undefined>)

/** Who is asking, which decides what may be seen. */
export interface Viewer {
  readonly id: string
  /** The workspace; without one, only the own session is visible. */
  readonly cwd: string | undefined
  /** Every event of the own session so far. */
  readonly events: () => ToolCaller['events']
}

/**
 * The caller, as it is now.
 *
 * @throws SessionQueryError `SESSION_QUERY_TOOL_MISSING_AGENT` when there is none
 */
export async function viewerFrom(source: CallerSource): Promise<Viewer> {
  const caller = typeof source === 'function' ? await source() : source
  // Hosts without types may give anything.
  const { id, header }: Partial<ToolCaller> = isObject(caller) ? caller : {}
  if (caller === undefined || typeof id !== 'string' || !isObject(header) || header.id !== id) {
    throw refusal('SESSION_QUERY_TOOL_MISSING_AGENT')
  }
  const { cwd } = header
  return { id, cwd: typeof cwd === 'string' ? cwd : undefined, events: () => caller.events }
}

/** Whether a session may be seen: the own one, and those of the same workspace, to the letter. */
export function sees(viewer: Viewer, { id, cwd }: SessionHeader): boolean {
  return cwd === viewer.cwd && (cwd !== undefined || id === viewer.id)
}

/**
 * The session that a call is about, once it is known to be visible; the own one when none is named. A session that
 * is hidden and one that does not exist are refused in the same words.
 *
 * @throws SessionQueryError `SESSION_QUERY_TOOL_UNAUTHORIZED`
 */
export async function visibleTarget(
  call: ToolCall,
  viewer: Viewer,
  sessionId: string = viewer.id,
): Promise<string> {
  if (sessionId !== viewer.id) {
    const visible = await visibleAmong(call, viewer, [sessionId])
    if (!visible.has(sessionId)) throw refusal('SESSION_QUERY_TOOL_UNAUTHORIZED')
  }
  return sessionId
}

/** Which of these sessions may be seen: the own one, and of the others those that exist. */
export async function visibleAmong(
  call: ToolCall,
  viewer: Viewer,
  sessionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const others = sessionIds.filter((sessionId) => sessionId !== viewer.id)
  const visible =
    viewer.cwd === undefined || others.length === 0 ? [] : await listed(call, viewer, others)
  return new Set(others.length < sessionIds.length ? [...visible, viewer.id] : visible)
}

/** Which of these sessions the corpus has for the viewer. Of the others not even the header is asked for. */
async function listed(
  call: ToolCall,
  viewer: Viewer,
  sessionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const records = await call.ask((corpus, options) =>
    corpus.filterSessions(
      {
        filters: [
          { kind: 'id', values: sessionIds },
          { kind: 'cwd', values: [viewer.cwd ?? null] },
        ],
      },
      options,
    ),
  )
  return new Set(records.flatMap(({ header }) => (sees(viewer, header) ? [header.id] : [])))
}

/**
 * Asks about a session that was known to be visible, and looks once more: at the header that came back, or, where
 * nothing did, whether it still is. A session that was replaced meanwhile shows nothing, not even why it fails.
 *
 * @param headerOf the header in what was asked for
 * @throws SessionQueryError `SESSION_QUERY_TOOL_UNAUTHORIZED`; what the corpus throws
 */
export async function askAbout<Result>(
  call: ToolCall,
  viewer: Viewer,
  sessionId: string,
  work: (corpus: SessionQuery, options: CallOptions, remainingMs: number) => Promise<Result>,
  headerOf: (result: Result) => SessionHeader | undefined,
): Promise<Result> {
  let result: Result
  try {
    result = await call.ask(work)
  } catch (error) {
    const visible = await call.spare('Visibility', () => listed(call, viewer, [sessionId]))
    if (visible?.has(sessionId) === false) throw refusal('SESSION_QUERY_TOOL_UNAUTHORIZED')
    throw error
  }
  const header = headerOf(result)
  if (header?.id === sessionId && sees(viewer, header)) return result
  throw refusal('SESSION_QUERY_TOOL_UNAUTHORIZED')
}
