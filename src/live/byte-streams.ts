import { abortReason, untilAborted } from '../core/abort.ts'
import type { AbortSignalLike } from '../core/corpus.ts'
import { quoted } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import type { DatabaseSource } from '../core/moving.ts'
import { invalidConfig } from '../core/options.ts'

/** What a stream is made from. */
export interface PulledBytes {
  /** The bytes from an offset on; none at the end. */
  readonly read: (offset: number) => Promise<Uint8Array>
  /** Called once: the stream was read to its end, failed, or is not wanted any more. */
  readonly end: () => void
}

/** A stream that asks for bytes when its reader does, and fails with the signal's reason when that is aborted. */
export function pulledStream(
  { read, end }: PulledBytes,
  signal: AbortSignalLike | undefined,
): ReadableStream<Uint8Array> {
  const { ReadableStream: Stream } = globalThis as unknown as Platform
  let offset = 0
  let abort: (() => void) | undefined
  const ended = (): void => {
    if (abort !== undefined) signal?.removeEventListener('abort', abort)
    end()
  }
  return new Stream(
    {
      start(controller) {
        abort = () => {
          if (signal !== undefined) controller.error(abortReason(signal))
          ended()
        }
        signal?.addEventListener('abort', abort)
      },
      async pull(controller) {
        try {
          const bytes = await read(offset)
          if (signal?.aborted === true) return
          offset += bytes.length
          if (bytes.length > 0) return controller.enqueue(bytes)
          controller.close()
        } catch (error) {
          if (signal?.aborted === true) return
          controller.error(error)
        }
        ended()
      },
      cancel: ended,
    },
    { highWaterMark: 0 },
  )
}

/**
 * The bytes of a source in pieces that are neither small nor large.
 *
 * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG` for what is no source; what the source itself fails
 *   with; the signal's own reason
 */
export async function* piecesOf(
  source: DatabaseSource,
  signal: AbortSignalLike | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunksOf(source, signal)) {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      waiting.push(chunk.subarray(at, at + pieceBytes))
      length += waiting.at(-1)?.length ?? 0
      if (length < pieceBytes) continue
      yield joined(waiting, length)
      waiting = []
      length = 0
    }
  }
  if (length > 0) yield joined(waiting, length)
}

/** @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG` */
export function checkedSource(source: DatabaseSource): void {
  if (bytesIn(source) !== undefined || isStream(source)) return
  if (isObject(source) && typeof source['stream'] === 'function') return
  throw invalidConfig(
    `The source is ${quoted(source)}; it has to be a Blob, a stream of bytes, an ArrayBuffer or a Uint8Array.`,
  )
}

/** Size of a source in bytes, where it says so. */
export function sizeOf(source: DatabaseSource): number | undefined {
  const size: unknown = bytesIn(source)?.length ?? (source as { size?: unknown }).size
  return typeof size === 'number' ? size : undefined
}

/** What is sent at once. */
const pieceBytes = 1 << 18

async function* chunksOf(
  source: DatabaseSource,
  signal: AbortSignalLike | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = bytesIn(source)
  if (bytes !== undefined) {
    yield bytes
    return
  }
  const opened: unknown = isStream(source) ? source : (source as { stream(): unknown }).stream()
  if (!isStream(opened)) throw invalidConfig('The stream of the source is none.')
  const reader = opened.getReader()
  let whole = false
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), signal)
      whole = done
      if (value === undefined) return
      if (!(value instanceof Uint8Array)) {
        throw invalidConfig(`The source gave ${quoted(value)}; it has to give Uint8Arrays.`)
      }
      yield value
    }
  } finally {
    if (!whole) reader.cancel().catch(() => undefined)
  }
}

function bytesIn(source: unknown): Uint8Array | undefined {
  if (source instanceof Uint8Array) return source
  return source instanceof ArrayBuffer ? new Uint8Array(source) : undefined
}

function isStream(value: unknown): value is PlatformStream {
  return isObject(value) && typeof value['getReader'] === 'function'
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** What is used of the platform's streams, which are the same in pages, workers and servers. */
interface Platform {
  readonly ReadableStream: new (
    source: {
      start(controller: Controller): void
      pull(controller: Controller): Promise<void>
      cancel(): void
    },
    strategy: { readonly highWaterMark: number },
  ) => ReadableStream<Uint8Array>
}

interface Controller {
  enqueue(bytes: Uint8Array): void
  close(): void
  error(reason: unknown): void
}

interface PlatformStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>
    cancel(): Promise<void>
  }
}
