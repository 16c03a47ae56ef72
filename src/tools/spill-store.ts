import { persistenceFailed, quoted } from '../core/errors.ts'
import { invalidConfig, optionsObject } from '../core/options.ts'

/**
 * Keeps texts that were too long for a model. Whoever names a locator gets its text, so a store is for callers who may
 * see the same. What it throws goes to the logger, never to a model.
 */
export interface SpillStore {
  /**
   * Keeps a text, all of it or nothing.
   *
   * @param locator up to 28 lower case letters and digits, different each time
   * @param bytes the text in UTF-8; the store may keep them, nobody changes them
   */
  write(locator: string, bytes: Uint8Array): Promise<void>
  /**
   * A part of a text.
   *
   * @param from where it begins, in bytes
   * @param to where it ends, in bytes; at most the length of the text
   * @returns just these bytes; undefined where no such text is kept, or is kept no longer
   */
  read(locator: string, from: number, to: number): Promise<Uint8Array | undefined>
}

/** A store that drops the oldest texts when it has no room for the next one. */
export interface BoundedSpillStore extends SpillStore {
  /**
   * Drops all texts. They hold what sessions said, so a host that deletes sessions calls this as well.
   *
   * @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` where some could not be dropped
   */
  clear(): Promise<void>
}

export interface MemorySpillStoreOptions {
  /** The most that is kept, in bytes. Default 32 MiB. */
  readonly maxBytes?: number | undefined
}

/**
 * Keeps texts in memory, as long as this store lives.
 *
 * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG`, naming the option
 */
export function memorySpillStore(options: MemorySpillStoreOptions = {}): BoundedSpillStore {
  const maxBytes = checkedMaxBytes(optionsObject(options).maxBytes, 32)
  /** The oldest comes first. */
  const texts = new Map<string, Uint8Array>()
  let total = 0
  return {
    async write(locator, bytes) {
      checkFits(bytes, maxBytes)
      for (const [oldest, { length }] of texts) {
        if (total + bytes.length <= maxBytes) break
        texts.delete(oldest)
        total -= length
      }
      texts.set(locator, bytes)
      total += bytes.length
    },
    async read(locator, from, to) {
      return texts.get(locator)?.slice(from, to)
    },
    async clear() {
      texts.clear()
      total = 0
    },
  }
}

/**
 * `maxBytes` with its default filled in.
 *
 * @param preset in MiB
 * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG`
 */
export function checkedMaxBytes(maxBytes: unknown, preset: number): number {
  if (maxBytes === undefined) return preset * 2 ** 20
  if (Number.isSafeInteger(maxBytes) && (maxBytes as number) > 0) return maxBytes as number
  throw invalidConfig(`maxBytes is ${quoted(maxBytes)}; it has to be a whole number from 1.`)
}

/**
 * Refuses a text for which everything else would be dropped in vain.
 *
 * @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` with reason `full`
 */
export function checkFits(bytes: Uint8Array, maxBytes: number): void {
  if (bytes.length <= maxBytes) return
  throw persistenceFailed('full', `The text has ${bytes.length} bytes; maxBytes is ${maxBytes}.`)
}
