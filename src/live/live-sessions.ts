import type {
  LiveOptions,
  LiveSession,
  NewSessionHeader,
  SessionRecord,
  Sessions,
  SessionStore,
} from '../core/corpus.ts'
import { quoted, SessionQueryError } from '../core/errors.ts'
import { frozenCopy, isObject, lossOf, withoutUndefined } from '../core/json.ts'
import { optionsObject } from '../core/options.ts'
import { noEvent, noSession } from '../core/request.ts'
import {
  headerProblem,
  type SessionEvent,
  type SessionHeader,
  type SessionLog,
} from '../core/session.ts'
import type { Changes } from './changes.ts'
import { LiveLog } from './live-log.ts'
import { noClaims, type SessionClaims } from './session-claims.ts'
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
  readonly claims: SessionClaims
  /** The store that is mounted now. */
  store(): SessionStore | undefined
}

/** The sessions that are open in this page, by id. */
export class LiveSessions implements Sessions {
  readonly #options: LiveSessionsOptions
  readonly #open = new Map<string, OpenSession>()
  /** Ids of sessions that are being opened. */
  readonly #opening = new Set<string>()
  /** What gives back the claim of each session that is open. */
  readonly #claimed = new Map<string, () => void>()
  #refusal: (() => SessionQueryError) | undefined

  constructor(options: LiveSessionsOptions) {
    this.#options = options
  }

  get(sessionId: string): OpenSession | undefined {
    return this.#open.get(sessionId)
  }

  /** Whether a session of this id is open, or about to be. */
  holds(sessionId: string): boolean {
    return this.#open.has(sessionId) || this.#opening.has(sessionId)
  }

  /** The ids of sessions that are open, or about to be. */
  held(): readonly string[] {
    return Array.from(new Set([...this.#open.keys(), ...this.#opening]))
  }

  list(): readonly OpenSession[] {
    return Array.from(this.#open.values())
  }

  async create(header: NewSessionHeader = {}, options: LiveOptions = {}): Promise<LiveSession> {
    return this.#begin(headerObject(header), [], optionsObject(options))
  }

  async fork(
    source: string,
    throughSeq?: number,
    header: NewSessionHeader = {},
    options: LiveOptions = {},
  ): Promise<LiveSession> {
    const wanted = withoutUndefined(headerObject(header))
    const settings = optionsObject(options)
    const origin = await this.#logOf(source)
    const last = throughSeq ?? origin.events.length - 1
    if (throughSeq !== undefined && !origin.events.some(({ seq }) => seq === throughSeq)) {
      throw noEvent(source, throughSeq, origin.events.length)
    }
    const seed = origin.events.slice(0, last + 1)
    const { cwd } = origin.header
    return this.#begin(
      {
        ...(cwd === undefined ? {} : { cwd }),
        ...wanted,
        parentSession: source,
        seedLength: seed.length,
      },
      seed,
      settings,
    )
  }

  async resume(sessionId: string): Promise<LiveSession> {
    if (typeof sessionId !== 'string') throw noSession(sessionId)
    return this.#reserving(sessionId, async () => {
      const store = this.#options.store()
      if (store === undefined) throw noSession(sessionId)
      // One that is never stored is nobody else's to go on with.
      const known = await this.#record(sessionId)
      if (known?.persisted === false) throw taken(sessionId, openElsewhere)
      const { header, events } = await store.readLog({ sessionId })
      const log = new LiveLog(header, events)
      log.folded()
      // Of one that a tab shows that is just going away, more may have been read than is stored.
      return this.#add(log, true, known?.live === true ? undefined : events.length)
    })
  }

  /** Takes in a log that was recorded elsewhere, as it is; nothing of it is written. */
  attach(header: SessionHeader, events: readonly SessionEvent[]): OpenSession {
    return this.#add(new LiveLog(header, events), false, undefined)
  }

  /** Lets go of a session without writing anything. */
  detach(sessionId: string): void {
    const session = this.#open.get(sessionId)
    if (session === undefined) return
    this.#open.delete(sessionId)
    this.#claimed.get(sessionId)?.()
    this.#claimed.delete(sessionId)
    const { changes } = this.#options
    changes.tell({ kind: 'closed', sessionId })
    if (session.writing?.begun !== true) changes.tell({ kind: 'removed', sessionId })
  }

  /** Takes nothing any more: neither sessions nor events. */
  refuse(why: () => SessionQueryError): void {
    this.#refusal = why
    for (const session of this.list()) session.refuse()
  }

  /** Ends every session without writing anything: nobody could read or store it any more. */
  endAll(): void {
    for (const session of this.list()) session.end()
  }

  /** Has every session be stored as if the store had nothing of it: it may be another one than before. */
  storeAnew(): void {
    for (const { writing } of this.list()) writing?.startAnew()
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
    const given = {
      version: 0,
      id: environment.newId(),
      createdAt: environment.now(),
      ...withoutUndefined(wanted),
    }
    const problem = headerProblem(given) ?? lossOf(given, 'header')
    if (problem !== undefined) throw notCreated(problem)
    // Copied before anything is waited for.
    const header = frozenCopy(given as SessionHeader).kept
    return this.#reserving(header.id, async () => {
      await this.#refuseKnown(header.id, persist)
      const log = new LiveLog(header, seed)
      log.folded()
      return this.#add(log, persist, undefined)
    })
  }

  /**
   * Refuses an id that somebody has. A session that will not be stored can begin without a store that answers.
   *
   * @throws SessionQueryError `SOURCE_CONFLICT`
   */
  async #refuseKnown(sessionId: string, persist: boolean): Promise<void> {
    let known: SessionRecord | undefined
    try {
      known = await (persist || this.#options.claims === noClaims
        ? this.#record(sessionId)
        : this.#soon(this.#record(sessionId)))
    } catch (error) {
      if (persist) throw error
    }
    if (known?.persisted === true) throw taken(sessionId, 'is stored already')
    if (known !== undefined) throw taken(sessionId, openElsewhere)
  }

  /** What a promise gives, or undefined when a session that is never stored had better not wait for it. */
  #soon<Value>(promise: Promise<Value>): Promise<Value | undefined> {
    return Promise.race([
      promise,
      new Promise<undefined>((resolve) => {
        this.#options.environment.later(storePatience, () => resolve(undefined))
      }),
    ])
  }

  /** What the store has of a session, and other pages in it. */
  async #record(sessionId: string): Promise<SessionRecord | undefined> {
    const filters = [{ kind: 'id' as const, values: [sessionId] }]
    const [record] = (await this.#options.store()?.filterSessions({ filters })) ?? []
    return record
  }

  async #logOf(sessionId: string): Promise<SessionLog> {
    const open = this.#open.get(sessionId)
    if (open !== undefined) return open.log.folded()
    const store = this.#options.store()
    if (store === undefined) throw noSession(sessionId)
    return store.readLog({ sessionId })
  }

  /**
   * Opens a session while nobody else can open one of the same id, and for as long as it is open nobody in other pages.
   */
  async #reserving(sessionId: string, open: () => Promise<OpenSession>): Promise<OpenSession> {
    if (this.#refusal !== undefined) throw this.#refusal()
    if (this.holds(sessionId)) {
      throw taken(sessionId, 'is open already')
    }
    this.#opening.add(sessionId)
    try {
      const giveBack = await this.#options.claims.open(sessionId)
      if (giveBack === undefined) throw taken(sessionId, openElsewhere)
      try {
        const session = await open()
        this.#claimed.set(sessionId, giveBack)
        return session
      } catch (error) {
        giveBack()
        throw error
      }
    } finally {
      this.#opening.delete(sessionId)
    }
  }

  #add(log: LiveLog, persist: boolean, stored: number | undefined): OpenSession {
    if (this.#refusal !== undefined) throw this.#refusal()
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
    // A session that is resumed has been in the corpus all along.
    if (stored === undefined) changes.tell({ kind: 'added', sessionId: id })
    if (writing?.done === false) writing.wake()
    return session
  }
}

/** How long a session that is never stored waits for a store before it begins without one, in milliseconds. */
const storePatience = 1000

const openElsewhere = 'is open in another tab'

function headerObject(header: unknown): NewSessionHeader {
  if (isObject(header)) return header as NewSessionHeader
  throw notCreated(`a session header is an object, not ${quoted(header)}`)
}

function notCreated(problem: string): SessionQueryError {
  return new SessionQueryError(
    'SESSION_QUERY_CORRUPT_SESSION',
    `The session cannot be created: ${problem}.`,
  )
}

function taken(sessionId: string, how: string): SessionQueryError {
  return new SessionQueryError(
    'SESSION_QUERY_SOURCE_CONFLICT',
    `A session with the id ${quoted(sessionId)} ${how}.`,
  )
}
