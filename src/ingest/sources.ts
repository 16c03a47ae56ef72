import { abortReason, throwIfAborted } from '../core/abort.ts'
import type { AbortSignalLike } from '../core/corpus.ts'
import { quoted, SessionQueryError } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import type { Pace } from './pace.ts'

/** A log to import. A `File` is one as it is; in Node, `{ name, stream: () => createReadStream(path) }`. */
export interface LogSource {
  /** What the report and the progress call it. */
  readonly name: string
  /** In bytes; only for the progress. */
  readonly size?: number | undefined
  /** Opens the log; called once. */
  stream(): ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>
}

/** The sources of an import; they may come one by one. */
export type LogSources = Iterable<LogSource> | AsyncIterable<LogSource>

/** Sources that were looked at before the first is opened, as far as that is possible. */
export interface OpenedSources {
  readonly each: AsyncIterable<LogSource>
  /** Every source, when they are all there already. */
  readonly list?: readonly LogSource[]
}

/** A stream that could not be opened or broke off: the source's failure, not the import's. */
export class UnreadableSource extends Error {}

/**
 * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG` when `sources` are none, and from `each`
 *   when one is not a source
 */
export function openSources(sources: LogSources, signal: AbortSignalLike | undefined): OpenedSources {
  const given: unknown = sources
  // At once: a list that belongs to the page, like that of a file input, may be emptied any time.
  if (isList(given)) {
    const list = Array.from(given, checkedSource)
    return { each: inOrder(list, signal), list }
  }
  if (typeof given === 'object' && given !== null) {
    if (Symbol.asyncIterator in given) {
      return { each: untilAborted(sources as AsyncIterable<LogSource>, signal) }
    }
    if (Symbol.iterator in given) {
      return { each: inOrder(sources as Iterable<LogSource>, signal) }
    }
  }
  if (isSource(given)) {
    throw new SessionQueryError(
      'SESSION_QUERY_INVALID_CONFIG',
      `sources is a single source, ${quoted(given.name)}; it has to be a list of sources, if only with that one in it.`,
    )
  }
  throw new SessionQueryError(
    'SESSION_QUERY_INVALID_CONFIG',
    `sources is ${quoted(given)}; it has to be an array or another iterable of sources, each with a name and a stream method.`,
  )
}

/**
 * The sum of the sizes, when every source says its own. Asking a `File` for its size can mean a look
 * at the disk, so hundreds of them take a while.
 */
export async function totalSize(
  list: readonly LogSource[] | undefined,
  pace: Pace,
): Promise<number | undefined> {
  if (list === undefined) return undefined
  let total = 0
  for (const { size } of list) {
    if (typeof size !== 'number') return undefined
    total += size
    if (pace.due()) await pace.rest()
  }
  return total
}

/** An array, or what is as good as one: a `FileList`. */
function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && 'length' in value && Symbol.iterator in value
}

/**
 * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG`
 */
export function checkedSource(source: unknown): LogSource {
  if (isSource(source)) return source
  throw new SessionQueryError(
    'SESSION_QUERY_INVALID_CONFIG',
    `A source is ${quoted(source)}; it has to be an object with a name and a stream method, as a File is.`,
  )
}

function isSource(value: unknown): value is LogSource {
  if (typeof value !== 'object' || value === null) return false
  if (!('name' in value && 'stream' in value)) return false
  return typeof value.name === 'string' && typeof value.stream === 'function'
}

/**
 * The bytes of a source. The stream is closed when reading stops, for whatever reason.
 *
 * @throws UnreadableSource when the stream cannot be opened, breaks off or gives something else; the
 *   signal's own reason when it aborts
 */
export async function* readChunks(
  source: LogSource,
  signal: AbortSignalLike | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  let stream: AsyncIterable<unknown>
  try {
    stream = iterable(source.stream())
  } catch (cause) {
    throw unreadable(cause)
  }
  for await (const chunk of untilAborted(stream, signal, unreadable)) {
    if (chunk instanceof Uint8Array) yield chunk
    else if (ArrayBuffer.isView(chunk))
      yield new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    else throw unreadable(new TypeError(`the stream gave ${quoted(chunk)} where bytes were due`))
  }
}

async function* inOrder<Item>(
  items: Iterable<Item>,
  signal: AbortSignalLike | undefined,
): AsyncGenerator<Item, void, undefined> {
  for (const item of items) {
    throwIfAborted(signal)
    yield item
  }
}

/** Goes through `items`, but does not wait for the next one after an abort. */
async function* untilAborted<Item>(
  items: AsyncIterable<Item>,
  signal: AbortSignalLike | undefined,
  wrapped: (error: unknown) => unknown = (error) => error,
): AsyncGenerator<Item, void, undefined> {
  const iterator = items[Symbol.asyncIterator]()
  let over = false
  try {
    for (;;) {
      throwIfAborted(signal)
      let step: IteratorResult<Item>
      try {
        step = await orAborted(iterator.next(), signal)
      } catch (error) {
        throwIfAborted(signal)
        over = true
        throw wrapped(error)
      }
      if (step.done === true) {
        over = true
        return
      }
      yield step.value
    }
  } finally {
    // A stream that hangs must not hang the abort.
    const closing = over ? undefined : closed(iterator)
    if (signal?.aborted !== true) await closing
  }
}

async function closed(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.()
  } catch {
    // Reading is over, so nothing is lost.
  }
}

function orAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignalLike | undefined,
): Promise<Value> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(abortReason(signal))
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Not every browser can iterate over a stream. */
function iterable(
  stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncIterable<unknown> {
  const given: unknown = stream
  if (isObject(given) && typeof given['getReader'] === 'function') {
    const reader = (stream as ReadableStream<unknown>).getReader()
    return {
      [Symbol.asyncIterator]: () => ({
        async next(): Promise<IteratorResult<unknown>> {
          const { done, value } = await reader.read()
          return done ? { done, value: undefined } : { done, value }
        },
        async return() {
          await reader.cancel()
          return { done: true, value: undefined }
        },
      }),
    }
  }
  if (isObject(given) && Symbol.asyncIterator in given) return stream as AsyncIterable<unknown>
  throw new TypeError(`its stream method gave ${quoted(given)} instead of a stream`)
}

function unreadable(cause: unknown): UnreadableSource {
  return new UnreadableSource(cause instanceof Error ? cause.message : quoted(cause), { cause })
}
