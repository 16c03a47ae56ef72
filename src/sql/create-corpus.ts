import { throwIfAborted } from '../core/abort.ts'
import type {
  CallOptions,
  CorpusStatus,
  EventWindow,
  SessionCorpus,
  SessionRecord,
  StorageKind,
  TitleResult,
  WriteResult,
} from '../core/corpus.ts'
import { isSessionQueryError, quoted, SessionQueryError } from '../core/errors.ts'
import { isIndex } from '../core/json.ts'
import { firstBrokenMessage } from '../core/message.ts'
import type { ResolvedOptions } from '../core/options.ts'
import { compareCodePoints } from '../core/order.ts'
import {
  checkedEvents,
  checkedLog,
  checkedSearch,
  distinctIds,
  noEvent,
  sessionIdOf,
} from '../core/request.ts'
import { checkedWindow } from '../core/window.ts'
import type { SqlDatabase } from './database.ts'
import { logSchema, openSchema } from './schema.ts'
import { SearchIndex } from './search-index.ts'
import { IndexSearch } from './search.ts'
import { StoredSessions, type StoredSession } from './sessions.ts'
import { StoredSurfaces } from './surfaces.ts'
import { LogWriter } from './write-log.ts'

/** What a corpus is made from. */
export interface CorpusParts {
  /** Holds the sessions. */
  readonly log: SqlDatabase
  /** Holds what search needs; may be empty, outdated or of another log. */
  readonly index: SqlDatabase
  readonly storage: { readonly kind: StorageKind; readonly because?: string }
  readonly options: ResolvedOptions
  /** Called once, when the corpus ends or cannot be opened; the databases are closed by then. */
  readonly onClose?: () => void
}

/**
 * The corpus over two SQLite databases, which it owns from now on.
 *
 * @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` when the log database is not ours to use
 */
export function createCorpus({ log, index, storage, options, onClose }: CorpusParts): SessionCorpus {
  const identity = owned(() => openSchema(log, logSchema), release)
  const sessions = new StoredSessions(log)
  const surfaces = new StoredSurfaces(sessions)
  const writer = new LogWriter(log, sessions, surfaces)
  const searchIndex = new SearchIndex(index, identity, sessions, surfaces)
  const search = new IndexSearch(index, sessions, options.snippetChars)
  let closed = false

  /** One call: judged before anything else is whether it may still run. */
  async function answer<Result>(call: CallOptions | undefined, body: () => Result): Promise<Result> {
    throwIfAborted(call?.signal)
    if (closed) throw new SessionQueryError('SESSION_QUERY_WORKER_FAILED', 'The corpus is closed.')
    return body()
  }

  /** What a write reports, once the index has followed it. */
  function indexed(result: WriteResult): WriteResult {
    if (result.created || result.appended > 0) searchIndex.follow(sessions.get(result.sessionId))
    return result
  }

  function release(): void {
    index.close()
    log.close()
    onClose?.()
  }

  async function close(): Promise<void> {
    if (closed) return
    closed = true
    release()
  }

  return {
    listSessions: (_request, call) => answer(call, () => listed(sessions.all())),
    readSession: (request, call) =>
      answer(call, () => {
        const stored = sessions.get(sessionIdOf(request))
        surfaces.of(stored)
        const events = sessions.events(stored.session)
        const broken = firstBrokenMessage(events)
        if (broken !== undefined) throw brokenMessage(stored, broken.seq, broken.type)
        return { session: stored.header, events }
      }),
    readTitle: (request, call) =>
      answer(call, () => sessions.title(sessions.get(sessionIdOf(request)).session)),
    readTitles: (request, call) =>
      answer(call, () => distinctIds(request).map((id) => titleResult(sessions, id))),
    listEvents: (request, call) =>
      answer(call, () => {
        const stored = sessions.get(sessionIdOf(request))
        const fold = surfaces.of(stored)
        return sessions.events(stored.session).map(({ seq, type, time }) => ({
          sessionId: stored.header.id,
          seq,
          type,
          time,
          surface: fold.stateOf(seq),
        }))
      }),
    readEvent: (request, call) =>
      answer(call, () => {
        const window = checkedWindow(request, options.readWindowMax)
        return eventWindow(sessions, sessions.get(sessionIdOf(request)), request.seq, window)
      }),
    searchSessions: (request, call) =>
      answer(call, () => {
        const wanted = checkedSearch(request, options)
        return searchIndex.use(() => search.sessions(wanted))
      }),
    searchEvents: (request, call) =>
      answer(call, () => {
        const wanted = checkedSearch(request, options)
        const within = request.sessionId === undefined ? undefined : sessions.get(sessionIdOf(request))
        return searchIndex.use(() => search.events(wanted, within))
      }),
    putSession: (request, call) => answer(call, () => indexed(writer.put(checkedLog(request)))),
    appendEvents: (request, call) =>
      answer(call, () => indexed(writer.append(sessionIdOf(request), checkedEvents(request)))),
    deleteSession: (request, call) =>
      answer(call, () => searchIndex.drop(writer.remove(sessionIdOf(request)))),
    status: (_request, call) =>
      answer(call, () => ({
        storage: { ...storage, logBytes: log.size(), indexBytes: index.size() },
        ...sessions.count(),
        ...indexStatus(searchIndex, sessions),
      })),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** What `body` gives; when it throws, what was acquired before is let go. */
function owned<Result>(body: () => Result, release: () => void): Result {
  try {
    return body()
  } catch (error) {
    release()
    throw error
  }
}

function listed(stored: readonly StoredSession[]): SessionRecord[] {
  return stored
    .map(({ header }) => ({ header, live: false, persisted: true }))
    .toSorted(
      (a, b) => b.header.createdAt - a.header.createdAt || compareCodePoints(a.header.id, b.header.id),
    )
}

function eventWindow(
  sessions: StoredSessions,
  { session, header, length }: StoredSession,
  seq: unknown,
  window: { readonly before: number; readonly after: number },
): EventWindow {
  const target = isIndex(seq) ? sessions.event(session, seq) : undefined
  if (target === undefined) throw noEvent(header.id, seq, length)
  const events = sessions.range(session, target.seq - window.before, target.seq + window.after)
  return {
    session: header,
    target,
    events,
    startSeq: events[0]?.seq ?? target.seq,
    endSeq: events.at(-1)?.seq ?? target.seq,
  }
}

function titleResult(sessions: StoredSessions, sessionId: string): TitleResult {
  try {
    const { session, header } = sessions.get(sessionId)
    const title = sessions.title(session)
    return {
      sessionId,
      status: 'fulfilled',
      session: header,
      ...(title === undefined ? {} : { title }),
    }
  } catch (error) {
    if (!isSessionQueryError(error)) throw error
    return { sessionId, status: 'rejected', error }
  }
}

function indexStatus(
  index: SearchIndex,
  sessions: StoredSessions,
): Pick<CorpusStatus, 'index' | 'issues'> {
  try {
    return index.use(() => ({
      index: { state: 'ready' as const, documents: index.documents.count() },
      issues: index.documents.issues().flatMap(({ session, code }) => {
        const sessionId = sessions.byNumber(session)?.header.id
        return sessionId === undefined ? [] : [{ sessionId, code }]
      }),
    }))
  } catch (error) {
    if (!isSessionQueryError(error)) throw error
    return { index: { state: 'failed', documents: 0 }, issues: [] }
  }
}

function brokenMessage({ header }: StoredSession, seq: number, type: string): SessionQueryError {
  return new SessionQueryError(
    'SESSION_QUERY_CORRUPT_SESSION',
    `The event with seq ${seq} of session ${quoted(header.id)} is not the message that its type, ${type}, promises. readEvent gives it as it is.`,
  )
}
