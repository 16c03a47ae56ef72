import type { CallOptions, SessionStore } from '../../src/core/corpus.ts'
import { resolveOptions } from '../../src/core/options.ts'
import type { SessionEvent, SessionHeader, SessionLog } from '../../src/core/session.ts'
import { createLogicalCorpus, type LogicalCorpus } from '../../src/live/logical-corpus.ts'
import { createStore } from '../../src/sql/create-store.ts'
import type { SqlDatabase } from '../../src/sql/database.ts'
import { logSchema, openSchema } from '../../src/sql/schema.ts'
import { StoredSessions } from '../../src/sql/sessions.ts'
import { processEnvironment } from '../../worker/in-process.ts'
import { loadSqlite, openMemoryDatabase } from '../../worker/sqlite.ts'

/** A session as a case brings it; its log may break every rule. */
export interface CaseSession {
  readonly header: SessionHeader
  readonly events: readonly SessionEvent[]
  readonly live: boolean
  readonly persisted: boolean
}

/** What the runner of the cases wants of a corpus. */
export interface Driver {
  call(operation: string, request: unknown, options: CallOptions): Promise<unknown>
  tool(): Promise<never>
  close(): Promise<void>
}

interface CaseConfig {
  readonly engine?: {
    readonly snippetChars?: number
    readonly defaultLimit?: number
    readonly maxLimit?: number
    readonly readWindowMax?: number
    readonly openAt?: 'startup' | 'first-search' | 'never'
  }
  /** `none`: no store is mounted. */
  readonly persistence?: 'none'
}

const sqlite = loadSqlite()

/** Opens the in-process corpus over a log database that holds the sessions just as they are given. */
export async function openDriver({
  sessions,
  config,
}: {
  readonly sessions: readonly CaseSession[]
  readonly config: CaseConfig
}): Promise<Driver> {
  const log = openMemoryDatabase(await sqlite)
  openSchema(log, logSchema)
  for (const session of sessions) if (session.persisted) storeAsItIs(log, session)
  const { snippetChars, defaultLimit, maxLimit, readWindowMax, openAt } = config.engine ?? {}
  const options = resolveOptions({
    ...(snippetChars === undefined ? {} : { snippetChars }),
    ...(defaultLimit === undefined ? {} : { defaultLimit }),
    ...(maxLimit === undefined ? {} : { maxLimit }),
    ...(readWindowMax === undefined ? {} : { readWindowMax }),
    ...(openAt === undefined ? {} : { openIndexAt: openAt }),
  })
  const loaded = await sqlite
  const openMemory = () => openMemoryDatabase(loaded)
  const index = openMemory()
  const pause = () => new Promise<void>((resume) => setTimeout(resume))
  const store = createStore({
    log,
    index,
    storage: { kind: 'memory' },
    options,
    openMemory,
    now: () => performance.now(),
    pause,
  })
  const liveOnly = createStore({
    log: openMemory(),
    index: openMemory(),
    storage: { kind: 'memory' },
    options,
    openMemory,
    now: () => performance.now(),
    pause,
  })
  const mounted = config.persistence === 'none' ? undefined : store
  const logical = createLogicalCorpus(mounted, processEnvironment, options, undefined, liveOnly)
  for (const { header, events, live } of sessions) if (live) logical.live.attach(header, events)
  return {
    call: async (operation, request, call) => operate(logical, store, operation, request, call),
    tool: async () => {
      throw new Error('the tools are not part of the package yet')
    },
    close: async () => {
      for (const { id } of logical.live.list()) logical.live.detach(id)
      await logical.corpus.close()
    },
  }
}

/** Writes a log past every check, as damage or another program could have left it. */
export function storeAsItIs(log: SqlDatabase, { header, events }: SessionLog): void {
  const stored = new StoredSessions(log)
  log.transaction(() => {
    const session = stored.add(header)
    for (const event of events) stored.insert(session, event)
    stored.setLength(session, events.length)
  })
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
