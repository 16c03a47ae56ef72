import { throwIfAborted, untilAborted } from '../core/abort.ts'
import type {
  CallOptions,
  SessionCorpus,
  SessionRecord,
  SessionStore,
  TitleResult,
} from '../core/corpus.ts'
import { isSessionQueryError, persistenceFailed, quoted, SessionQueryError } from '../core/errors.ts'
import { sessionFiltersOf, type SessionFilter } from '../core/filter.ts'
import { detached, isObject, type JsonValue } from '../core/json.ts'
import { nested, traceLineage } from '../core/lineage.ts'
import type { ResolvedOptions } from '../core/options.ts'
import {
  searchOrder,
  distinctIds,
  liveScope,
  noSession,
  openScope,
  sessionIdOf,
} from '../core/request.ts'
import { sessionReads } from '../core/session-reads.ts'
import { Changes } from './changes.ts'
import { LiveOverlay } from './live-overlay.ts'
import { LiveSessions, type LiveEnvironment } from './live-sessions.ts'
import { liveStatus } from './live-status.ts'
import { liveRecords, mergedRecords } from './merged-records.ts'
import { movingCorpus } from './moving.ts'
import { noClaims, type SessionClaims } from './session-claims.ts'

/** A corpus, and what its owner needs to steer it. */
export interface LogicalCorpus {
  readonly corpus: SessionCorpus
  readonly live: LiveSessions
  /** Lays the live sessions over this store from now on; over none when it is undefined. */
  readonly mount: (store: SessionStore | undefined) => void
}

/** What a corpus is made of. */
export interface LogicalCorpusParts {
  /** The stored half; may be missing. */
  readonly store: SessionStore | undefined
  /** Makes the store anew, where it can end by itself. */
  readonly openStore?: () => Promise<SessionStore>
  /** An empty store, to search the open sessions with while no store is mounted. */
  readonly liveOnly?: SessionStore
  readonly environment: LiveEnvironment
  /** Where other pages can reach the store, too. */
  readonly claims?: SessionClaims
  /** Asks for storage that is not cleared when room gets short. */
  readonly requestPersistence?: () => Promise<boolean>
  readonly options: ResolvedOptions
  /** Whoever made it can tell of changes, too. */
  readonly changes?: Changes
}

/**
 * One corpus of two halves: the sessions that are open in this page, over those of a store. A read of an
 * open session never asks the store.
 */
export function createLogicalCorpus({
  store: mounted,
  openStore,
  liveOnly,
  environment,
  claims = noClaims,
  requestPersistence = async () => false,
  options,
  changes = new Changes(),
}: LogicalCorpusParts): LogicalCorpus {
  let store = mounted
  let engine = mounted ?? liveOnly
  let closing: Promise<void> | undefined
  /** How each call is rejected that waits for an answer. */
  const waiting = new Set<(why: SessionQueryError) => void>()
  let reopening: Promise<void> | undefined
  const live = new LiveSessions({
    environment,
    changes,
    claims,
    writeBatchMs: options.writeBatchMs,
    store: () => store,
  })

  const overlay = new LiveOverlay(live)
  changes.subscribe(({ kind }) => {
    if (kind !== 'closed') return
    overlay.forgetClosed(() => (closing === undefined ? store : undefined)).catch(() => undefined)
  })
  if (claims !== noClaims) shareWithOthers()

  /** Within the time in which a stored session reaches them. */
  function shareWithOthers(): void {
    let due = false
    changes.subscribe(({ kind }) => {
      if (due || kind === 'index') return
      due = true
      environment.later(options.writeBatchMs, () => {
        due = false
        if (store !== undefined && closing === undefined) overlay.share(store).catch(() => undefined)
      })
    })
  }

  async function records(
    filters: readonly SessionFilter[],
    call: CallOptions | undefined,
  ): Promise<SessionRecord[]> {
    return mergedRecords(live, store, filters, await claims.openElsewhere(), call)
  }

  /** Judges first whether the call may run at all. */
  async function answer<Result>(
    call: CallOptions | undefined,
    body: () => Result | Promise<Result>,
  ): Promise<Result> {
    throwIfAborted(call?.signal)
    if (closing !== undefined) throw closed()
    const result = body()
    return result instanceof Promise ? untilClosed(result) : result
  }

  /** What a call gives, unless the corpus is closed and it still waits some time after that. */
  function untilClosed<Result>(result: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      waiting.add(reject)
      result.then(resolve, reject).finally(() => waiting.delete(reject))
    })
  }

  function endWaiting(): void {
    for (const reject of waiting) reject(closed())
    waiting.clear()
  }

  function storeFor(sessionId: string): SessionStore {
    if (store === undefined) throw noSession(sessionId)
    return store
  }

  /** A session that is open here is written by whoever holds it, and by nobody else. */
  function refuseOpen(sessionId: unknown): void {
    if (typeof sessionId !== 'string' || !live.holds(sessionId)) return
    throw new SessionQueryError(
      'SESSION_QUERY_SOURCE_CONFLICT',
      `Session ${quoted(sessionId)} is open in this page; close it first.`,
    )
  }

  /**
   * Has the store search, with everything in it that was appended here. While none is mounted, the one that
   * was last searches the open sessions alone.
   */
  async function searching<Request extends object, Result>(
    given: Request,
    call: CallOptions | undefined,
    what: 'sessions' | 'events',
    search: (engine: SessionStore, request: Request) => Promise<Result>,
  ): Promise<Result> {
    if (engine === undefined) {
      throw new SessionQueryError(
        'SESSION_QUERY_SEARCH_DISABLED',
        'There is nothing to search with: no store is mounted.',
      )
    }
    // Judged, and its filters copied, before anything is waited for.
    if (options.openIndexAt !== 'never') searchOrder(given, options, what)
    const request = withOwnFilters(given)
    const wanted = overlay.lengths()
    if (store !== undefined) await untilAborted(live.flushAll(), call?.signal)
    if (options.openIndexAt !== 'never') {
      await untilAborted(overlay.sync(engine, wanted), call?.signal)
    }
    const elsewhere = await untilAborted(claims.openElsewhere(), call?.signal)
    const open = [...live.list().map(({ id }) => id), ...elsewhere]
    return search(engine, { ...request, [openScope]: open, [liveScope]: store === undefined })
  }

  async function reopen(): Promise<void> {
    reopening ??= reopenStore().finally(() => {
      reopening = undefined
    })
    await reopening
  }

  async function reopenStore(): Promise<void> {
    if (openStore === undefined) return
    // What is left of the old one is in the way of the new one.
    await store?.close().catch(() => undefined)
    store = await openStore()
    engine = store
    live.storeAnew()
    changes.tell({ kind: 'storage' })
    await live.flushAll()
  }

  async function close(): Promise<void> {
    closing ??= (async () => {
      live.refuse(closed)
      if (waiting.size > 0) environment.later(closingPatience, endWaiting)
      // The store that it opens has to be closed, too.
      await reopening?.catch(() => undefined)
      const [failure] = await live.flushAll()
      live.endAll()
      await store?.close()
      if (failure !== undefined) throw failure
    })()
    await closing
  }

  const corpus: SessionCorpus = {
    ...sessionReads({
      find: (sessionId) => live.get(sessionId)?.log,
      readWindowMax: options.readWindowMax,
      answer,
      store: () => store,
    }),
    ...movingCorpus({
      live,
      changes,
      newId: () => environment.newId(),
      answer,
      store: () => store,
      openSessions: async () => [...live.held(), ...(await claims.openElsewhere())],
    }),
    sessions: live,
    subscribe: (listener) => changes.subscribe(listener),
    listSessions: (_request, call) => answer(call, () => records([], call)),
    filterSessions: (request, call) => answer(call, () => records(sessionFiltersOf(request), call)),
    readTitles: (request, call) =>
      answer(call, async () => {
        const ids = distinctIds(request)
        const open = new Map(ids.flatMap((id) => liveTitle(live, id)))
        const elsewhere = ids.filter((id) => !open.has(id))
        const stored = await storedTitles(store, elsewhere, call)
        return ids.map(
          (sessionId) =>
            open.get(sessionId) ??
            stored.get(sessionId) ?? { sessionId, status: 'rejected', error: noSession(sessionId) },
        )
      }),
    traceSession: (request, call) =>
      answer(call, async () => {
        const sessionId = sessionIdOf(request)
        return nested(traceLineage(await records([], call), sessionId))
      }),
    searchSessions: (request, call) =>
      answer(call, async () => {
        const { items, ...page } = await searching(request, call, 'sessions', (from, asked) =>
          from.searchSessions(asked, call),
        )
        return {
          ...page,
          items: items.map((item) => {
            const open = live.get(item.header.id)
            return open === undefined ? item : { ...item, header: detached(open.header), live: true }
          }),
        }
      }),
    searchEvents: (request, call) =>
      answer(call, () =>
        searching(request, call, 'events', (from, asked) => from.searchEvents(asked, call)),
      ),
    putSession: (request, call) =>
      answer(call, async () => {
        refuseOpen(headerIdIn(request))
        const result = await storeToWrite(store).putSession(request, call)
        const { sessionId } = result
        if (result.created) changes.tell({ kind: 'added', sessionId })
        else if (result.appended > 0) changes.tell({ kind: 'appended', sessionId })
        return result
      }),
    appendEvents: (request, call) =>
      answer(call, async () => {
        const sessionId = sessionIdOf(request)
        refuseOpen(sessionId)
        const result = await storeFor(sessionId).appendEvents(request, call)
        if (result.appended > 0) changes.tell({ kind: 'appended', sessionId })
        return result
      }),
    deleteSession: (request, call) =>
      answer(call, async () => {
        const sessionId = sessionIdOf(request)
        refuseOpen(sessionId)
        await storeFor(sessionId).deleteSession(request, call)
        changes.tell({ kind: 'removed', sessionId })
      }),
    requestPersistence: () => answer(undefined, requestPersistence),
    status: (request, call) =>
      answer(call, async () =>
        liveStatus(await store?.status(request, call), await liveRecords(live, store, call), live),
      ),
    reopen: () => answer(undefined, reopen),
    close,
    [Symbol.asyncDispose]: close,
  }

  return {
    corpus,
    live,
    mount(next) {
      store = next
      engine = next ?? engine
    },
  }
}

/** How long calls that were made before it was closed may take, in milliseconds; by then every one ends within a second. */
const closingPatience = 800

function liveTitle(live: LiveSessions, sessionId: string): [string, TitleResult][] {
  const log = live.get(sessionId)?.log
  if (log === undefined) return []
  const title = log.title === undefined ? {} : { title: detached(log.title) }
  return [[sessionId, { sessionId, status: 'fulfilled', session: detached(log.header), ...title }]]
}

/** A store that fails spoils the titles that it should have given, and no others. */
async function storedTitles(
  store: SessionStore | undefined,
  sessionIds: readonly string[],
  call: CallOptions | undefined,
): Promise<Map<string, TitleResult>> {
  if (store === undefined || sessionIds.length === 0) return new Map()
  try {
    const results = await store.readTitles({ sessionIds }, call)
    return new Map(results.map((result) => [result.sessionId, result]))
  } catch (error) {
    throwIfAborted(call?.signal)
    if (!isSessionQueryError(error)) throw error
    return new Map(sessionIds.map((sessionId) => [sessionId, { sessionId, status: 'rejected', error }]))
  }
}

function withOwnFilters<Request extends object>(request: Request): Request {
  const filters = Object.entries(request)
    .filter(([, value]) => Array.isArray(value))
    .map(([name, value]) => [name, detached(value as JsonValue)])
  return { ...request, ...Object.fromEntries(filters) }
}

function headerIdIn(request: unknown): unknown {
  const header = isObject(request) ? request['header'] : undefined
  return isObject(header) ? header['id'] : undefined
}

function storeToWrite(store: SessionStore | undefined): SessionStore {
  if (store !== undefined) return store
  throw persistenceFailed('unavailable', 'No store is mounted to write to.')
}

function closed(): SessionQueryError {
  return new SessionQueryError('SESSION_QUERY_WORKER_FAILED', 'The corpus is closed.')
}
