import { persistenceFailed } from '../../core/errors.ts'
import { localBytes, type TreeKind } from './format.ts'
import { PageBuilder } from './page-builder.ts'
import type { PageNumbers } from './page-numbers.ts'
import { putVarint, varintBytes } from './varints.ts'
import { encodedRecord, recordBytes, type FileValue, type Octets } from './write-record.ts'

/**
 * A b-tree that is written from its first row to its last, with one page of each level in memory. A page comes before
 * the one that points to it, so the root comes last.
 */
export class TreeBuilder {
  readonly #kind: TreeKind
  readonly #pages: PageNumbers
  /** The page in the making of each level, the leaf first. */
  readonly #levels: PageBuilder[]
  #lastRow = Number.NEGATIVE_INFINITY

  constructor(kind: TreeKind, pages: PageNumbers) {
    this.#kind = kind
    this.#pages = pages
    this.#levels = [this.#page('leaf')]
  }

  /** Adds a row of a table; rows come in ascending order. */
  addRow(rowid: number, values: readonly (FileValue | Octets)[]): void {
    if (rowid <= this.#lastRow) {
      throw persistenceFailed('failed', `Row ${rowid} came after row ${this.#lastRow}.`)
    }
    this.#add(this.#cell(values, rowid), this.#lastRow)
    this.#lastRow = rowid
  }

  /** Adds an entry of an index, the rowid as its last value; entries come in the order of the index. */
  addEntry(values: readonly (FileValue | Octets)[]): void {
    this.#add(this.#cell(values), 0)
  }

  /** @returns the number of the root */
  finish(): number {
    const [leaf = this.#page('leaf'), ...interior] = this.#levels
    const last = this.#pages.take(leaf.finished())
    return interior.reduce((child, page) => this.#pages.take(page.finished(child)), last)
  }

  /** @param lastRow the last one that is there */
  #add(cell: Uint8Array, lastRow: number): void {
    let leaf = this.#level(0)
    if (!leaf.fits(cell.length)) {
      // What separates two pages: in a table the last row of the first, in an index an entry that stands between them.
      const divider = this.#kind === 'index' ? leaf.takeLast() : varint(lastRow)
      const child = this.#pages.take(leaf.finished())
      leaf = this.#begin(0)
      this.#addChild(1, child, divider)
    }
    leaf.add(cell)
  }

  #addChild(level: number, child: number, divider: Uint8Array): void {
    const cell = new Uint8Array(pointerBytes + divider.length)
    putPointer(cell, 0, child)
    cell.set(divider, pointerBytes)
    let page = this.#level(level)
    if (!page.fits(cell.length)) {
      // Its last child needs no cell then; the next page has one at least, as every page must.
      const last = page.takeLast()
      const full = this.#pages.take(page.finished(pointerIn(last)))
      page = this.#begin(level)
      this.#addChild(level + 1, full, last.subarray(pointerBytes))
    }
    page.add(cell)
  }

  #level(level: number): PageBuilder {
    return this.#levels[level] ?? this.#begin(level)
  }

  #begin(level: number): PageBuilder {
    const page = this.#page(level === 0 ? 'leaf' : 'interior')
    this.#levels[level] = page
    return page
  }

  #page(place: 'interior' | 'leaf'): PageBuilder {
    return new PageBuilder(this.#pages.pageSize, this.#kind, place)
  }

  /** A cell of a leaf; what of it does not fit is on overflow pages by then. */
  #cell(values: readonly (FileValue | Octets)[], rowid?: number): Uint8Array {
    const { pageSize, counting } = this.#pages
    const payload = counting ? undefined : encodedRecord(values.map(known))
    const length = payload?.length ?? recordBytes(values)
    const local = localBytes(this.#kind, pageSize, length)
    const numbers = varintBytes(length) + (rowid === undefined ? 0 : varintBytes(rowid))
    const overflows = local < length
    const cell = new Uint8Array(numbers + local + (overflows ? pointerBytes : 0))
    if (payload === undefined) {
      this.#pages.pass(Math.ceil((length - local) / (pageSize - pointerBytes)))
      return cell
    }
    let at = putVarint(cell, 0, length)
    if (rowid !== undefined) at = putVarint(cell, at, rowid)
    cell.set(payload.subarray(0, local), at)
    if (overflows) putPointer(cell, at + local, this.#overflow(payload.subarray(local)))
    return cell
  }

  /** @returns the number of the first page */
  #overflow(rest: Uint8Array): number {
    const { pageSize, next: first } = this.#pages
    const room = pageSize - pointerBytes
    for (let at = 0; at < rest.length; at += room) {
      const page = new Uint8Array(pageSize)
      page.set(rest.subarray(at, at + room), pointerBytes)
      if (at + room < rest.length) putPointer(page, 0, this.#pages.after(this.#pages.next))
      this.#pages.take(page)
    }
    return first
  }
}

const pointerBytes = 4

function putPointer(target: Uint8Array, at: number, page: number): void {
  new DataView(target.buffer, target.byteOffset).setUint32(at, page)
}

function pointerIn(cell: Uint8Array): number {
  return new DataView(cell.buffer, cell.byteOffset).getUint32(0)
}

function varint(value: number): Uint8Array {
  const bytes = new Uint8Array(varintBytes(value))
  putVarint(bytes, 0, value)
  return bytes
}

function known(value: FileValue | Octets): FileValue {
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
  throw new TypeError('A value of which only the length is known can be counted, and not be written.')
}
