import type { AppendRequest, SessionCorpus, SessionRequest } from '../core/corpus.ts'
import { quoted } from '../core/errors.ts'
import type { ClearStepRequest, MergeRequest } from '../core/moving.ts'
import {
  failureOf,
  hostedMethods,
  requestOf,
  toJson,
  type HostedMethod,
  type Outcome,
} from '../core/protocol.ts'
import type { SessionLog } from '../core/session.ts'
import { refuseOpen } from '../live/moving.ts'
import { arrived, crossing, isCrossing, type Crossing } from './crossing.ts'
import { DurableObject, type ObjectContext } from './durable-object.ts'
import type { AlarmStorage } from './durable-storage.ts'
import {
  openDurable,
  type DurableCorpus,
  type DurableCorpusOptions,
  type OpenedDurable,
} from './open-durable-corpus.ts'

type Request<Method extends keyof SessionCorpus> = Parameters<
  Extract<SessionCorpus[Method], (...given: never) => unknown>
>[0]
type Answer<Method extends keyof SessionCorpus> = ReturnType<
  Extract<SessionCorpus[Method], (...given: never) => unknown>
>

/**
 * A Durable Object that is a corpus, ready to be exported from a Worker: its methods can be called through a stub, and
 * {@link corpusFor} makes a whole corpus of one. What is stored is indexed by alarm.
 *
 * Errors lose their code on the way through a stub, as the runtime passes on the message alone; `corpusFor` keeps it.
 * A subclass that has alarms of its own calls `super.alarm()` in them. An object has one alarm: while the subclass has set
 * one, that is what the index waits for, or the next search.
 *
 * @typeParam Env what the Worker is bound to
 * @typeParam Context the runtime's type of `ctx`, `DurableObjectState`, for a subclass that does more with it
 */
export class SessionCorpusObject<
  Env = unknown,
  Context extends ObjectContext = ObjectContext,
> extends DurableObject {
  // Both are set by the runtime's class.
  declare protected readonly ctx: Context
  declare protected readonly env: Env
  readonly #opened: OpenedDurable
  readonly #alarms: AlarmStorage
  /** Until when there is an alarm, or one was looked for, in milliseconds since 1970. */
  #rings = 0

  constructor(ctx: Context, env: Env, options: DurableCorpusOptions = {}) {
    super(ctx, env)
    this.#alarms = ctx.storage
    this.#opened = openDurable(ctx.storage, { onIndexBehind: () => this.#ring(), ...options })
  }

  /** The corpus, for a subclass; not to be had through a stub. */
  protected get corpus(): DurableCorpus {
    return this.#opened.corpus
  }

  /** Indexes a batch of what was stored, and rings again while there is more. */
  async alarm(): Promise<void> {
    this.#rings = 0
    if (!(await this.corpus.advanceIndex())) this.#ring()
  }

  listSessions(): Answer<'listSessions'> {
    return this.corpus.listSessions()
  }

  filterSessions(request: Request<'filterSessions'>): Answer<'filterSessions'> {
    return this.corpus.filterSessions(request)
  }

  readSession(request: Request<'readSession'>): Answer<'readSession'> {
    return this.corpus.readSession(request)
  }

  readSurface(request: Request<'readSurface'>): Answer<'readSurface'> {
    return this.corpus.readSurface(request)
  }

  readTitle(request: Request<'readTitle'>): Answer<'readTitle'> {
    return this.corpus.readTitle(request)
  }

  readTitles(request: Request<'readTitles'>): Answer<'readTitles'> {
    return this.corpus.readTitles(request)
  }

  listEvents(request: Request<'listEvents'>): Answer<'listEvents'> {
    return this.corpus.listEvents(request)
  }

  filterEvents(request: Request<'filterEvents'>): Answer<'filterEvents'> {
    return this.corpus.filterEvents(request)
  }

  readEvent(request: Request<'readEvent'>): Answer<'readEvent'> {
    return this.corpus.readEvent(request)
  }

  traceSession(request: Request<'traceSession'>): Answer<'traceSession'> {
    return this.corpus.traceSession(request)
  }

  traceEvent(request: Request<'traceEvent'>): Answer<'traceEvent'> {
    return this.corpus.traceEvent(request)
  }

  searchSessions(request: Request<'searchSessions'>): Answer<'searchSessions'> {
    return this.corpus.searchSessions(request)
  }

  searchEvents(request: Request<'searchEvents'>): Answer<'searchEvents'> {
    return this.corpus.searchEvents(request)
  }

  putSession(request: Request<'putSession'>): Answer<'putSession'> {
    return this.corpus.putSession(request)
  }

  appendEvents(request: Request<'appendEvents'>): Answer<'appendEvents'> {
    return this.corpus.appendEvents(request)
  }

  deleteSession(request: Request<'deleteSession'>): Answer<'deleteSession'> {
    return this.corpus.deleteSession(request)
  }

  status(): Answer<'status'> {
    return this.corpus.status()
  }

  importDatabase(source: Request<'importDatabase'>): Answer<'importDatabase'> {
    return this.corpus.importDatabase(source)
  }

  /** The file alone, as a stream that can be passed on. */
  async exportDatabase(): Promise<ReadableStream<Uint8Array>> {
    const file = await this.corpus.exportDatabase()
    return file.pipeThrough(new TransformStream<Uint8Array, Uint8Array>())
  }

  clear(): Answer<'clear'> {
    return this.corpus.clear()
  }

  /** A call of a corpus elsewhere that is laid over this one; its failure comes back as data. */
  async hosted(method: HostedMethod, request: unknown): Promise<HostedOutcome> {
    try {
      if (!callable.has(method)) throw new TypeError(`There is no call of the name ${quoted(method)}.`)
      const given = requestOf(method, isCrossing(request) ? await arrived(request) : request)
      return { ok: true, value: crossing(toJson(await this.#call(method, given))) }
    } catch (error) {
      return { ok: false, failure: failureOf(error) }
    }
  }

  /** What writes minds the sessions that are open in the object, and tells who listens there. */
  async #call(method: HostedMethod, request: unknown): Promise<unknown> {
    const { corpus, store, live } = this.#opened
    switch (method) {
      case 'putSession':
        return corpus.putSession(request as SessionLog)
      case 'appendEvents':
        return corpus.appendEvents(request as AppendRequest)
      case 'deleteSession':
        return corpus.deleteSession(request as SessionRequest)
      case 'mergeImport': {
        const { work, open } = request as MergeRequest
        return store.mergeImport({ work, open: [...open, ...live.held()] })
      }
      case 'clearStep':
        refuseOpen(live.held())
        return store.clearStep(request as ClearStepRequest)
      default:
        return (store[method] as (request: unknown) => Promise<unknown>)(request)
    }
  }

  /** Has the alarm ring soon, unless it is about to. */
  #ring(): void {
    const now = Date.now()
    if (now < this.#rings) return
    this.#rings = now + indexDelay
    this.#setAlarm(this.#rings).catch(() => {
      this.#rings = 0
    })
  }

  async #setAlarm(time: number): Promise<void> {
    // One that is set already, perhaps for something else, rings as well.
    if ((await this.#alarms.getAlarm()) === null) await this.#alarms.setAlarm(time)
  }
}

/** Of what is open elsewhere and not stored, nothing would say when that is gone. */
const callable = new Set<string>(hostedMethods.filter((method) => !/^(show|hide)Live$/.test(method)))

/** What a call of a corpus elsewhere came to. */
export type HostedOutcome =
  { readonly ok: true; readonly value: Crossing } | Extract<Outcome<unknown>, { readonly ok: false }>

/** How long stored events wait for others to be indexed with, in milliseconds. */
const indexDelay = 2000
