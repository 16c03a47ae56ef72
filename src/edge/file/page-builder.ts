import { headerBytes, pageHeaderBytes, pageTypes, type TreeKind } from './format.ts'

/** A page of a b-tree in the making: cells from its end on, in the order in which they come. */
export class PageBuilder {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  /** Where the page's own header stands: behind that of the file on the first page. */
  readonly #start: number
  readonly #headerEnd: number
  /** Where each cell begins. */
  readonly #cells: number[] = []

  constructor(pageSize: number, kind: TreeKind, place: 'interior' | 'leaf', first = false) {
    this.#bytes = new Uint8Array(pageSize)
    this.#view = new DataView(this.#bytes.buffer)
    this.#start = first ? headerBytes : 0
    this.#headerEnd = this.#start + pageHeaderBytes[place]
    this.#view.setUint8(this.#start, pageTypes[kind][place])
  }

  /** Whether there is room for a cell of this length. */
  fits(length: number): boolean {
    return this.#headerEnd + (this.#cells.length + 1) * 2 <= this.#content - length
  }

  add(cell: Uint8Array): void {
    const at = this.#content - cell.length
    this.#bytes.set(cell, at)
    this.#view.setUint16(this.#headerEnd + this.#cells.length * 2, at)
    this.#cells.push(at)
  }

  /** Takes the last cell out again. */
  takeLast(): Uint8Array {
    const at = this.#content
    this.#cells.pop()
    const cell = this.#bytes.slice(at, this.#content)
    this.#bytes.fill(0, at, this.#content)
    this.#view.setUint16(this.#headerEnd + this.#cells.length * 2, 0)
    return cell
  }

  /**
   * The page.
   *
   * @param rightmost its last child, of an interior page
   */
  finished(rightmost?: number): Uint8Array {
    this.#view.setUint16(this.#start + 3, this.#cells.length)
    // 65536 is written as 0.
    this.#view.setUint16(this.#start + 5, this.#content & 0xffff)
    if (rightmost !== undefined) this.#view.setUint32(this.#start + 8, rightmost)
    return this.#bytes
  }

  get #content(): number {
    return this.#cells.at(-1) ?? this.#bytes.length
  }
}
