import { damagedFile } from './damaged-file.ts'
import { fields, fractions, headerBytes, magic } from './format.ts'
import { utf16High, utf16Low, utf8, type TextEncoding } from './texts.ts'

/** Gives bytes of a file; as many as are asked for, from an offset on. */
export type ReadBytes = (offset: number, length: number) => Uint8Array

/** What the header of a file says. */
interface FileHeader {
  readonly pageSize: number
  /** Bytes of a page that are not reserved. */
  readonly usable: number
  readonly pages: number
  readonly encoding: TextEncoding
  readonly userVersion: number
  readonly applicationId: number
}

/** The pages of a database file, of which the last used are kept. */
export class FilePages {
  readonly header: FileHeader
  readonly #read: ReadBytes
  readonly #kept = new Map<number, Uint8Array>()

  /** @throws SessionQueryError as {@link damagedFile} when its header is not that of a database */
  constructor(read: ReadBytes, size: number) {
    this.#read = read
    this.header = headerOf(exactly(read, 0, Math.min(size, headerBytes)), size)
  }

  /** A page, by its number from 1 on. */
  page(number: number): Uint8Array {
    const kept = this.#kept.get(number)
    // A copy: what is read may be a part of something larger, which would be kept with it.
    const page = kept ?? this.passing(number).slice()
    if (kept !== undefined) this.#kept.delete(number)
    else if (this.#kept.size >= Math.max(fewestKept, keptBytes / this.header.pageSize)) {
      const [oldest = 0] = this.#kept.keys()
      this.#kept.delete(oldest)
    }
    this.#kept.set(number, page)
    return page
  }

  /** A page that is read once and not kept. */
  passing(number: number): Uint8Array {
    const { pageSize, pages } = this.header
    if (number < 1 || number > pages) throw damagedFile(`page ${number} is pointed to, of ${pages}`)
    return exactly(this.#read, (number - 1) * pageSize, pageSize)
  }
}

const keptBytes = 1 << 20
const fewestKept = 24

function exactly(read: ReadBytes, offset: number, length: number): Uint8Array {
  const bytes = read(offset, length)
  if (bytes.length !== length) throw damagedFile('it ends before its last page')
  return bytes
}

function headerOf(bytes: Uint8Array, size: number): FileHeader {
  if (bytes.length < headerBytes || magic.some((letter, at) => bytes[at] !== letter)) {
    throw damagedFile('it does not begin as an SQLite database does')
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const written = view.getUint16(fields.pageSize)
  // 65536 does not fit and is written as 1.
  const pageSize = written === 1 ? 65536 : written
  const usable = pageSize - view.getUint8(fields.reserved)
  const encoding = encodings[view.getUint32(fields.encoding)]
  const valid =
    pageSize >= 512 &&
    (pageSize & (pageSize - 1)) === 0 &&
    usable >= 480 &&
    // By the first, SQLite judges whether it may write; by the second, whether it understands at all.
    view.getUint8(fields.readVersion) <= 2 &&
    fractions.every((fraction, at) => bytes[fields.maxFraction + at] === fraction) &&
    view.getUint32(fields.schemaFormat) <= 4 &&
    encoding !== undefined
  if (!valid) throw damagedFile('its header says what no header can say')
  const there = Math.floor(size / pageSize)
  const counted = view.getUint32(fields.pages)
  const counts = counted > 0 && view.getUint32(fields.validFor) === view.getUint32(fields.changes)
  if (there === 0 || (counts && counted > there)) throw damagedFile('it ends before its last page')
  return {
    pageSize,
    usable,
    pages: counts ? counted : there,
    encoding,
    userVersion: view.getUint32(fields.userVersion),
    applicationId: view.getUint32(fields.applicationId),
  }
}

/** A database without a table has not chosen yet. */
const encodings = [utf8, utf8, utf16Low, utf16High] as const
