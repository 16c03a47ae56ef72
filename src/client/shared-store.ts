import { throwIfAborted, untilAborted } from '../core/abort.ts'
import type { AbortSignalLike, CallOptions, CorpusStatus, SessionStore } from '../core/corpus.ts'
import { isSessionQueryError } from '../core/errors.ts'
import type { HostedMethod, HostedRequest, HostedResult } from '../core/protocol.ts'
import { remoteStore } from '../live/remote-store.ts'
import type { SessionLocks } from './session-locks.ts'
import { SessionsOnShow } from './sessions-on-show.ts'
import type { TabSeat } from './tab-seat.ts'

export interface SharedStore extends SessionStore {
  /** Shows whoever has the databases open now what of this tab is open and not stored, also while nothing is asked. */
  reshow(): void
}

/**
 * The store of a corpus that several tabs share: whoever has the databases open answers. A call that he leaves
 * unanswered is made again, of the next one, though only once when he hung, which may be because of it: reads give what they would have given, and writes are recognised by what
 * is stored.
 *
 * @param locks where other pages can reach the databases
 */
export function sharedStore(seat: TabSeat, locks: SessionLocks | undefined): SharedStore {
  const shown = new SessionsOnShow()
  /** Settles when every call so far may be made. */
  let claimed: Promise<unknown> = Promise.resolve()

  async function call<Method extends HostedMethod>(
    method: Method,
    prepare: () => HostedRequest<Method>,
    options: CallOptions | undefined,
    written?: () => string,
  ): Promise<HostedResult<Method>> {
    const signal = options?.signal
    throwIfAborted(signal)
    seat.refuse()
    const request = prepare()
    const sessionId = written?.()
    const claim = sessionId === undefined ? undefined : locks?.write(sessionId)
    const [before, through] = [claimed, claim === undefined ? claimed : settled(claimed, claim)]
    claimed = through
    // Whoever aborts in the same turn has the call not be made at all.
    await Promise.resolve()
    // Calls keep their order, also behind one that waits for its session.
    await before
    const release = await claim
    try {
      return await made(method, request, signal)
    } finally {
      release?.()
    }
  }

  async function made<Method extends HostedMethod>(
    method: Method,
    request: HostedRequest<Method>,
    signal: AbortSignalLike | undefined,
  ): Promise<HostedResult<Method>> {
    let hangs = 0
    for (let again = false; ; again = true) {
      // Not even a turn is waited for without need: calls keep their order, with a signal or without.
      const connection = seat.connected ?? (await untilAborted(seat.connection(), signal))
      try {
        await untilAborted(shown.bring(connection), signal)
        return await connection.call(method, request, signal)
      } catch (error) {
        if (again && method === 'deleteSession' && isMissing(error)) return undefined as never
        if (error !== connection.gone) throw error
        hangs += connection.hung ? 1 : 0
        if (hangs > 1) throw error
      }
    }
  }

  const store = remoteStore(call, () => seat.close())
  return {
    ...store,
    reshow() {
      // What fails here fails again where it is of consequence: at the next call.
      if (seat.connected !== undefined) shown.bring(seat.connected).catch(() => undefined)
    },
    async showLive(request, options) {
      await store.showLive(request, options)
      shown.add(request)
    },
    async hideLive(request, options) {
      shown.remove(request.sessionId)
      await store.hideLive(request, options)
    },
    status: async (request, options) => withPlace(await store.status(request, options), seat),
  }
}

/** Settles when both have. */
function settled(...promises: readonly Promise<unknown>[]): Promise<unknown> {
  return Promise.allSettled(promises)
}

/** Whether a session is not there; after a deletion that nobody answered, it was carried out. */
function isMissing(error: unknown): boolean {
  return isSessionQueryError(error) && error.code === 'SESSION_QUERY_SESSION_NOT_FOUND'
}

async function withPlace(status: CorpusStatus, { role }: TabSeat): Promise<CorpusStatus> {
  const persistent = (await navigator.storage?.persisted?.().catch(() => false)) ?? false
  return { ...status, role, storage: { ...status.storage, persistent } }
}
