import { persistenceFailed, quoted, SessionQueryError } from '../core/errors.ts'
import { sessionLocks } from '../core/tabs.ts'
import type { SessionClaims } from '../live/session-claims.ts'

/**
 * Claims of sessions by Web Lock: who has one open holds it alone, whoever writes once holds it together with others.
 * The browser gives back what a page holds when it goes.
 */
export class SessionLocks implements SessionClaims {
  readonly #prefix: string
  readonly #moved: () => void
  /** The sessions that are open in this page; without a lock while the page cannot write. */
  readonly #own = new Map<string, HeldLock | undefined>()

  /**
   * @param name of the corpus
   * @param moved called when this page has opened a session, or let go of one
   */
  constructor(name: string, moved: () => void) {
    this.#prefix = sessionLocks(name)
    this.#moved = moved
  }

  async open(sessionId: string): Promise<(() => void) | undefined> {
    const lock = await this.#take(sessionId, 'exclusive')
    if (lock === undefined) return undefined
    this.#own.set(sessionId, lock)
    this.#moved()
    return () => {
      const held = this.#own.get(sessionId)
      this.#own.delete(sessionId)
      this.#release(held)
    }
  }

  async openElsewhere(): Promise<ReadonlySet<string>> {
    const before = this.#held()
    const open = await this.#heldAlone()
    // Also what was let go of meanwhile, which may have been asked for before the browser knew.
    for (const sessionId of [...before, ...this.#held()]) open.delete(sessionId)
    return open
  }

  /**
   * Keeps others from opening a session while it is written here.
   *
   * @returns what ends that
   * @throws SessionQueryError `SOURCE_CONFLICT` when somebody has it open
   */
  async write(sessionId: string): Promise<() => void> {
    if (this.#own.get(sessionId) !== undefined) return () => undefined
    const lock = await this.#take(sessionId, 'shared')
    if (lock !== undefined) return lock.release
    throw new SessionQueryError(
      'SESSION_QUERY_SOURCE_CONFLICT',
      `Session ${quoted(sessionId)} is open in another tab; close it there first.`,
    )
  }

  /** Lets others open what this page has open and cannot write any more. */
  letGo(): void {
    for (const [sessionId, lock] of this.#own) {
      this.#own.set(sessionId, undefined)
      this.#release(lock)
    }
  }

  /** Ends {@link letGo}. What somebody else has opened meanwhile cannot be written here. */
  async takeAgain(): Promise<void> {
    for (const sessionId of Array.from(this.#own.keys())) {
      if (this.#own.get(sessionId) !== undefined) continue
      const lock = await this.#take(sessionId, 'exclusive').catch(() => undefined)
      if (this.#own.has(sessionId)) this.#own.set(sessionId, lock)
      else lock?.release()
    }
    this.#moved()
  }

  /** The sessions whose locks this page holds. */
  #held(): readonly string[] {
    return Array.from(this.#own).flatMap(([sessionId, lock]) => (lock === undefined ? [] : [sessionId]))
  }

  #release(lock: HeldLock | undefined): void {
    lock?.release()
    void lock?.released.then(this.#moved)
  }

  /** Takes a lock; undefined when somebody else has the session open. */
  async #take(sessionId: string, mode: LockMode): Promise<HeldLock | undefined> {
    // As JSON, which escapes what the name of a lock cannot hold.
    const name = this.#prefix + JSON.stringify(sessionId)
    for (let waited = 0; ; waited += writePause) {
      const lock = await freeLock(name, mode)
      if (lock !== undefined || (await this.#heldAlone()).has(sessionId)) return lock
      if (waited >= writePatience) throw standsStill(sessionId)
      // One that is only being written is waited for, but not behind somebody who wants to open it.
      await new Promise((resume) => setTimeout(resume, writePause))
    }
  }

  /** The sessions of whose locks somebody is the only holder. */
  async #heldAlone(): Promise<Set<string>> {
    const { held = [] } = await navigator.locks.query()
    return new Set(
      held.flatMap(({ name, mode }) =>
        mode === 'exclusive' && name?.startsWith(this.#prefix) === true
          ? [JSON.parse(name.slice(this.#prefix.length)) as string]
          : [],
      ),
    )
  }
}

/** How long to leave to somebody who writes, in milliseconds. */
const writePause = 10

/** How long a single write in another tab may take, in milliseconds, as far as the pauses between two looks add up. */
const writePatience = 8000

function standsStill(sessionId: string): SessionQueryError {
  return persistenceFailed(
    'busy',
    `Session ${quoted(sessionId)} is being written in another tab that does not get on with it; close that tab, or try again.`,
  )
}

interface HeldLock {
  readonly release: () => void
  /** Resolves when it is free for others. */
  readonly released: Promise<unknown>
}

/** Takes a lock; undefined when it is not available. */
function freeLock(name: string, mode: LockMode): Promise<HeldLock | undefined> {
  return new Promise((resolve, reject) => {
    const end = new Promise<void>((release) => {
      const released = navigator.locks.request(name, { mode, ifAvailable: true }, (lock) => {
        if (lock === null) return resolve(undefined)
        resolve({ release, released })
        return end
      })
      released.catch(reject)
    })
  })
}
