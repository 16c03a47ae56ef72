import { damagedFile } from './damaged-file.ts'

/** Length of a number as SQLite writes it: 7 bits a byte, the highest first. */
export function varintBytes(value: number): number {
  if (value < 0) return longest
  let bytes = 1
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) bytes += 1
  return bytes
}

/**
 * Writes a whole number, negative ones in two's complement.
 *
 * @returns where the next byte stands
 */
export function putVarint(target: Uint8Array, at: number, value: number): number {
  if (value < 0) return putLongest(target, at, BigInt.asUintN(64, BigInt(value)))
  const end = at + varintBytes(value)
  let rest = value
  for (let place = end - 1; place >= at; place -= 1) {
    target[place] = (rest % 128) | (place === end - 1 ? 0 : 0x80)
    rest = Math.floor(rest / 128)
  }
  return end
}

/** The ninth byte holds eight bits. */
const longest = 9

function putLongest(target: Uint8Array, at: number, value: bigint): number {
  target[at + longest - 1] = Number(value & 0xffn)
  let rest = value >> 8n
  for (let place = at + longest - 2; place >= at; place -= 1) {
    target[place] = Number(rest & 0x7fn) | 0x80
    rest >>= 7n
  }
  return at + longest
}

/** Reads numbers one after the other, and nothing behind an end. */
export class VarintReader {
  at: number
  readonly #bytes: Uint8Array
  readonly #end: number

  constructor(bytes: Uint8Array, at: number, end: number) {
    this.#bytes = bytes
    this.at = at
    this.#end = end
  }

  /** A number that is a size or a kind; one that is larger than numbers are exact comes out as large. */
  unsigned(): number {
    let value = 0
    for (let count = 1; count < longest; count += 1) {
      const byte = this.#next()
      value = value * 128 + (byte & 0x7f)
      if (byte < 0x80) return value
    }
    return value * 256 + this.#next()
  }

  /** @throws SessionQueryError as {@link damagedFile} when it cannot be held exactly */
  signed(): number {
    const start = this.at
    const value = this.unsigned()
    if (Number.isSafeInteger(value)) return value
    if (this.at - start < longest) throw damagedFile('a row has a number that is too large')
    let whole = 0n
    for (let place = start; place < this.at - 1; place += 1) {
      whole = (whole << 7n) | BigInt((this.#bytes[place] ?? 0) & 0x7f)
    }
    const signed = Number(BigInt.asIntN(64, (whole << 8n) | BigInt(this.#bytes[this.at - 1] ?? 0)))
    if (Number.isSafeInteger(signed)) return signed
    throw damagedFile('a row has a number that is too large')
  }

  #next(): number {
    const byte = this.at < this.#end ? this.#bytes[this.at] : undefined
    if (byte === undefined) throw damagedFile('a number goes on behind the end of its place')
    this.at += 1
    return byte
  }
}
