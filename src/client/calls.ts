import { throwIfAborted, untilAborted } from '../core/abort.ts'
import type { AbortSignalLike } from '../core/corpus.ts'
import type { SessionQueryError } from '../core/errors.ts'
import { errorOf, fromJson, type Outcome } from '../core/protocol.ts'

/**
 * The calls that wait for the worker. Each of them ends: with what the worker answers, with the abort of
 * its signal, or with the end of the worker; Comlink by itself would leave the last two hanging.
 */
export class Calls {
  /** How each is rejected, and cancelled where that is possible. */
  readonly #pending = new Map<(error: Error) => void, (() => void) | undefined>()
  #ended: SessionQueryError | undefined
  #lastId = 0

  /**
   * Makes a call.
   *
   * @param send sends it under the number that it is given
   * @param cancel tells the worker that nobody waits for that number any more
   */
  async make<Value>(
    signal: AbortSignalLike | undefined,
    send: (callId: number) => Promise<Outcome<Value>>,
    cancel: (callId: number) => void,
  ): Promise<Value> {
    throwIfAborted(signal)
    if (this.#ended !== undefined) throw this.#ended
    this.#lastId += 1
    const callId = this.#lastId
    const answer = this.outcome(send(callId), () => cancel(callId))
    return untilAborted(answer, signal, () => cancel(callId))
  }

  /** What an outcome stands for: its value, or its failure thrown. */
  async outcome<Value>(outcome: Promise<Outcome<Value>>, cancel?: () => void): Promise<Value> {
    const settled = await this.settle(outcome, cancel)
    if (!settled.ok) throw errorOf(settled.failure)
    return fromJson(settled.value)
  }

  /** The promise itself, unless the worker ends first. */
  async settle<Value>(promise: Promise<Value>, cancel?: () => void): Promise<Value> {
    if (this.#ended !== undefined) throw this.#ended
    return new Promise((resolve, reject) => {
      this.#pending.set(reject, cancel)
      promise.then(resolve, reject).finally(() => this.#pending.delete(reject))
    })
  }

  /** How many wait. */
  get waiting(): number {
    return this.#pending.size
  }

  /** Ends every call that waits, and has it not be carried out later; other calls are made. */
  interrupt(why: SessionQueryError): void {
    for (const cancel of this.#pending.values()) cancel?.()
    this.#reject(why)
  }

  /** Ends every call that waits, and every later one, in the same way. */
  end(why: SessionQueryError): void {
    this.#ended ??= why
    this.#reject(this.#ended)
  }

  #reject(why: SessionQueryError): void {
    for (const reject of this.#pending.keys()) reject(why)
    this.#pending.clear()
  }
}
