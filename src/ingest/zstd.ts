import { createByteReader, type ByteReader } from './byte-reader.ts'
import { frameMagic, isFrame, isSkippable } from './zstd-format.ts'
import { cutOff, readFrame, type FrameDamage } from './zstd-frame.ts'

/** What is wrong with a compressed stream. */
export interface ZstdDamage {
  readonly kind: 'torn-compression' | 'corrupt-compression'
  /** A sentence that names the place, in bytes of the compressed stream. */
  readonly message: string
}

/**
 * The text of a log in bytes: a stream that begins with a Zstandard frame (or a skippable one) is
 * decompressed, frame by frame, anything else comes out as it is. A piece may be empty: nothing is there
 * to be read yet, and whoever reads may let others have their turn.
 *
 * The frames and blocks are told apart here and handed to fzstd one block at a time: by itself it
 * decompresses all of a chunk in one go, however much that is, holds back what it has of a torn frame
 * while that is less than 18 bytes, passes over checksums, and cannot go on behind damage.
 *
 * Of a frame whose checksum or size is wrong, or that does not decode, nothing comes out, unless it holds
 * more than 8 MiB: such a frame is not held back until its end. Reading goes on with the next frame that
 * begins behind the beginning of the damaged one, on a new line.
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
    const next = (await reader.seek(frameMagic)) ? reader.position : undefined
    onDamage(describe(from, step.value, next))
    if (next !== undefined && lastByte !== lineFeed) yield Uint8Array.of(lineFeed)
    lastByte = lineFeed
  }
}

const lineFeed = 0x0a

function describe(from: number, damage: FrameDamage, next: number | undefined): ZstdDamage {
  const { at, reason, text } = damage
  if (next === undefined && reason === cutOff) {
    const message = `The last compressed frame is cut off after byte ${at}; everything before the tear was read.`
    return { kind: 'torn-compression', message }
  }
  const before =
    text === 'read'
      ? 'what comes before that in the frame was read'
      : `all of the frame that begins at byte ${from} was left out`
  const behind =
    next === undefined ? 'nothing behind it could be read' : `reading went on at byte ${next}`
  const message = `The compressed data is damaged at byte ${at} (${reason}); ${before}, and ${behind}.`
  return { kind: 'corrupt-compression', message }
}
