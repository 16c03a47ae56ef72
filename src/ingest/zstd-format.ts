/** What begins a Zstandard frame. */
export const frameMagic = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd)
/** What the format calls for at most. */
export const maxBlock = 1 << 17
/** What `zstd` itself takes without being asked to. */
const maxWindow = 1 << 27

export interface FrameHeader {
  /** How far back a block may refer, in bytes. */
  readonly window: number
  readonly checksum: boolean
  readonly contentSize: number | undefined
}

export interface BlockHeader {
  readonly last: boolean
  /** 0 raw, 1 one byte repeated, 2 compressed; there is no 3. */
  readonly type: number
  /** As the header says it: for a repeated byte, how often. */
  readonly size: number
  /** Bytes of the block behind its header. */
  readonly stored: number
}

export function isFrame(bytes: Uint8Array): boolean {
  return frameMagic.every((byte, at) => bytes[at] === byte)
}

export function isSkippable(bytes: Uint8Array): boolean {
  const [low = 0, ...high] = bytes
  return (low & 0xf0) === 0x50 && high[0] === 0x2a && high[1] === 0x4d && high[2] === 0x18
}

/**
 * Where in `bytes` a frame begins, from `from` on. Compressed data may hold the magic number by chance;
 * the byte behind it, where there is one, must be what the frame of a log has.
 */
export function findFrame(bytes: Uint8Array, from: number): number | undefined {
  for (let at = bytes.indexOf(0x28, from); at !== -1; at = bytes.indexOf(0x28, at + 1)) {
    const descriptor = bytes[at + 4] ?? 0
    if (isFrame(bytes.subarray(at, at + 4)) && (descriptor & 0b1_1011) === 0) return at
  }
  return undefined
}

/** How long a frame header is, by its fifth byte. */
export function headerSize(descriptor: number): number {
  const single = (descriptor >> 5) & 1
  const sizeFlag = descriptor >> 6
  return 6 - single + dictionarySize(descriptor) + (sizeFlag === 0 ? single : 1 << sizeFlag)
}

/** @returns the header, or what is wrong with it */
export function readHeader(bytes: Uint8Array): FrameHeader | string {
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

export function readBlockHeader(bytes: Uint8Array): BlockHeader {
  const value = littleEndian(bytes)
  const type = (value >> 1) & 3
  const size = value >> 3
  return { last: (value & 1) === 1, type, size, stored: type === 1 ? 1 : size }
}

export function littleEndian(bytes: Uint8Array): number {
  return bytes.reduceRight((value, byte) => value * 256 + byte, 0)
}

function dictionarySize(descriptor: number): number {
  return [0, 1, 2, 4][descriptor & 3] ?? 0
}
