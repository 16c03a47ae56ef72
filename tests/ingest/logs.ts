import type { LogSource } from '../../src/ingest/index.ts'
import { createXxh64 } from '../../src/ingest/xxh64.ts'

/** A log line for the head of a session. */
export function headerLine(id: string, more: object = {}): string {
  return JSON.stringify({ type: 'session', version: 0, id, createdAt: 1000, ...more })
}

/** A log line for an event that any log may hold. */
export function eventLine(seq: number, data: unknown = { n: seq }): string {
  return JSON.stringify({ type: 'note/added', seq, time: 1000 + seq, data })
}

/** A whole log of `count` events. */
export function logText(id: string, count: number): string {
  const lines = [headerLine(id), ...Array.from({ length: count }, (_, seq) => eventLine(seq))]
  return lines.map((line) => `${line}\n`).join('')
}

export function bytesOf(...parts: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const encoded = parts.map((part) =>
    typeof part === 'string' ? new TextEncoder().encode(part) : part,
  )
  const joined = new Uint8Array(encoded.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of encoded) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

export async function* chunked(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** A source that gives its bytes in chunks of `size`. */
export function sourceOf(content: string | Uint8Array, size = 1 << 16, name = 'log.jsonl'): LogSource {
  const bytes = bytesOf(content)
  return { name, size: bytes.length, stream: () => chunked(bytes, size) }
}

/** How to write a Zstandard frame by hand: its blocks hold the data as it is. */
export interface FrameOptions {
  readonly blockSize?: number
  /** Says how long the content is, and then needs no window of its own. */
  readonly singleSegment?: boolean
  readonly checksum?: boolean
}

export function rawFrame(
  content: string | Uint8Array,
  options: FrameOptions = {},
): Uint8Array<ArrayBuffer> {
  const { blockSize = 1 << 16, singleSegment = false, checksum = false } = options
  const bytes = bytesOf(content)
  const descriptor = (singleSegment ? 0b1010_0000 : 0) | (checksum ? 0b100 : 0)
  const parts: Uint8Array[] = [Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, descriptor)]
  parts.push(singleSegment ? number32(bytes.length) : Uint8Array.of(0x38))
  for (let at = 0, last = false; !last; at += blockSize) {
    const block = bytes.subarray(at, at + blockSize)
    last = at + blockSize >= bytes.length
    parts.push(number32((block.length << 3) | Number(last)).subarray(0, 3), block)
  }
  if (checksum) {
    const hash = createXxh64()
    hash.update(bytes)
    parts.push(number32(Number(hash.digest() & 0xffff_ffffn)))
  }
  return bytesOf(...parts)
}

export function skippableFrame(content: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytesOf(Uint8Array.of(0x5a, 0x2a, 0x4d, 0x18), number32(content.length), content)
}

function number32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}
