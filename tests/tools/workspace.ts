import { onTestFinished } from 'vitest'
import type { SessionCorpus, SessionQuery } from '../../src/core/corpus.ts'
import type { SessionEvent, SessionHeader, SessionLog } from '../../src/core/session.ts'
import type { ToolCaller } from '../../src/tools/access.ts'
import { createSessionTools, type SessionToolsOptions } from '../../src/tools/session-tools.ts'
import { openMemoryCorpus } from '../../worker/in-process.ts'
import { session, userMessage } from '../fixtures/logs.ts'

export const toolNames = [
  'session_search',
  'session_event_search',
  'session_trace',
  'session_event_trace',
  'session_event_read',
] as const

export type ToolName = (typeof toolNames)[number]

/** Calls a tool as a model does. */
export type CallTool = (name: ToolName, args?: unknown, signal?: AbortSignal) => Promise<string>

/** The workspace of the caller. */
export const cwd = '/w'

/** A session with one message, in the caller's workspace where the header says nothing else. */
export function stored(
  id: string,
  text: string,
  header: Partial<SessionHeader> = {},
  further: readonly Partial<SessionEvent>[] = [],
): SessionLog {
  return session(id, [userMessage(text), ...further], { cwd, ...header })
}

/** A caller that is in no corpus. */
export function callerOf(
  header: Partial<SessionHeader> = { cwd },
  events: readonly Partial<SessionEvent>[] = [],
): ToolCaller {
  const log = session('me', events, header)
  return { id: 'me', ...log }
}

/** A corpus in this thread that holds these sessions, until the test ends. */
export async function corpusOf(...logs: readonly SessionLog[]): Promise<SessionCorpus> {
  const corpus = await openMemoryCorpus()
  onTestFinished(() => corpus.close())
  for (const log of logs) await corpus.putSession(log)
  return corpus
}

/** The tools over a corpus, each to be called by its name. */
export function toolsOver(query: SessionQuery, options: Partial<SessionToolsOptions> = {}): CallTool {
  const tools = createSessionTools(query, { caller: callerOf(), ...options })
  return async (name, args = {}, signal) => {
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined) throw new Error(`there is no ${name}`)
    return tool.execute(args, { signal })
  }
}

/** A corpus of which some methods are others. */
export function altered(query: SessionQuery, methods: Partial<SessionQuery>): SessionQuery {
  return { ...query, ...methods }
}

/** What a call rejects with. */
export async function failureOf(call: Promise<unknown>): Promise<{ code?: string; message: string }> {
  try {
    await call
  } catch (error) {
    return error as { code?: string; message: string }
  }
  throw new Error('the call did not fail')
}
