import type { CorpusChange, StoragePlace } from '../core/corpus.ts'
import { errorOf, protocol, type HostEvent } from '../core/protocol.ts'
import { persistenceFailed, quoted, type SessionQueryError } from '../core/errors.ts'
import { corpusLock, type TabMessage } from '../core/tabs.ts'
import { ownerSilent, TabConnection, type Connection } from './connection.ts'
import { workerFailed, type WorkerSource } from './corpus-worker.ts'
import { newId } from './new-id.ts'
import { OwnWorker, type WorkerSettings } from './own-worker.ts'
import { Waiting } from './waiting.ts'

export interface TabSeatOptions {
  readonly settings: WorkerSettings
  readonly source: WorkerSource | undefined
  /** Told of changes that this page did not make. */
  readonly changed: (change: CorpusChange) => void
  /** Called when calls are answered again, by another owner or by one that was silent. */
  readonly regained: () => void
  /** Called when other tabs may have opened sessions or let go of them. */
  readonly moved: () => void
  /** Called when nothing is stored any more of what was. */
  readonly cleared: () => void
  /** Called when there is no worker any more, nor will be. */
  readonly ended: () => void
}

/** How long to wait for somebody to have the databases open, in milliseconds: ending a worker in mid-query takes 2 s. */
const patience = 8000

/** How long a tab waits that was taken for gone, in milliseconds. */
const rejoinPause = 1000

/** How many times within how many milliseconds a worker is started again after it hung or broke down. */
const [restarts, restartSpan] = [3, 60_000]

/**
 * A page's place among the tabs that share a corpus: with a worker that has the databases open, or that waits for its
 * turn while another tab's answers. Whoever that is, there is a connection to him, or soon will be.
 */
export class TabSeat {
  readonly #options: TabSeatOptions
  #channel: BroadcastChannel | undefined
  readonly #waiting = new Waiting<Connection>()
  #tab = newId()
  #worker: OwnWorker
  #connection: Connection | undefined
  /** Why nobody has the databases open, as far as that is known. */
  #trouble: SessionQueryError | undefined
  #over: SessionQueryError | undefined
  /** Whom this tab has asked to answer it. */
  #asked: string | undefined
  /** Whether the worker holds the lock by which others see that this tab lives. */
  #opened = false
  #started: number[] = []

  private constructor(options: TabSeatOptions) {
    this.#options = options
    const { name, storage } = options.settings
    this.#worker = this.#newWorker()
    this.#channel = storage === 'memory' ? undefined : new BroadcastChannel(corpusLock(name))
    this.#channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => this.#hear(data))
  }

  /**
   * @returns the place, and where the corpus is kept
   * @throws SessionQueryError as `openCorpus`
   */
  static async open(options: TabSeatOptions): Promise<{ seat: TabSeat; storage: StoragePlace }> {
    const seat = new TabSeat(options)
    try {
      const storage = await seat.#open()
      await seat.connection()
      return { seat, storage }
    } catch (error) {
      seat.#end(workerFailed('The corpus could not be opened.', error))
      throw error
    }
  }

  /** The way to who has the databases open, while there is one. */
  get connected(): Connection | undefined {
    return this.#connection
  }

  get role(): Connection['role'] {
    return this.#connection?.role ?? 'follower'
  }

  /**
   * The way to who has the databases open.
   *
   * @throws SessionQueryError `SESSION_QUERY_WORKER_FAILED` when this page's worker is gone;
   *   `SESSION_QUERY_PERSISTENCE_FAILED` with reason `busy` when nobody answers, or why they cannot be opened
   */
  async connection(): Promise<Connection> {
    this.refuse()
    if (this.#connection !== undefined) return this.#connection
    return this.#waiting.wait(patience, () => this.#trouble ?? ownerSilent(this.#options.settings.name))
  }

  /** @throws SessionQueryError `SESSION_QUERY_WORKER_FAILED` when there is no worker any more, nor will be */
  refuse(): void {
    if (this.#over !== undefined) throw this.#over
  }

  /** Tells the other tabs something. */
  say(message: (tab: string) => TabMessage): void {
    this.#channel?.postMessage(message(this.#tab))
  }

  /** Gives the databases to the next tab, if this one has them, and ends the worker. */
  async close(): Promise<void> {
    this.#over ??= workerFailed('The corpus is closed.')
    this.#leave()
    this.#lose(this.#over)
    await this.#worker.close(this.#over)
    this.#end(this.#over)
  }

  async #open(): Promise<StoragePlace> {
    const worker = this.#worker
    const { role, storage } = await worker.open(this.#options.settings, this.#tab, (event) => {
      if (worker === this.#worker) this.#told(event)
    })
    this.#opened = true
    if (role === 'owner') this.#connect(worker)
    else if (this.#connection === undefined) this.#lookForOwner()
    return storage
  }

  #lookForOwner(): void {
    if (this.#over !== undefined) return
    this.#lose(ownerGone())
    this.say(() => ({ kind: 'who' }))
  }

  #rejoin(): void {
    const lost = this.#connection
    setTimeout(() => {
      if (this.#connection === lost) this.#lookForOwner()
    }, rejoinPause)
  }

  #newWorker(): OwnWorker {
    const worker: OwnWorker = new OwnWorker(this.#options.source, {
      hung: () => this.#restart(workerFailed('The worker hung, and was started again.'), true),
      died: (why) => {
        if (worker === this.#worker) this.#end(why)
      },
    })
    return worker
  }

  /** What this page's worker says. */
  #told(event: HostEvent): void {
    switch (event.kind) {
      case 'index':
        return this.#options.changed({ kind: 'index', index: event.index })
      case 'owner':
        return this.#connect(this.#worker)
      case 'failed':
        this.#trouble = errorOf(event.failure)
        // Its turn has come, so whoever answered up to now is gone; the next one may be there already.
        if (this.#connection instanceof TabConnection) this.#lookForOwner()
        // Who is only in the way will be gone in a moment.
        if (this.#connection === undefined && this.#trouble.reason !== 'busy')
          this.#waiting.fail(this.#trouble)
        return undefined
      case 'cleared':
        this.say((tab) => ({ kind: 'cleared', tab }))
        this.#options.cleared()
        return this.#restart(
          persistenceFailed(
            'failed',
            'The browser removed what was stored here, as when the data of a site is cleared. What is open is stored anew.',
          ),
        )
      case 'broken':
        return this.#restart(workerFailed('The database engine broke down, and was started again.'))
    }
  }

  /** What other tabs say. */
  #hear(message: TabMessage): void {
    const follows = this.#connection instanceof TabConnection ? this.#connection : undefined
    switch (message.kind) {
      case 'owner':
        if (message.owner !== this.#tab && message.owner !== follows?.owner) this.#join(message)
        return
      case 'joined':
        if (message.tab === this.#tab && message.owner === this.#asked) this.#follow(message.owner)
        return
      case 'leaving':
        if (message.owner === follows?.owner) this.#lose(ownerGone(message.hung), message.hung)
        return
      case 'alive':
        if (message.owner === follows?.owner) follows.heard()
        return
      case 'ping':
        if (message.owner === this.#tab) this.#worker.look()
        return
      case 'change':
        if (message.tab !== this.#tab) this.#options.changed(message.change)
        if (message.change.kind !== 'index') this.#options.moved()
        return
      case 'gone':
        // Told about itself, it has to begin anew; not at once, since it may be told so again.
        if (message.tab === this.#tab) this.#rejoin()
        return this.#options.moved()
      case 'cleared':
        return this.#options.cleared()
      case 'moved':
        return this.#options.moved()
      case 'who':
      case 'join':
        return
    }
  }

  #join({ owner, protocol: spoken }: TabMessage & { readonly kind: 'owner' }): void {
    if (this.#connection === this.#worker || !this.#opened) return
    this.#lose(ownerGone())
    if (spoken === protocol) {
      const { options } = this.#options.settings
      this.#asked = owner
      this.say((tab) => ({ kind: 'join', owner, tab, options }))
      return
    }
    this.#trouble = persistenceFailed(
      'busy',
      `Another tab has the corpus ${quoted(this.#options.settings.name)} open with another version of session-query; close or reload it.`,
    )
    this.#waiting.fail(this.#trouble)
  }

  #follow(owner: string): void {
    if (this.#connection !== undefined) return
    const { name } = this.#options.settings
    this.#connect(
      new TabConnection(
        name,
        owner,
        this.#tab,
        (message) => this.say(() => message),
        () => this.#options.regained(),
      ),
    )
  }

  #connect(connection: Connection): void {
    if (this.#over !== undefined) return
    if (this.#connection !== connection) this.#lose(ownerGone())
    this.#connection = connection
    this.#trouble = undefined
    this.#waiting.come(connection)
    this.#options.regained()
  }

  /** Who had the databases open has them no more; calls that wait are made again, of the next. */
  #lose(why: SessionQueryError, hung = false): void {
    const lost = this.#connection
    if (lost === this.#worker) return
    this.#connection = undefined
    lost?.end(why, hung)
  }

  /** Ends a worker that cannot be trusted any more, and starts another one, if that may help. */
  #restart(why: SessionQueryError, hung = false): void {
    if (this.#over !== undefined) return
    const { source } = this.#options
    const now = performance.now()
    this.#started = this.#started.filter((time) => now - time < restartSpan)
    if (this.#started.length === restarts || source instanceof Worker) return this.#end(why)
    this.#started.push(now)
    const [ended, lost] = [this.#worker, this.#connection]
    this.#connection = undefined
    // Who waits in other tabs need not wait for the next owner to know.
    if (lost === ended) this.say((owner) => ({ kind: 'leaving', owner, hung }))
    else lost?.end(ownerGone())
    this.#opened = false
    this.#tab = newId()
    // First of all, since nobody else has the databases before; and there may be no other one.
    ended.end(why, hung)
    try {
      this.#worker = this.#newWorker()
    } catch (error) {
      return this.#end(workerFailed('The worker could not be started again.', error))
    }
    this.#options.changed({ kind: 'storage', error: why })
    this.#open().catch((error: unknown) => {
      this.#end(workerFailed('The worker could not be started again.', error))
    })
  }

  #leave(): void {
    this.#channel?.close()
    this.#channel = undefined
  }

  #end(why: SessionQueryError): void {
    this.#over ??= why
    this.#leave()
    this.#connection?.end(this.#over)
    this.#connection = undefined
    this.#worker.end(this.#over)
    this.#waiting.fail(this.#over)
    this.#options.ended()
  }
}

function ownerGone(hung = false): SessionQueryError {
  return workerFailed(
    hung
      ? 'The worker of the tab that had the corpus open hung.'
      : 'The tab that had the corpus open is gone.',
  )
}
