import { proxy, wrap, type Remote } from 'comlink'
import { quoted, type SessionQueryError } from '../core/errors.ts'
import {
  protocol,
  type CorpusHost,
  type HostListener,
  type HostOptions,
  type Opened,
} from '../core/protocol.ts'
import { lifeLock } from '../core/tabs.ts'
import { Calls } from './calls.ts'
import type { Connection } from './connection.ts'
import { CorpusWorker, workerFailed, type WorkerSource } from './corpus-worker.ts'
import { hostCall, type HostCall } from './host-call.ts'
import { lookEvery, Watchdog } from './watchdog.ts'
import { within } from './within.ts'

export type WorkerSettings = Omit<HostOptions, 'tab' | 'cancelled'>

/** What a page hears of its worker. */
export interface WorkerListener {
  /** It gave no sign of life while it was waited for. */
  readonly hung: () => void
  /** It can answer nobody any more, and that was not by way of `end`. */
  readonly died: (why: SessionQueryError) => void
}

/** The worker of this page, as a connection to the corpus, once the corpus is open in it. */
export class OwnWorker implements Connection {
  readonly role = 'owner'
  readonly call: HostCall
  gone: SessionQueryError | undefined
  hung = false
  readonly #calls = new Calls()
  readonly #worker: CorpusWorker
  readonly #host: Remote<CorpusHost>
  readonly #watchdog: Watchdog
  readonly #cancelled: Int32Array | undefined
  #timer: ReturnType<typeof setInterval> | undefined

  /** @throws SessionQueryError as `CorpusWorker` */
  constructor(source: WorkerSource | undefined, listener: WorkerListener) {
    this.#worker = new CorpusWorker(source, (why) => {
      if (this.gone !== undefined) return
      this.#over(why)
      listener.died(why)
    })
    this.#host = wrap<CorpusHost>(this.#worker.worker)
    this.#cancelled = globalThis.crossOriginIsolated
      ? new Int32Array(new SharedArrayBuffer(4 * cancelledCalls))
      : undefined
    this.#watchdog = new Watchdog(() => void this.#host.hello(), listener.hung)
    this.#worker.worker.addEventListener('message', () => this.#watchdog.heard())
    this.call = hostCall(this.#host, this.#calls, (callId) => {
      const numbers = this.#cancelled
      if (numbers !== undefined) Atomics.store(numbers, callId % numbers.length, callId)
      void this.#host.cancel(callId)
    })
  }

  /**
   * Opens the corpus in it, or has it wait behind another tab.
   *
   * @throws SessionQueryError `SESSION_QUERY_WORKER_FAILED` for a worker that is silent or of another version; as `openCorpus`
   */
  async open(settings: WorkerSettings, tab: string, tell: HostListener): Promise<Opened> {
    await this.#calls.settle(greet(this.#host))
    const cancelled = this.#cancelled === undefined ? {} : { cancelled: this.#cancelled.buffer }
    const opened = await this.#calls.outcome(
      this.#host.open({ ...settings, tab, ...cancelled }, proxy(tell)),
    )
    this.#worker.followLock(
      lifeLock(tab),
      async () => (await within(answerPatience, this.#host.hello())) !== undefined,
    )
    this.#timer = setInterval(() => {
      if (this.#calls.waiting > 0) this.look()
    }, lookEvery)
    return opened
  }

  /** Has it give up the databases, and ends it. */
  async close(why: SessionQueryError): Promise<void> {
    await this.#calls.settle(within<unknown>(closePatience, this.#host.close())).catch(() => undefined)
    this.end(why)
  }

  /** Somebody waits for it: looks whether it still lives. */
  look(): void {
    this.#watchdog.look()
  }

  end(why: SessionQueryError, hung = false): void {
    if (this.gone !== undefined) return
    this.hung = hung
    this.#over(why)
    this.#worker.end(why)
  }

  #over(why: SessionQueryError): void {
    this.gone = why
    clearInterval(this.#timer)
    this.#calls.end(why)
  }
}

/** How many cancelled calls are remembered for a worker that is too busy to read messages. */
const cancelledCalls = 256

/** How long the worker may take to close its files, in milliseconds, before it is ended regardless. */
const closePatience = 3000

/** How long a worker that seems to be gone may take to answer, in milliseconds. */
const answerPatience = 300

/** How long a worker may take to load, in milliseconds; for slow lines, not for slow programs. */
const startPatience = 10_000

async function greet(host: Remote<CorpusHost>): Promise<void> {
  const spoken = await within(startPatience, host.hello())
  if (spoken === protocol) return
  throw workerFailed(
    spoken === undefined
      ? `The worker did not answer within ${startPatience / 1000} s; is it the worker.js of session-query?`
      : `The worker speaks ${quoted(spoken)} and this page ${quoted(protocol)}: worker.js is of another version.`,
  )
}
