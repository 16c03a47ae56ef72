import { quoted, SessionQueryError } from '../core/errors.ts'
import { invalidConfig } from '../core/options.ts'

/** A worker that runs `session-query/worker`, or what makes one. */
export type WorkerSource = Worker | (() => Worker)

/** The worker of a corpus, from its start to its end, however that comes. */
export class CorpusWorker {
  readonly worker: Worker
  readonly #ended: (why: SessionQueryError) => void
  readonly #terminate: () => void
  readonly #waiting = new AbortController()

  /**
   * @param ended called, at least once, when the worker cannot answer any more: it did not load, threw,
   *   sent what cannot be read, was terminated, or was ended by the browser
   * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG` for a source that is not one,
   *   `SESSION_QUERY_WORKER_FAILED` when the browser refuses to make a worker
   */
  constructor(source: WorkerSource | undefined, ended: (why: SessionQueryError) => void) {
    this.worker = startWorker(source)
    this.#ended = ended
    this.#terminate = this.worker.terminate.bind(this.worker)
    // No event tells of terminate(), and the lock of a worker in mid-query is free only 2 s later.
    this.worker.terminate = () => this.end(workerFailed('The worker was terminated.'))
    const { signal } = this.#waiting
    this.worker.addEventListener('error', (event) => this.#failed(event), { signal })
    this.worker.addEventListener(
      'messageerror',
      () => this.end(workerFailed('The worker sent a message that cannot be read, and was ended.')),
      { signal },
    )
  }

  /**
   * Waits for the end of a worker that holds this Web Lock as long as it lives.
   *
   * @param answers whether it lives for all that: after the data of a site is cleared, page and worker do not see
   *   the same locks
   */
  followLock(name: string, answers: () => Promise<boolean>): void {
    const { signal } = this.#waiting
    const free = async (): Promise<void> => {
      if (await answers()) return
      if (!signal.aborted) this.end(workerFailed('The worker was ended by the browser.'))
    }
    navigator.locks?.request(name, { signal }, () => void free()).catch(() => undefined)
  }

  /** Ends the worker; an error alone would leave it running, with calls that nobody answers. */
  end(why: SessionQueryError): void {
    this.#waiting.abort()
    this.#terminate()
    this.#ended(why)
  }

  #failed(event: ErrorEvent): void {
    event.preventDefault()
    this.end(
      typeof event.message === 'string' && event.message !== ''
        ? workerFailed('The worker threw an error and was ended.', new Error(event.message))
        : workerFailed(
            'The worker could not be loaded; is worker.js served where the page looks for it?',
          ),
    )
  }
}

/** The error of a worker that cannot answer. */
export function workerFailed(message: string, cause?: unknown): SessionQueryError {
  return new SessionQueryError(
    'SESSION_QUERY_WORKER_FAILED',
    message,
    cause === undefined ? {} : { cause },
  )
}

function startWorker(source: WorkerSource | undefined): Worker {
  const made = typeof source === 'function' ? madeBy(source) : (source ?? bundledWorker())
  if (!(made instanceof Worker)) {
    throw invalidConfig(
      `worker is ${quoted(made)}; it has to be a Worker or a function that returns one.`,
    )
  }
  if (inUse.has(made)) {
    throw invalidConfig('worker is used by another corpus; each corpus needs a worker of its own.')
  }
  inUse.add(made)
  return made
}

const inUse = new WeakSet<Worker>()

function madeBy(source: () => Worker): Worker {
  try {
    return source()
  } catch (cause) {
    throw workerFailed('The function given as worker threw an error.', cause)
  }
}

function bundledWorker(): Worker {
  try {
    // Bundlers look for exactly this expression.
    return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
  } catch (cause) {
    throw workerFailed(
      'The browser refused to start the worker; a security policy may forbid it.',
      cause,
    )
  }
}
