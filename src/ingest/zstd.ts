import { Decompress } from 'fzstd'
import { createByteReader, type ByteReader } from './byte-reader.ts'

/** What is wrong with a compressed stream. */
export interface ZstdDamage {
  readonly kind: 'torn-compression' | 'corrupt-compression'
  /** A sentence that names the place, in bytes of the compressed stream. */
  readonly message: string
}

/**
 * The text of a log in bytes: a stream that begins with a Zstandard frame (or a skippable one) is
 * decompressed, block by block, anything else comes out as it is.
 *
 * The frames and blocks are told apart here and handed to fzstd one block at a time: by itself it
 * decompresses all of a chunk in one go, however much that is, holds back what it has of a torn frame
 * while that is less than 18 bytes, and cannot go on behind damage. Checksums are not verified.
 *
 * Where a frame is damaged, reading goes on with the next frame behind it, on a new line.
 */
export async function* plainBytes(
  chunks: AsyncIterator<Uint8Array>,
  onDamage: (damage: ZstdDamage) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = createByteReader(chunks)
  try {
    await reader.fill(4)
    const start = reader.peek(4)
    if (isFrame(start) || isSkippable(start)) yield* readFrames(reader, onDamage)
    else yield* reader.rest()
  } finally {
    await chunks.return?.()
  }
}

async function* readFrames(
  reader: ByteReader,
  onDamage: (damage: ZstdDamage) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let lastByte = lineFeed
  while (await reader.fill(1)) {
    const from = reader.position
    const frame = readFrame(reader)
    let step = await frame.next()
    for (; step.done !== true; step = await frame.next()) {
      lastByte = step.value.at(-1) ?? lastByte
      yield step.value
    }
    if (step.value === undefined) continue
    const at = reader.position
    if (at === from) await reader.skip(1)
    const next = (await reader.seek(frameMagic)) ? reader.position : undefined
    onDamage(damageAt(at, step.value, next))
    if (next !== undefined && lastByte !== lineFeed) yield Uint8Array.of(lineFeed)
    lastByte = lineFeed
  }
}

function damageAt(at: number, reason: string, next: number | undefined): ZstdDamage {
  if (next === undefined && reason === cutOff) {
    const message = `The last compressed frame is cut off after byte ${at}; everything before the tear was read.`
    return { kind: 'torn-compression', message }
  }
  const outcome =
    next === undefined ? 'everything behind that was left out' : `reading went on at byte ${next}`
  const message = `The compressed data is damaged at byte ${at} (${reason}); ${outcome}.`
  return { kind: 'corrupt-compression', message }
}

const frameMagic = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd)
const lineFeed = 0x0a
const cutOff = 'it ends too early'
/** What the format calls for at most, and what `zstd` itself takes without being asked to. */
const maxBlock = 1 << 17
const maxWindow = 1 << 27

function isFrame(bytes: Uint8Array): boolean {
  return frameMagic.every((byte, at) => bytes[at] === byte)
}

function isSkippable(bytes: Uint8Array): boolean {
  const [low = 0, ...high] = bytes
  return (low & 0xf0) === 0x50 && high[0] === 0x2a && high[1] === 0x4d && high[2] === 0x18
}

/**
 * Reads one frame and yields its content.
 *
 * @returns what is wrong, the reader then standing where it is so, or undefined
 */
async function* readFrame(
  reader: ByteReader,
): AsyncGenerator<Uint8Array, string | undefined, undefined> {
  if (!(await reader.fill(8))) return cutOff
  const start = reader.peek(8)
  if (isSkippable(start))
    return (await reader.skip(8 + littleEndian(start.subarray(4)))) ? undefined : cutOff
  if (!isFrame(start)) return 'there is no frame where one should begin'

  const size = headerSize(start[4] ?? 0)
  if (!(await reader.fill(size))) return cutOff
  const header = readHeader(reader.peek(size))
  await reader.skip(size)
  if (typeof header === 'string') return header

  let decoder: Decompress | undefined
  let output: Uint8Array[] = []
  let length = 0
  for (let last = false; !last;) {
    if (!(await reader.fill(3))) return cutOff
    const block = readBlockHeader(reader.peek(3))
    last = block.last
    if (block.type === 3) return 'a block is of no known type'
    if (block.size > Math.min(maxBlock, header.window)) return 'a block is larger than its frame allows'
    const stored = block.type === 1 ? 1 : block.size
    const ready = await reader.fill(3 + stored)
    if (block.type === 0) {
      // Text of a log has no frame in it: where one begins, this one was torn and written behind.
      await reader.fill(stored + 6)
      const next = frameStart(reader.peek(stored + 6)) ?? (ready ? undefined : Infinity)
      if (next !== undefined) {
        const usable = reader.peek(Math.min(next, 3 + stored)).slice(3)
        if (usable.length > 0) yield usable
        return cutOff
      }
    }
    if (!ready) return cutOff
    // Nothing comes before a first block, so one that is also the last needs no window.
    decoder ??= startDecoder(last ? maxBlock : header.window, (bytes) => output.push(bytes))
    try {
      decoder.push(reader.peek(3 + stored))
    } catch {
      return 'a block cannot be decompressed'
    }
    await reader.skip(3 + stored)
    for (const bytes of output) {
      length += bytes.length
      if (bytes.length > 0) yield bytes
    }
    output = []
  }
  if (header.checksum && !(await reader.skip(4))) return cutOff
  if (header.contentSize !== undefined && header.contentSize !== length) {
    return `a frame says that it holds ${header.contentSize} bytes and gave ${length}`
  }
  return undefined
}

function frameStart(bytes: Uint8Array): number | undefined {
  for (let at = bytes.indexOf(0x28); at !== -1; at = bytes.indexOf(0x28, at + 1)) {
    if (isFrame(bytes.subarray(at, at + 4))) return at
  }
  return undefined
}

/**
 * A decoder that has read a frame header of 18 bytes: with fewer, fzstd waits for more before it
 * decodes anything. The header asks for a window of at least the size given and for no checksum.
 */
function startDecoder(window: number, onBytes: (bytes: Uint8Array) => void): Decompress {
  const decoder = new Decompress(onBytes)
  const exponent = Math.max(0, Math.ceil(Math.log2(Math.max(window, 1))) - 10)
  const header = new Uint8Array(18)
  header.set(frameMagic)
  header[4] = 0b1100_0011
  header[5] = exponent << 3
  decoder.push(header)
  return decoder
}

function headerSize(descriptor: number): number {
  const single = (descriptor >> 5) & 1
  const sizeFlag = descriptor >> 6
  return 6 - single + dictionarySize(descriptor) + (sizeFlag === 0 ? single : 1 << sizeFlag)
}

function dictionarySize(descriptor: number): number {
  return [0, 1, 2, 4][descriptor & 3] ?? 0
}

interface FrameHeader {
  readonly window: number
  readonly checksum: boolean
  readonly contentSize: number | undefined
}

/** @returns the header, or what is wrong with it */
function readHeader(bytes: Uint8Array): FrameHeader | string {
  const descriptor = bytes[4] ?? 0
  if ((descriptor & 0b1000) !== 0) return 'a frame header is not valid'
  const single = (descriptor & 0b10_0000) !== 0
  const dictionary = 6 - Number(single)
  const size = dictionary + dictionarySize(descriptor)
  if (littleEndian(bytes.subarray(dictionary, size)) !== 0) return 'a frame needs a dictionary'
  const sizeBytes = bytes.subarray(size)
  const contentSize =
    sizeBytes.length === 0 ? undefined : littleEndian(sizeBytes) + (sizeBytes.length === 2 ? 256 : 0)
  const scale = 2 ** (10 + ((bytes[5] ?? 0) >> 3))
  const window = single ? (contentSize ?? 0) : scale + (scale / 8) * ((bytes[5] ?? 0) & 7)
  if (window > maxWindow)
    return `a frame needs a window of ${window} bytes, and ${maxWindow} are allowed`
  return { window, checksum: (descriptor & 0b100) !== 0, contentSize }
}

function readBlockHeader(bytes: Uint8Array): { last: boolean; type: number; size: number } {
  const value = littleEndian(bytes)
  return { last: (value & 1) === 1, type: (value >> 1) & 3, size: value >> 3 }
}

function littleEndian(bytes: Uint8Array): number {
  return bytes.reduceRight((value, byte) => value * 256 + byte, 0)
}
