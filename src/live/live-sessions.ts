import type {
  LiveOptions,
  LiveSession,
  NewSessionHeader,
  Sessions,
  SessionStore,
} from '../core/corpus.ts'
import { quoted, SessionQueryError } from '../core/errors.ts'
import { lossOf, withoutUndefined } from '../core/json.ts'
import { noEvent, noSession } from '../core/request.ts'
import {
  headerProblem,
  type SessionEvent,
  type SessionHeader,
  type SessionLog,
} from '../core/session.ts'
import type { Changes } from './changes.ts'
import { LiveLog } from './live-log.ts'
import { OpenSession } from './session.ts'
import { WriteBehind } from './write-behind.ts'

/** What the live half needs of the place it runs in. */
export interface LiveEnvironment {
  /** Milliseconds since the epoch. */
  now(): number
  /** A text that no other session has for an id. */
  newId(): string
  /** Runs something after this many milliseconds. */
  later(milliseconds: number, run: () => void): void
}

export interface LiveSessionsOptions {
  readonly environment: LiveEnvironment
  readonly changes: Changes
  readonly writeBatchMs: number
  /** The store that is mounted now. */
  store(): SessionStore | undefined
}

/** The sessions that are open in this page, by id. */
export class LiveSessions implements Sessions {
  readonly #options: LiveSessionsOptions
  readonly #open = new Map<string, OpenSession>()
  /** Ids of sessions that are being opened. */
  readonly #opening = new Set<string>()

  constructor(options: LiveSessionsOptions) {
    this.#options = options
  }

  get(sessionId: string): OpenSession | undefined {
    return this.#open.get(sessionId)
  }

  list(): readonly OpenSession[] {
    return Array.from(this.#open.values())
  }

  async create(header: NewSessionHeader = {}, options: LiveOptions = {}): Promise<LiveSession> {
    return this.#begin(header, [], options)
  }

  async fork(
    source: string,
    throughSeq?: number,
    header: NewSessionHeader = {},
    options: LiveOptions = {},
  ): Promise<LiveSession> {
    const origin = await this.#logOf(source)
    const last = throughSeq ?? origin.events.length - 1
    if (throughSeq !== undefined && origin.events[throughSeq] === undefined) {
      throw noEvent(source, throughSeq, origin.events.length)
    }
    const seed = origin.events.slice(0, last + 1)
    const { cwd } = origin.header
    return this.#begin(
      {
        ...(cwd === undefined ? {} : { cwd }),
        ...header,
        parentSession: source,
        seedLength: seed.length,
      },
      seed,
      options,
    )
  }

  async resume(sessionId: string): Promise<LiveSession> {
    return this.#reserving(sessionId, async () => {
      const store = this.#options.store()
      if (store === undefined) throw noSession(sessionId)
      const { header, events } = await store.readLog({ sessionId })
      const log = new LiveLog(header, events)
      log.folded()
      return this.#add(log, true, events.length)
    })
  }

  /** Takes in a log that was recorded elsewhere, as it is; nothing of it is written. */
  attach(header: SessionHeader, events: readonly SessionEvent[]): OpenSession {
    return this.#add(new LiveLog(header, events), false, undefined)
  }

  /** Lets go of a session without writing anything. */
  detach(sessionId: string): void {
    if (this.#open.delete(sessionId)) this.#options.changes.tell({ kind: 'closed', sessionId })
  }

  /**
   * Stores what every session has gained; one that cannot be stored does not keep others from it.
   *
   * @returns why some could not be stored
   */
  async flushAll(): Promise<unknown[]> {
    const results = await Promise.allSettled(this.list().map((session) => session.flush()))
    return results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  }

  async #begin(
    wanted: NewSessionHeader,
    seed: readonly SessionEvent[],
    { persist = true }: LiveOptions,
  ): Promise<LiveSession> {
    const { environment } = this.#options
    const header = {
      version: 0,
      id: environment.newId(),
      createdAt: environment.now(),
      ...withoutUndefined(wanted),
    }
    const problem = headerProblem(header) ?? lossOf(header, 'header')
    if (problem !== undefined) {
      throw new SessionQueryError(
        'SESSION_QUERY_CORRUPT_SESSION',
        `The session cannot be created: ${problem}.`,
      )
    }
    return this.#reserving(header.id, async () => {
      const known = await this.#options
        .store()
        ?.filterSessions({ filters: [{ kind: 'id', values: [header.id] }] })
      if (known !== undefined && known.length > 0) throw taken(header.id, 'is stored already')
      const log = new LiveLog(header, seed)
      log.folded()
      return this.#add(log, persist, undefined)
    })
  }

  async #logOf(sessionId: string): Promise<SessionLog> {
    const open = this.#open.get(sessionId)
    if (open !== undefined) return open.log.folded()
    const store = this.#options.store()
    if (store === undefined) throw noSession(sessionId)
    return store.readLog({ sessionId })
  }

  /** Opens a session while nobody else in this page can open one of the same id. */
  async #reserving(sessionId: string, open: () => Promise<OpenSession>): Promise<OpenSession> {
    if (this.#open.has(sessionId) || this.#opening.has(sessionId)) {
      throw taken(sessionId, 'is open already')
    }
    this.#opening.add(sessionId)
    try {
      return await open()
    } finally {
      this.#opening.delete(sessionId)
    }
  }

  #add(log: LiveLog, persist: boolean, stored: number | undefined): OpenSession {
    const { environment, changes, writeBatchMs } = this.#options
    const { id } = log.header
    const target = {
      store: () => this.#options.store(),
      later: (milliseconds: number, run: () => void) => environment.later(milliseconds, run),
      failed: (error: SessionQueryError) => changes.tell({ kind: 'storage', sessionId: id, error }),
    }
    const writing = persist ? new WriteBehind(log, target, stored, writeBatchMs) : undefined
    const session = new OpenSession(log, writing, {
      now: () => environment.now(),
      appended: (sessionId) => changes.tell({ kind: 'appended', sessionId }),
      closed: (sessionId) => this.detach(sessionId),
    })
    this.#open.set(id, session)
    changes.tell({ kind: 'added', sessionId: id })
    if (writing?.done === false) writing.wake()
    return session
  }
}

function taken(sessionId: string, how: string): SessionQueryError {
  return new SessionQueryError(
    'SESSION_QUERY_SOURCE_CONFLICT',
    `A session with the id ${quoted(sessionId)} ${how}.`,
  )
}
