import type { CallOptions, SessionStore, TitleResult } from '../core/corpus.ts'
import {
  errorOf,
  toJson,
  type Failure,
  type HostedMethod,
  type HostedRequest,
  type HostedResult,
} from '../core/protocol.ts'
import { checkedEvents, checkedLog, sessionIdOf } from '../core/request.ts'

/**
 * Makes a call of the store.
 *
 * @param prepare copies the request into what can cross, before anything is waited for
 * @param written the session that it writes; asked when the request is known to be one
 */
export type StoreCall = <Method extends HostedMethod>(
  method: Method,
  prepare: () => HostedRequest<Method>,
  options: CallOptions | undefined,
  written?: () => string,
) => Promise<HostedResult<Method>>

/** A store elsewhere, as the page holds it. */
export function remoteStore(call: StoreCall, close: () => Promise<void>): SessionStore {
  return {
    listSessions: (request = {}, options) => call('listSessions', () => cloneable(request), options),
    filterSessions: (request, options) => call('filterSessions', () => cloneable(request), options),
    readLog: (request, options) => call('readLog', () => cloneable(request), options),
    readSession: (request, options) => call('readSession', () => cloneable(request), options),
    readSurface: (request, options) => call('readSurface', () => cloneable(request), options),
    readTitle: (request, options) => call('readTitle', () => cloneable(request), options),
    readTitles: async (request, options) =>
      (await call('readTitles', () => cloneable(request), options)).map(revived),
    listEvents: (request, options) => call('listEvents', () => cloneable(request), options),
    filterEvents: (request, options) => call('filterEvents', () => cloneable(request), options),
    readEvent: (request, options) => call('readEvent', () => cloneable(request), options),
    traceEvent: (request, options) => call('traceEvent', () => cloneable(request), options),
    searchSessions: (request, options) => call('searchSessions', () => cloneable(request), options),
    searchEvents: (request, options) => call('searchEvents', () => cloneable(request), options),
    putSession: (request, options) =>
      call(
        'putSession',
        () => toJson(checkedLog(request)),
        options,
        () => request.header.id,
      ),
    appendEvents: (request, options) =>
      call(
        'appendEvents',
        () => toJson({ sessionId: sessionIdOf(request), events: checkedEvents(request) }),
        options,
        () => request.sessionId,
      ),
    showLive: (request, options) => call('showLive', () => toJson(request), options),
    hideLive: (request, options) => call('hideLive', () => request, options),
    deleteSession: (request, options) =>
      call(
        'deleteSession',
        () => cloneable(request),
        options,
        () => sessionIdOf(request),
      ),
    beginExport: (request, options) => call('beginExport', () => request, options),
    copyForExport: (request, options) => call('copyForExport', () => request, options),
    readExport: (request, options) => call('readExport', () => request, options),
    beginImport: (request, options) => call('beginImport', () => request, options),
    writeImport: (request, options) => call('writeImport', () => request, options),
    mergeImport: (request, options) => call('mergeImport', () => request, options),
    endWork: (request, options) => call('endWork', () => request, options),
    clearStep: (request, options) => call('clearStep', () => request, options),
    compactStep: (request, options) => call('compactStep', () => request, options),
    status: (request = {}, options) => call('status', () => cloneable(request), options),
    close,
  }
}

/**
 * What of a request can cross. The worker judges requests; so that it also judges what structured clone
 * refuses, such a member crosses as a value that is allowed nowhere.
 */
function cloneable<Request>(request: Request): Request {
  try {
    return copied(request)
  } catch {
    const members = Object.keys(Object(request) as object).map((name) => [
      name,
      cloneableMember(request, name),
    ])
    return Object.fromEntries(members) as Request
  }
}

function cloneableMember(request: unknown, name: string): unknown {
  try {
    return copied((request as Record<string, unknown>)[name])
  } catch {
    return { notAllowed: 'a value that cannot be cloned' }
  }
}

/** The platform's own copy, which pages, workers and servers all have. */
function copied<Value>(value: Value): Value {
  const platform = globalThis as unknown as { structuredClone<Copied>(value: Copied): Copied }
  return platform.structuredClone(value)
}

/** An error inside a result comes as the data that it was written down as. */
function revived(result: TitleResult): TitleResult {
  return result.status === 'rejected'
    ? { ...result, error: errorOf(result.error as unknown as Failure) }
    : result
}
