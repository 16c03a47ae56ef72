import { damagedFile } from './damaged-file.ts'
import { textIn, type TextEncoding } from './texts.ts'
import { VarintReader } from './varints.ts'
import type { FileValue } from './write-record.ts'

/** A row or an entry of an index as it stands in the file. */
export interface StoredRecord {
  readonly bytes: Uint8Array
  readonly columns: readonly Column[]
}

interface Column {
  readonly type: number
  readonly from: number
  readonly to: number
}

/** @throws SessionQueryError as {@link damagedFile} */
export function recordIn(bytes: Uint8Array): StoredRecord {
  const start = new VarintReader(bytes, 0, bytes.length)
  const header = start.unsigned()
  if (header > bytes.length || header < start.at) throw damagedFile('a row is shorter than its head')
  const types = new VarintReader(bytes, start.at, header)
  const columns: Column[] = []
  let from = header
  while (types.at < header) {
    const type = types.unsigned()
    const to = from + valueBytes(type)
    if (to > bytes.length) throw damagedFile('a value goes on behind the end of its row')
    columns.push({ type, from, to })
    from = to
  }
  return { bytes, columns }
}

function valueBytes(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2)
  const size = sizes[type]
  if (size === undefined) throw damagedFile(`a value is of kind ${type}, which there is none of`)
  return size
}

const sizes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]

export function valuesOf(record: StoredRecord, encoding: TextEncoding): FileValue[] {
  return record.columns.map((column) => valueOf(record, column, encoding))
}

function valueOf(
  { bytes }: StoredRecord,
  { type, from, to }: Column,
  encoding: TextEncoding,
): FileValue {
  if (type >= 12) {
    const content = bytes.subarray(from, to)
    return type % 2 === 0 ? content.slice() : textIn(content, encoding)
  }
  return numberIn(bytes, type, from, to)
}

function numberIn(bytes: Uint8Array, type: number, from: number, to: number): number | bigint | null {
  if (type === 0) return null
  if (type >= 8) return type - 8
  const view = new DataView(bytes.buffer, bytes.byteOffset + from, to - from)
  if (type === 7) {
    const value = view.getFloat64(0)
    // SQLite reads what is no number as nothing.
    return Number.isNaN(value) ? null : value
  }
  if (type === 6) {
    const value = view.getBigInt64(0)
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value
  }
  let value = view.getInt8(0)
  for (let at = 1; at < view.byteLength; at += 1) value = value * 256 + view.getUint8(at)
  return value
}

/**
 * Compares as many columns as both have, as an index in ascending order has them: nothing, numbers, texts, bytes. Texts
 * are compared by the bytes that they are stored as.
 */
export function compareRecords(left: StoredRecord, right: StoredRecord): number {
  const shared = Math.min(left.columns.length, right.columns.length)
  for (let at = 0; at < shared; at += 1) {
    const order = compareColumns(left, left.columns[at], right, right.columns[at])
    if (order !== 0) return order
  }
  return 0
}

function compareColumns(
  left: StoredRecord,
  one: Column | undefined,
  right: StoredRecord,
  other: Column | undefined,
): number {
  if (one === undefined || other === undefined) return 0
  const [rank, otherRank] = [rankOf(one.type), rankOf(other.type)]
  if (rank !== otherRank) return rank - otherRank
  if (one.type >= 12) {
    return compareBytes(
      left.bytes.subarray(one.from, one.to),
      right.bytes.subarray(other.from, other.to),
    )
  }
  const value = numberIn(left.bytes, one.type, one.from, one.to) ?? 0
  const otherValue = numberIn(right.bytes, other.type, other.from, other.to) ?? 0
  if (value < otherValue) return -1
  return value > otherValue ? 1 : 0
}

function rankOf(type: number): number {
  if (type === 0) return 0
  if (type < 12) return 1
  return type % 2 === 1 ? 2 : 3
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const shared = Math.min(left.length, right.length)
  for (let at = 0; at < shared; at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
