import { SessionQueryError } from '../core/errors.ts'

/** Where a page of results ended. */
export interface PageEnd<State> {
  /** The request that the page answered, normalised. */
  readonly request: string
  /** State of what was searched, when it was searched. */
  readonly generation: number
  /** How many hits came before. */
  readonly offset: number
  /** The ranking that the next page goes on with. */
  readonly state: State
}

/** Cursors of one service: opaque, and worth nothing anywhere else. The ranking of recent ones is kept. */
export class Cursors<State> {
  readonly #instance: string
  readonly #ends = new Map<string, PageEnd<State>>()
  #issued = 0

  /** @param instance a random text that no other service has */
  constructor(instance: string) {
    this.#instance = instance
  }

  issue(end: PageEnd<State>): string {
    this.#issued += 1
    const cursor = `${this.#instance}.${this.#issued.toString(36)}.${checksum(`${this.#instance}${this.#issued}`)}`
    this.#ends.set(cursor, end)
    for (const oldest of this.#ends.keys()) {
      if (this.#ends.size <= kept) break
      this.#ends.delete(oldest)
    }
    return cursor
  }

  /**
   * The place that a cursor stands for.
   *
   * @throws SessionQueryError `INVALID_CURSOR` for what is not a cursor of this service and request,
   *   `STALE_CURSOR` when what was searched has changed since
   */
  resume(cursor: unknown, request: string, generation: number): PageEnd<State> {
    const end = typeof cursor === 'string' ? this.#ends.get(cursor) : undefined
    if (end === undefined) {
      if (typeof cursor === 'string' && this.#isOurs(cursor))
        throw stale('it is older than what is kept')
      throw invalid('it was not given by this corpus')
    }
    if (end.request !== request) throw invalid('it was given for another request')
    if (end.generation !== generation) throw stale('what was searched has changed since')
    return end
  }

  #isOurs(cursor: string): boolean {
    const [instance, number = '', sum, ...more] = cursor.split('.')
    const issued = Number.parseInt(number, 36)
    return (
      more.length === 0 &&
      instance === this.#instance &&
      issued.toString(36) === number &&
      issued >= 1 &&
      issued <= this.#issued &&
      sum === checksum(`${this.#instance}${issued}`)
    )
  }
}

/** How many cursors can be gone on with. */
const kept = 64

/** FNV-1a; guards against typing errors, not against attackers: a cursor gives access to nothing. */
function checksum(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}

function invalid(why: string): SessionQueryError {
  return new SessionQueryError('SESSION_QUERY_INVALID_CURSOR', `The cursor cannot be used: ${why}.`)
}

function stale(why: string): SessionQueryError {
  return new SessionQueryError(
    'SESSION_QUERY_STALE_CURSOR',
    `The cursor cannot be used any more: ${why}. Search again from the first page.`,
  )
}
