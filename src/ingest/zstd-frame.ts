import { Decompress } from 'fzstd'
import type { ByteReader } from './byte-reader.ts'
import { createXxh64 } from './xxh64.ts'
import {
  findFrame,
  frameMagic,
  headerSize,
  isFrame,
  isSkippable,
  littleEndian,
  maxBlock,
  readBlockHeader,
  readHeader,
  type FrameHeader,
} from './zstd-format.ts'

/** What is wrong with a frame. */
export interface FrameDamage {
  /** In bytes of the compressed stream. */
  readonly at: number
  readonly reason: string
  /** What became of the text of the frame before that place. */
  readonly text: 'left-out' | 'read'
}

/** The reason of a frame that is cut off, by the end of the stream or by another frame. */
export const cutOff = 'it ends too early'

/**
 * Reads one frame and yields its text: when it has ended and its checksum and its size, as far as it
 * has them, are right. A frame of more than 8 MiB of text comes out block by block, and what
 * is wrong with it is told when it is found.
 *
 * Where another frame begins within what this one claims to hold, this one was torn, and written
 * behind. Of a torn frame all blocks before the tear come out; nothing says whether they are right.
 *
 * @returns what is wrong, the reader then standing where the next frame may begin at the earliest
 */
export async function* readFrame(
  reader: ByteReader,
): AsyncGenerator<Uint8Array, FrameDamage | undefined, undefined> {
  const start = reader.position
  if (!(await reader.fill(8))) {
    await reader.skip(8)
    return damaged(reader.position, cutOff)
  }
  const first = reader.peek(8)
  if (isSkippable(first)) {
    if (await reader.skip(8 + littleEndian(first.subarray(4)))) return undefined
    return damaged(reader.position, cutOff)
  }
  if (!isFrame(first)) {
    await reader.skip(1)
    return damaged(start, 'there is no frame where one should begin')
  }
  const size = headerSize(first[4] ?? 0)
  const complete = await reader.fill(size)
  const header = readHeader(reader.peek(size))
  if (complete && typeof header !== 'string') return yield* readBlocks(reader, header, size)
  await reader.skip(frameMagic.length)
  return damaged(start, typeof header === 'string' ? header : cutOff)
}

function damaged(at: number, reason: string): FrameDamage {
  return { at, reason, text: 'left-out' }
}

/** As much text is held back until its frame has ended. */
const maxHeld = 1 << 23
/** As much of the stream, and as many blocks: they may be tiny, or empty. */
const maxHeldStream = maxHeld * 2
const maxHeldBlocks = 1 << 16

/** The text of a block, and where the block stands, counted from the beginning of its frame. */
interface Block {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
  readonly raw: boolean
  readonly last: boolean
}

/** A frame that is being read. */
interface Frame {
  readonly reader: ByteReader
  readonly header: FrameHeader
  /** The blocks so far; undefined once there were too many. */
  held: Block[] | undefined
  /** Where the next block begins, counted from the reader, which stays where it is while text is held. */
  offset: number
  /** Whether its last block has been read. */
  ended: boolean
}

async function* readBlocks(
  reader: ByteReader,
  header: FrameHeader,
  headerLength: number,
): AsyncGenerator<Uint8Array, FrameDamage | undefined, undefined> {
  const frame: Frame = { reader, header, held: [], offset: headerLength, ended: false }
  const hash = createXxh64()
  const output: Uint8Array[] = []
  let decoder: Decompress | undefined
  let length = 0

  for (let last = false; !last;) {
    const start = frame.offset
    if (!(await reader.fill(start + 3))) return yield* fail(frame, start + 3, cutOff)
    const block = readBlockHeader(reader.peek(start + 3).subarray(start))
    last = block.last
    if (block.type === 3) return yield* fail(frame, start + 3, 'a block is of no known type')
    if (block.size > Math.min(maxBlock, header.window))
      return yield* fail(frame, start + 3, 'a block is larger than its frame allows')
    const end = start + 3 + block.stored
    if (!(await reader.fill(end))) return yield* fail(frame, end, cutOff)
    // Nothing comes before a first block, so one that is also the last needs no window.
    decoder ??= startDecoder(last ? maxBlock : header.window, (bytes) => output.push(bytes))
    try {
      decoder.push(reader.peek(end).subarray(start))
    } catch {
      return yield* fail(frame, end, 'a block cannot be decompressed')
    }
    const found = output.splice(0).filter((bytes) => bytes.length > 0)
    for (const bytes of found) {
      length += bytes.length
      if (header.checksum) hash.update(bytes)
      frame.held?.push({ bytes, start, end, raw: block.type === 0, last })
    }
    if (length > (header.contentSize ?? Infinity))
      return yield* fail(frame, end, wrongSize(header, length))
    if (mayHold(frame, length, end)) {
      frame.offset = end
      // Whoever reads has to have its turn also while there is nothing to read.
      yield nothing
      continue
    }
    if (!header.checksum && (await anotherFrame(frame, end)) !== undefined)
      return yield* fail(frame, end, cutOff)
    yield* frame.held?.map(({ bytes }) => bytes) ?? found
    frame.held = undefined
    frame.offset = 0
    await reader.skip(end)
  }

  frame.ended = true
  const end = frame.offset + (header.checksum ? 4 : 0)
  if (!(await reader.fill(end))) return yield* fail(frame, end, cutOff)
  if ((header.contentSize ?? length) !== length)
    return yield* fail(frame, end, wrongSize(header, length))
  if (header.checksum) {
    const sum = littleEndian(reader.peek(end).subarray(frame.offset))
    if (sum !== Number(hash.digest() & 0xffff_ffffn))
      return yield* fail(frame, end, 'the checksum of a frame does not match')
  } else if ((await anotherFrame(frame, end)) !== undefined) {
    return yield* fail(frame, end, cutOff)
  }
  for (const { bytes } of frame.held ?? []) yield bytes
  await reader.skip(end)
  return undefined
}

/** Whether the text is to wait for the end of its frame. */
function mayHold({ held }: Frame, length: number, end: number): boolean {
  if (held === undefined) return false
  return length <= maxHeld && end <= maxHeldStream && held.length <= maxHeldBlocks
}

/** Ends a frame in which something is wrong before `end`. */
async function* fail(
  frame: Frame,
  end: number,
  reason: string,
): AsyncGenerator<Uint8Array, FrameDamage, undefined> {
  const { reader, held, offset } = frame
  const another = await anotherFrame(frame, end)
  const looked = reader.peek(end)
  const streamEnd = looked.length < end && reason === cutOff ? looked.length : undefined
  const tear = another ?? streamEnd
  const at = reader.position + (tear ?? offset)
  if (tear === undefined) {
    await reader.skip(looked.length)
    return { at, reason, text: held === undefined ? 'read' : 'left-out' }
  }
  for (const { bytes, start, end: blockEnd, raw, last } of held ?? []) {
    // Behind the last block there is the checksum: more likely than a tear just there is a wrong size.
    if (last && frame.header.checksum) continue
    if (blockEnd <= tear) yield bytes
    else if (raw && start + 3 < tear) yield bytes.subarray(0, tear - start - 3)
  }
  // What is there of a block that holds its text as it is; behind the last one there is a checksum.
  const begun = frame.ended ? nothing : looked.slice(offset, tear)
  const block = readBlockHeader(begun.subarray(0, 3))
  if (begun.length > 3 && block.type === 0) yield begun.subarray(3, 3 + block.size)
  await reader.skip(tear)
  return { at, reason: cutOff, text: 'read' }
}

/** Where within a frame that goes to `end` at least another one begins, counted from the reader. */
async function anotherFrame({ reader, held }: Frame, end: number): Promise<number | undefined> {
  // It may begin before `end` and go on behind it.
  const enough = end + frameMagic.length
  await reader.fill(enough)
  const place = findFrame(reader.peek(enough), held === undefined ? 0 : frameMagic.length)
  return place !== undefined && place < end ? place : undefined
}

const nothing = new Uint8Array(0)

function wrongSize({ contentSize }: FrameHeader, length: number): string {
  return `a frame says that it holds ${contentSize} bytes and gave ${length}`
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
