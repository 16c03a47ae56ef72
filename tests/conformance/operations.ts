import type { CallOptions, SessionStore } from '../../src/core/corpus.ts'
import { resolveOptions, type OpenIndexAt, type ResolvedOptions } from '../../src/core/options.ts'
import type { SessionEvent, SessionHeader, SessionLog } from '../../src/core/session.ts'
import type { LiveEnvironment } from '../../src/live/live-sessions.ts'
import { createLogicalCorpus, type LogicalCorpus } from '../../src/live/logical-corpus.ts'
import { createSessionTools } from '../../src/tools/session-tools.ts'

/** A session as a case brings it; its log may break every rule. */
export interface CaseSession {
  readonly header: SessionHeader
  readonly events: readonly SessionEvent[]
  readonly live: boolean
  readonly persisted: boolean
}

/** What a case needs to be run. */
export interface CaseSetting {
  readonly sessions: readonly CaseSession[]
  readonly config: CaseConfig
}

interface CaseConfig {
  readonly engine?: {
    readonly snippetChars?: number
    readonly defaultLimit?: number
    readonly maxLimit?: number
    readonly readWindowMax?: number
    readonly openAt?: OpenIndexAt
  }
  readonly tool?: { readonly maxSearchResults?: number }
  /** `none`: no store is mounted. */
  readonly persistence?: 'none'
}

/** What the runner of the cases wants of a corpus. */
export interface Driver {
  call(operation: string, request: unknown, options: CallOptions): Promise<unknown>
  /** @param caller id of a live session */
  tool(name: string, args: unknown, caller: string | undefined, options: CallOptions): Promise<string>
  close(): Promise<void>
}

/** The options that a case asks for. */
export function optionsOf({ engine = {} }: CaseConfig): ResolvedOptions {
  const { snippetChars, defaultLimit, maxLimit, readWindowMax, openAt } = engine
  return resolveOptions({
    ...(snippetChars === undefined ? {} : { snippetChars }),
    ...(defaultLimit === undefined ? {} : { defaultLimit }),
    ...(maxLimit === undefined ? {} : { maxLimit }),
    ...(readWindowMax === undefined ? {} : { readWindowMax }),
    ...(openAt === undefined ? {} : { openIndexAt: openAt }),
  })
}

/** Drives a corpus over a store that holds the stored sessions of a case already. */
export function driverOver(
  store: SessionStore,
  { sessions, config }: CaseSetting,
  environment: LiveEnvironment,
): Driver {
  const mounted = config.persistence === 'none' ? undefined : store
  const logical = createLogicalCorpus({
    store: mounted,
    liveOnly: store,
    environment,
    options: optionsOf(config),
  })
  for (const { header, events, live } of sessions) if (live) logical.live.attach(header, events)
  return {
    call: async (operation, request, call) => operate(logical, store, operation, request, call),
    tool: async (name, args, caller, call) => {
      const tools = createSessionTools(logical.corpus, {
        caller: logical.live.list().find(({ id }) => id === caller),
        readWindowMax: optionsOf(config).readWindowMax,
        ...config.tool,
      })
      const tool = tools.find((one) => one.name === name)
      if (tool === undefined) throw new Error(`${name} is not one of the tools`)
      return tool.execute(args, call)
    },
    close: async () => {
      for (const { id } of logical.live.list()) logical.live.detach(id)
      await logical.corpus.close()
      await store.close()
    },
  }
}

type Change = (logical: LogicalCorpus, store: SessionStore, request: never) => unknown

const changes: Readonly<Record<string, Change>> = {
  'live.attach': ({ live }, _store, { header, events }: SessionLog) => live.attach(header, events),
  'live.append': ({ live }, _store, { sessionId, event }: { sessionId: string; event: SessionEvent }) =>
    live.get(sessionId)?.log.record(event),
  'live.detach': ({ live }, _store, { sessionId }: { sessionId: string }) => live.detach(sessionId),
  'persist.put': (_logical, store, request: SessionLog) => store.putSession(request),
  'persist.append': (_logical, store, request: { sessionId: string; events: SessionEvent[] }) =>
    store.appendEvents(request),
  'persist.delete': (_logical, store, request: { sessionId: string }) => store.deleteSession(request),
  'persistence.unmount': ({ mount }) => mount(undefined),
  'persistence.mount': ({ mount }, store) => mount(store),
}

async function operate(
  logical: LogicalCorpus,
  store: SessionStore,
  operation: string,
  request: unknown,
  options: CallOptions,
): Promise<unknown> {
  const change = changes[operation]
  if (change !== undefined) return change(logical, store, request as never)
  const method: unknown = logical.corpus[operation as keyof LogicalCorpus['corpus']]
  if (typeof method !== 'function') throw new Error(`${operation} is not part of the corpus yet`)
  const given = operation === 'filterSessions' ? { filters: request } : request
  return (method as (request: unknown, options: CallOptions) => Promise<unknown>)(given, options)
}
