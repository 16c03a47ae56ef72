import { throwIfAborted, untilAborted } from '../core/abort.ts'
import type { AbortSignalLike } from '../core/corpus.ts'
import type { SessionQueryError } from '../core/errors.ts'
import { errorOf, fromJson, type Outcome } from '../core/protocol.ts'

/**
 * The calls that wait for the worker. Each of them ends: with what the worker answers, with the abort of
 * its signal, or with the end of the worker; Comlink by itself would leave the last two hanging.
 */
export class Calls {
  readonly #pending = new Set<(error: Error) => void>()
  #ended: SessionQueryError | undefined
  #lastId = 0

  /**
   * Makes a call. Whether it may run is judged before anything of it is looked at.
   *
   * @param prepare copies the request, before anything is waited for
   * @param send sends it under the number that it is given
   * @param cancel tells the worker that nobody waits for that number any more
   */
  async make<Request, Value>(
    signal: AbortSignalLike | undefined,
    prepare: () => Request,
    send: (callId: number, request: Request) => Promise<Outcome<Value>>,
    cancel: (callId: number) => void,
  ): Promise<Value> {
    this.#judge(signal)
    const request = prepare()
    // Whoever aborts in the same turn has the call not be made at all.
    await Promise.resolve()
    this.#judge(signal)
    this.#lastId += 1
    const callId = this.#lastId
    const answer = this.outcome(send(callId, request))
    return untilAborted(answer, signal, () => cancel(callId))
  }

  /** What an outcome stands for: its value, or its failure thrown. */
  async outcome<Value>(outcome: Promise<Outcome<Value>>): Promise<Value> {
    const settled = await this.settle(outcome)
    if (!settled.ok) throw errorOf(settled.failure)
    return fromJson(settled.value)
  }

  /** The promise itself, unless the worker ends first. */
  async settle<Value>(promise: Promise<Value>): Promise<Value> {
    if (this.#ended !== undefined) throw this.#ended
    return new Promise((resolve, reject) => {
      this.#pending.add(reject)
      promise.then(resolve, reject).finally(() => this.#pending.delete(reject))
    })
  }

  #judge(signal: AbortSignalLike | undefined): void {
    throwIfAborted(signal)
    if (this.#ended !== undefined) throw this.#ended
  }

  /** Ends every call that waits, and every later one, in the same way. */
  end(why: SessionQueryError): void {
    this.#ended ??= why
    for (const reject of this.#pending) reject(this.#ended)
    this.#pending.clear()
  }
}
