import { wrap, type Remote } from 'comlink'
import type { TabRole } from '../core/corpus.ts'
import type { SessionQueryError } from '../core/errors.ts'
import { persistenceFailed, quoted } from '../core/errors.ts'
import type { CorpusHost } from '../core/protocol.ts'
import { pairChannel, type TabMessage } from '../core/tabs.ts'
import { Calls } from './calls.ts'
import { hostCall, type HostCall } from './host-call.ts'
import { lookEvery } from './watchdog.ts'

/** A way to who has the databases open. */
export interface Connection {
  readonly role: TabRole
  readonly call: HostCall
  /** What calls reject with that go unanswered because he is gone; undefined as long as he is there. */
  readonly gone: SessionQueryError | undefined
  /** Whether he is gone because he hung, perhaps over one of these calls. */
  readonly hung: boolean
  /** Ends it, and every call that waits, with this. */
  end(why: SessionQueryError, hung?: boolean): void
}

/** How long the owner may give no sign of life while it is asked for one, in milliseconds. */
const silence = 8000

/** A connection to the worker of another tab. */
export class TabConnection implements Connection {
  readonly role = 'follower'
  readonly owner: string
  readonly call: HostCall
  gone: SessionQueryError | undefined
  hung = false
  readonly #calls = new Calls()
  readonly #channel: BroadcastChannel
  /** Kept, since Comlink ends what nobody refers to. */
  readonly #host: Remote<CorpusHost>
  readonly #timer: ReturnType<typeof setInterval>
  readonly #answersAgain: () => void
  #heard = performance.now()
  #asked = 0
  #silent = false

  /**
   * @param answersAgain called when the owner gives a sign of life after it had been given up
   */
  constructor(
    name: string,
    owner: string,
    tab: string,
    say: (message: TabMessage) => void,
    answersAgain: () => void,
  ) {
    this.owner = owner
    this.#answersAgain = answersAgain
    this.#channel = new BroadcastChannel(pairChannel(name, owner, tab))
    this.#channel.addEventListener('message', () => this.heard())
    this.#host = wrap<CorpusHost>(this.#channel)
    this.call = hostCall(this.#host, this.#calls, (callId) => void this.#host.cancel(callId))
    this.#timer = setInterval(() => this.#look(name, say), lookEvery)
  }

  /** A sign of life of the owner. */
  heard(): void {
    this.#heard = performance.now()
    this.#asked = 0
    if (!this.#silent) return
    this.#silent = false
    this.#answersAgain()
  }

  end(why: SessionQueryError, hung = false): void {
    if (this.gone !== undefined) return
    this.gone = why
    this.hung = hung
    clearInterval(this.#timer)
    this.#channel.close()
    this.#calls.end(why)
  }

  /** While somebody waits, or until an owner that was given up is back. */
  #look(name: string, say: (message: TabMessage) => void): void {
    if (this.#calls.waiting === 0 && !this.#silent) {
      this.heard()
      return
    }
    say({ kind: 'ping', owner: this.owner })
    this.#asked += 1
    // Counted as well as timed: a page that stood still has not been listening.
    if (performance.now() - this.#heard < silence || this.#asked * lookEvery < silence) return
    this.#silent = true
    this.#calls.interrupt(ownerSilent(name))
  }
}

/** The error while another tab has the corpus open and does not answer. */
export function ownerSilent(name: string): SessionQueryError {
  return persistenceFailed(
    'busy',
    `Another tab has the corpus ${quoted(name)} open and does not answer; it may be suspended. Close it, or try again.`,
  )
}
