import type { SqlValue } from '../../sql/database.ts'
import { bytesOfText, utf8, type TextEncoding } from './texts.ts'
import { putVarint, varintBytes } from './varints.ts'

/** A value of a row in a file. */
export type FileValue = SqlValue | bigint

/** A text or bytes of which only the length is known; enough where pages are counted. */
export interface Octets {
  readonly octets: number
}

/** Length of a record in bytes. */
export function recordBytes(values: readonly (FileValue | Octets)[]): number {
  const parts = values.map((value) => partOf(value, utf8))
  return headerLength(parts) + parts.reduce((sum, { size }) => sum + size, 0)
}

/** A row as SQLite writes it: the kinds of its values, and then those. */
export function encodedRecord(values: readonly FileValue[], encoding: TextEncoding = utf8): Uint8Array {
  const parts = values.map((value) => partOf(value, encoding))
  const header = headerLength(parts)
  const record = new Uint8Array(parts.reduce((sum, { size }) => sum + size, header))
  let at = putVarint(record, 0, header)
  for (const { type } of parts) at = putVarint(record, at, type)
  for (const { size, content } of parts) {
    put(record, at, size, content)
    at += size
  }
  return record
}

interface Part {
  /** SQLite's number for the kind and length of a value. */
  readonly type: number
  readonly size: number
  readonly content: Uint8Array | number | bigint | undefined
}

function partOf(value: FileValue | Octets, encoding: TextEncoding): Part {
  if (value === null) return { type: 0, size: 0, content: undefined }
  if (typeof value === 'bigint') return integerPart(value)
  if (typeof value === 'number') {
    // The sign of a zero is kept by a float alone.
    const whole = Number.isSafeInteger(value) && !Object.is(value, -0)
    return whole ? integerPart(value) : { type: 7, size: 8, content: value }
  }
  if (typeof value === 'string') {
    const bytes = bytesOfText(value, encoding)
    return { type: bytes.length * 2 + 13, size: bytes.length, content: bytes }
  }
  if (value instanceof Uint8Array) {
    return { type: value.length * 2 + 12, size: value.length, content: value }
  }
  return { type: value.octets * 2 + 13, size: value.octets, content: undefined }
}

function integerPart(value: number | bigint): Part {
  if (value >= 0 && value <= 1) return { type: 8 + Number(value), size: 0, content: undefined }
  const least = integers.find(({ below }) => value >= -below && value < below)
  return { type: least?.type ?? 6, size: least?.size ?? 8, content: BigInt(value) }
}

const integers = [
  { type: 1, size: 1, below: 2 ** 7 },
  { type: 2, size: 2, below: 2 ** 15 },
  { type: 3, size: 3, below: 2 ** 23 },
  { type: 4, size: 4, below: 2 ** 31 },
  { type: 5, size: 6, below: 2 ** 47 },
] as const

/** The header begins with its own length, which may be what makes it longer. */
function headerLength(parts: readonly Part[]): number {
  const types = parts.reduce((sum, { type }) => sum + varintBytes(type), 0)
  const once = types + varintBytes(types + 1)
  return varintBytes(once) + types
}

function put(record: Uint8Array, at: number, size: number, content: Part['content']): void {
  if (content === undefined) return
  if (content instanceof Uint8Array) {
    record.set(content, at)
    return
  }
  const view = new DataView(record.buffer, record.byteOffset + at, size)
  if (typeof content === 'number') {
    view.setFloat64(0, content)
    return
  }
  let rest = BigInt.asUintN(64, content)
  for (let place = size - 1; place >= 0; place -= 1) {
    view.setUint8(place, Number(rest & 0xffn))
    rest >>= 8n
  }
}
