import type { SessionQueryError } from '../core/errors.ts'

interface Waiter<Value> {
  readonly come: (value: Value) => void
  readonly fail: (why: SessionQueryError) => void
}

/** Who waits for something that will come, or not. */
export class Waiting<Value> {
  readonly #waiters = new Set<Waiter<Value>>()

  /**
   * @param patience how long to wait, in milliseconds
   * @param late the error when it has not come by then
   */
  wait(patience: number, late: () => SessionQueryError): Promise<Value> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter)
        reject(late())
      }, patience)
      const settled = (): void => {
        clearTimeout(timer)
        this.#waiters.delete(waiter)
      }
      const waiter: Waiter<Value> = {
        come(value) {
          settled()
          resolve(value)
        },
        fail(why) {
          settled()
          reject(why)
        },
      }
      this.#waiters.add(waiter)
    })
  }

  /** It has come. */
  come(value: Value): void {
    for (const { come } of Array.from(this.#waiters)) come(value)
  }

  /** It will not come. */
  fail(why: SessionQueryError): void {
    for (const { fail } of Array.from(this.#waiters)) fail(why)
  }
}
