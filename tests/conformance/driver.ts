import type { CallOptions, SessionCorpus } from '../../src/core/corpus.ts'
import { resolveOptions } from '../../src/core/options.ts'
import type { SessionEvent, SessionHeader, SessionLog } from '../../src/core/session.ts'
import { createCorpus } from '../../src/sql/create-corpus.ts'
import type { SqlDatabase } from '../../src/sql/database.ts'
import { logSchema, openSchema } from '../../src/sql/schema.ts'
import { StoredSessions } from '../../src/sql/sessions.ts'
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
  }
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
  if (sessions.some((session) => session.live))
    throw new Error('live sessions are not part of the corpus yet')
  const log = openMemoryDatabase(await sqlite)
  openSchema(log, logSchema)
  for (const session of sessions) storeAsItIs(log, session)
  const { snippetChars, defaultLimit, maxLimit, readWindowMax } = config.engine ?? {}
  const corpus = createCorpus({
    log,
    index: openMemoryDatabase(await sqlite),
    storage: { kind: 'memory' },
    options: resolveOptions({
      ...(snippetChars === undefined ? {} : { snippetChars }),
      ...(defaultLimit === undefined ? {} : { defaultLimit }),
      ...(maxLimit === undefined ? {} : { maxLimit }),
      ...(readWindowMax === undefined ? {} : { readWindowMax }),
    }),
  })
  return {
    call: async (operation, request, options) => operate(corpus, operation, request, options),
    tool: async () => {
      throw new Error('the tools are not part of the package yet')
    },
    close: () => corpus.close(),
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

const changes: Readonly<Record<string, (corpus: SessionCorpus, request: never) => Promise<unknown>>> = {
  'persist.put': (corpus, request: SessionLog) => corpus.putSession(request),
  'persist.append': (corpus, request: { sessionId: string; events: SessionEvent[] }) =>
    corpus.appendEvents(request),
  'persist.delete': (corpus, request: { sessionId: string }) => corpus.deleteSession(request),
}

async function operate(
  corpus: SessionCorpus,
  operation: string,
  request: unknown,
  options: CallOptions,
): Promise<unknown> {
  const change = changes[operation]
  if (change !== undefined) return change(corpus, request as never)
  const method: unknown = corpus[operation as keyof SessionCorpus]
  if (typeof method !== 'function') throw new Error(`${operation} is not part of the corpus yet`)
  return (method as (request: unknown, options: CallOptions) => Promise<unknown>)(request, options)
}
