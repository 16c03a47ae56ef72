/** XXH64 with seed 0 of bytes that come in pieces. */
export interface Xxh64 {
  update(bytes: Uint8Array): void
  /** The hash of all bytes so far. */
  digest(): bigint
}

/**
 * The hash that Zstandard frames carry. Numbers of 64 bits are kept in halves: with a `bigint` for each
 * of them it would take some fifteen times as long. Only what is done once for each hash uses them.
 */
export function createXxh64(): Xxh64 {
  // Four accumulators, each its low half, then its high half.
  const state = Int32Array.of(
    ...[(prime1 + prime2) & mask, prime2, 0n, -prime1 & mask].flatMap((value) => [
      Number(value & 0xffff_ffffn) | 0,
      Number(value >> 32n) | 0,
    ]),
  )
  const tail = new Uint8Array(stripe)
  let tailLength = 0
  let length = 0

  return {
    update(bytes) {
      length += bytes.length
      let at = 0
      if (tailLength > 0) {
        at = Math.min(stripe - tailLength, bytes.length)
        tail.set(bytes.subarray(0, at), tailLength)
        tailLength += at
        if (tailLength < stripe) return
        consume(state, tail)
      }
      const whole = (bytes.length - at) & -stripe
      consume(state, bytes.subarray(at, at + whole))
      tail.set(bytes.subarray(at + whole))
      tailLength = bytes.length - at - whole
    },
    digest: () => finish(state, length, tail.subarray(0, tailLength)),
  }
}

const stripe = 32
const mask = 0xffff_ffff_ffff_ffffn
const prime1 = 0x9e37_79b1_85eb_ca87n
const prime2 = 0xc2b2_ae3d_27d4_eb4fn
const prime3 = 0x1656_67b1_9e37_79f9n
const prime4 = 0x85eb_ca77_c2b2_ae63n
const prime5 = 0x27d4_eb2f_1656_67c5n

/** Takes whole stripes of 32 bytes, eight for each accumulator: `rotl(acc + lane * prime2, 31) * prime1`. */
function consume(state: Int32Array, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 8) {
    const place = (at >> 2) & 6
    const laneLow = word(bytes, at)
    const laneHigh = word(bytes, at + 4)
    const mixedLow = Math.imul(laneLow, 0x27d4_eb4f)
    const mixedHigh =
      (highProduct(laneLow, 0xeb4f, 0x27d4) +
        Math.imul(laneHigh, 0x27d4_eb4f) +
        Math.imul(laneLow, 0xc2b2_ae3d)) |
      0
    const before = (state[place] ?? 0) >>> 0
    const low = before + (mixedLow >>> 0)
    const high = ((state[place + 1] ?? 0) + mixedHigh + (low > 0xffff_ffff ? 1 : 0)) | 0
    const turnedLow = (low << 31) | (high >>> 1)
    const turnedHigh = (high << 31) | ((low | 0) >>> 1)
    state[place] = Math.imul(turnedLow, 0x85eb_ca87)
    state[place + 1] =
      highProduct(turnedLow, 0xca87, 0x85eb) +
      Math.imul(turnedHigh, 0x85eb_ca87) +
      Math.imul(turnedLow, 0x9e37_79b1)
  }
}

function word(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  )
}

/** The high half of the product of two numbers of 32 bits, the second given as its halves. */
function highProduct(left: number, low: number, high: number): number {
  const leftLow = left & 0xffff
  const leftHigh = left >>> 16
  const first = (Math.imul(leftHigh, low) >>> 0) + (Math.imul(leftLow, low) >>> 16)
  const second = (Math.imul(leftLow, high) >>> 0) + (first & 0xffff)
  return (Math.imul(leftHigh, high) + (first >>> 16) + (second >>> 16)) | 0
}

function finish(state: Int32Array, length: number, tail: Uint8Array): bigint {
  let hash = prime5
  if (length >= stripe) {
    const accumulators = [0, 2, 4, 6].map((at) => {
      return (BigInt((state[at + 1] ?? 0) >>> 0) << 32n) | BigInt((state[at] ?? 0) >>> 0)
    })
    const turns = [1n, 7n, 12n, 18n]
    hash = accumulators.reduce((sum, value, at) => sum + rotate(value, turns[at] ?? 0n), 0n) & mask
    for (const value of accumulators) hash = times(hash ^ round(value), prime1) + prime4
  }
  hash = (hash + BigInt(length)) & mask
  let at = 0
  for (; at + 8 <= tail.length; at += 8) {
    hash = times(rotate(hash ^ round(littleEndian(tail, at, 8)), 27n), prime1) + prime4
  }
  if (at + 4 <= tail.length) {
    hash = times(rotate((hash & mask) ^ times(littleEndian(tail, at, 4), prime1), 23n), prime2) + prime3
    at += 4
  }
  for (; at < tail.length; at += 1) {
    hash = times(rotate((hash & mask) ^ times(littleEndian(tail, at, 1), prime5), 11n), prime1)
  }
  hash &= mask
  hash = times(hash ^ (hash >> 33n), prime2)
  hash = times(hash ^ (hash >> 29n), prime3)
  return hash ^ (hash >> 32n)
}

function round(lane: bigint): bigint {
  return times(rotate(times(lane, prime2), 31n), prime1)
}

function times(left: bigint, right: bigint): bigint {
  return (left * right) & mask
}

function rotate(value: bigint, by: bigint): bigint {
  const low = value & mask
  return ((low << by) | (low >> (64n - by))) & mask
}

function littleEndian(bytes: Uint8Array, at: number, size: number): bigint {
  return bytes.subarray(at, at + size).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)
}
