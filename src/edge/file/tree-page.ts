import { damagedFile } from './damaged-file.ts'
import type { FilePages } from './file-pages.ts'
import { headerBytes, localBytes, pageHeaderBytes, pageTypes, type TreeKind } from './format.ts'
import { recordIn, type StoredRecord } from './read-record.ts'
import { VarintReader } from './varints.ts'

/** A page of a b-tree as it stands in a file; what it holds is judged when it is asked for. */
export class TreePage {
  readonly leaf: boolean
  /** How many cells it has. */
  readonly length: number
  readonly #pages: FilePages
  readonly #kind: TreeKind
  readonly #bytes: Uint8Array
  readonly #view: DataView
  /** Where the places of its cells begin and end. */
  readonly #places: number
  readonly #placesEnd: number
  readonly #start: number

  /** @throws SessionQueryError as {@link damagedFile} when it is no page of such a tree */
  constructor(pages: FilePages, number: number, kind: TreeKind) {
    this.#pages = pages
    this.#kind = kind
    this.#bytes = pages.page(number)
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, pages.header.usable)
    this.#start = number === 1 ? headerBytes : 0
    const type = this.#bytes[this.#start]
    this.leaf = type === pageTypes[kind].leaf
    if (!this.leaf && type !== pageTypes[kind].interior) {
      throw damagedFile(`page ${number} is not one of the ${kind} that it stands in`)
    }
    this.length = this.#view.getUint16(this.#start + 3)
    this.#places = this.#start + pageHeaderBytes[this.leaf ? 'leaf' : 'interior']
    this.#placesEnd = this.#places + this.length * 2
    if (this.#placesEnd > pages.header.usable) {
      throw damagedFile(`page ${number} has more cells than room`)
    }
  }

  /** The number of a child of an interior page; the one behind the last cell is the rightmost. */
  child(at: number): number {
    return this.#view.getUint32(at === this.length ? this.#start + 8 : this.#cell(at, childBytes))
  }

  /** The rowid of a cell of a table. */
  rowid(at: number): number {
    const numbers = this.#numbers(at)
    if (this.leaf) numbers.unsigned()
    return numbers.signed()
  }

  /** What a cell holds, of a table's leaf or of an index. */
  record(at: number): StoredRecord {
    const numbers = this.#numbers(at)
    const length = numbers.unsigned()
    if (this.#kind === 'table') numbers.signed()
    const { usable, pages } = this.#pages.header
    if (length > usable * pages) throw damagedFile('a row is longer than the file')
    const local = localBytes(this.#kind, usable, length)
    const from = numbers.at
    const to = from + local
    if (to + (local < length ? pointerBytes : 0) > usable) {
      throw damagedFile('a row goes on behind the end of its page')
    }
    if (local === length) return recordIn(this.#bytes.subarray(from, to))
    const payload = new Uint8Array(length)
    payload.set(this.#bytes.subarray(from, to))
    this.#follow(this.#view.getUint32(to), payload, local)
    return recordIn(payload)
  }

  /** Fills in what is on overflow pages. */
  #follow(first: number, payload: Uint8Array, local: number): void {
    const { usable } = this.#pages.header
    const room = usable - pointerBytes
    let next = first
    // It ends with the payload, whatever the pages point to.
    for (let at = local; at < payload.length; at += room) {
      const page = this.#pages.passing(next)
      next = new DataView(page.buffer, page.byteOffset).getUint32(0)
      payload.set(page.subarray(pointerBytes, pointerBytes + Math.min(room, payload.length - at)), at)
    }
  }

  #numbers(at: number): VarintReader {
    const skipped = this.leaf ? 0 : childBytes
    return new VarintReader(this.#bytes, this.#cell(at, skipped) + skipped, this.#pages.header.usable)
  }

  /** Where a cell begins, of which there have to be so many bytes. */
  #cell(at: number, least: number): number {
    const place = this.#view.getUint16(this.#places + at * 2)
    if (place < this.#placesEnd || place + least > this.#pages.header.usable) {
      throw damagedFile('a cell does not stand among the cells')
    }
    return place
  }
}

const childBytes = 4
const pointerBytes = 4
