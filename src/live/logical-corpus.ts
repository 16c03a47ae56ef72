import { throwIfAborted } from '../core/abort.ts'
import type { CallOptions, SessionCorpus, SessionStore } from '../core/corpus.ts'
import { persistenceFailed, quoted, SessionQueryError } from '../core/errors.ts'
import { sessionFiltersOf } from '../core/filter.ts'
import { detached, isObject } from '../core/json.ts'
import { conflicting, nested, traceLineage } from '../core/lineage.ts'
import type { ResolvedOptions } from '../core/options.ts'
import { distinctIds, noSession, sessionIdOf } from '../core/request.ts'
import { Changes } from './changes.ts'
import { LiveSessions, type LiveEnvironment } from './live-sessions.ts'
import { liveStatus } from './live-status.ts'
import { liveRecords, mergedRecords } from './merged-records.ts'
import { sessionReads } from './session-reads.ts'

/** A corpus, and what its owner needs to steer it. */
export interface LogicalCorpus {
  readonly corpus: SessionCorpus
  readonly live: LiveSessions
  /** Lays the live sessions over this store from now on; over none when it is undefined. */
  readonly mount: (store: SessionStore | undefined) => void
}

/**
 * One corpus of two halves: the sessions that are open in this page, over those of a store. A read of an
 * open session never asks the store.
 *
 * @param openStore makes the store anew, where it can end by itself
 */
export function createLogicalCorpus(
  mounted: SessionStore | undefined,
  environment: LiveEnvironment,
  options: ResolvedOptions,
  openStore?: () => Promise<SessionStore>,
): LogicalCorpus {
  const changes = new Changes()
  let store = mounted
  let closing: Promise<void> | undefined
  const live = new LiveSessions({
    environment,
    changes,
    writeBatchMs: options.writeBatchMs,
    store: () => store,
  })

  /** Judges first whether the call may run at all. */
  async function answer<Result>(
    call: CallOptions | undefined,
    body: () => Result | Promise<Result>,
  ): Promise<Result> {
    throwIfAborted(call?.signal)
    if (closing !== undefined) throw closed()
    return body()
  }

  function storeFor(sessionId: string): SessionStore {
    if (store === undefined) throw noSession(sessionId)
    return store
  }

  /** A session that is open here is written by whoever holds it, and by nobody else. */
  function refuseOpen(sessionId: unknown): void {
    if (typeof sessionId !== 'string' || !live.get(sessionId)) return
    throw new SessionQueryError(
      'SESSION_QUERY_SOURCE_CONFLICT',
      `Session ${quoted(sessionId)} is open in this page; close it first.`,
    )
  }

  /** The store, with everything in it that was appended here. */
  async function searched(): Promise<SessionStore> {
    if (store === undefined) {
      throw new SessionQueryError(
        'SESSION_QUERY_SEARCH_DISABLED',
        'There is nothing to search: no store is mounted, and the index is kept in one.',
      )
    }
    await live.flushAll()
    return store
  }

  async function reopen(): Promise<void> {
    if (openStore === undefined) return
    // What is left of the old one is in the way of the new one.
    await store?.close().catch(() => undefined)
    store = await openStore()
    changes.tell({ kind: 'storage' })
    await live.flushAll()
  }

  async function close(): Promise<void> {
    closing ??= (async () => {
      const [failure] = await live.flushAll()
      await store?.close()
      if (failure !== undefined) throw failure
    })()
    await closing
  }

  const corpus: SessionCorpus = {
    ...sessionReads({ live, readWindowMax: options.readWindowMax, answer, store: () => store }),
    sessions: live,
    subscribe: (listener) => changes.subscribe(listener),
    listSessions: (_request, call) => answer(call, () => mergedRecords(live, store, [], call)),
    filterSessions: (request, call) =>
      answer(call, () => mergedRecords(live, store, sessionFiltersOf(request), call)),
    readTitles: (request, call) =>
      answer(call, async () => {
        const ids = distinctIds(request)
        const elsewhere = ids.filter((id) => live.get(id) === undefined)
        const stored = new Map(
          (store === undefined || elsewhere.length === 0
            ? []
            : await store.readTitles({ sessionIds: elsewhere }, call)
          ).map((result) => [result.sessionId, result]),
        )
        return ids.map((sessionId) => {
          const open = live.get(sessionId)
          if (open !== undefined) {
            const { header, title } = open.log
            const found = title === undefined ? {} : { title: detached(title) }
            return { sessionId, status: 'fulfilled', session: detached(header), ...found }
          }
          return stored.get(sessionId) ?? { sessionId, status: 'rejected', error: noSession(sessionId) }
        })
      }),
    traceSession: (request, call) =>
      answer(call, async () => {
        const sessionId = sessionIdOf(request)
        return nested(traceLineage(await mergedRecords(live, store, [], call), sessionId))
      }),
    searchSessions: (request, call) =>
      answer(call, async () => {
        const { items, ...page } = await (await searched()).searchSessions(request, call)
        return {
          ...page,
          items: items.map((item) => {
            const open = live.get(item.header.id)
            return open === undefined ? item : { ...item, header: detached(open.header), live: true }
          }),
        }
      }),
    searchEvents: (request, call) =>
      answer(call, async () => {
        const from = await searched()
        const { sessionId } = request
        const open = sessionId === undefined ? undefined : live.get(sessionId)
        if (open !== undefined) {
          const record = (await liveRecords(live, store, call)).find(
            ({ header }) => header.id === open.id,
          )
          if (record?.conflict === true) throw conflicting(open.id)
        }
        return from.searchEvents(request, call)
      }),
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
    },
  }
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
