import { lockPage } from './format.ts'

/** Takes pages in the order of the file, or only counts them. */
export class PageNumbers {
  readonly pageSize: number
  readonly #emit: ((page: Uint8Array) => void) | undefined
  readonly #lockPage: number
  #count = 0

  /** @param emit takes the pages; without it they are only counted */
  constructor(pageSize: number, emit?: (page: Uint8Array) => void) {
    this.pageSize = pageSize
    this.#emit = emit
    this.#lockPage = lockPage(pageSize)
  }

  get count(): number {
    return this.#count
  }

  get counting(): boolean {
    return this.#emit === undefined
  }

  /** The number that the next page will have. */
  get next(): number {
    return this.after(this.#count)
  }

  /** The number of the page that comes after another. */
  after(page: number): number {
    return page + 1 === this.#lockPage ? page + 2 : page + 1
  }

  /** @returns the number of the page */
  take(page: Uint8Array): number {
    const number = this.next
    // The page that nobody uses is there all the same.
    if (number > this.#count + 1) this.#emit?.(new Uint8Array(this.pageSize))
    this.#emit?.(page)
    this.#count = number
    return number
  }

  /** Counts pages that are not made. */
  pass(pages: number): void {
    const end = this.#count + pages
    this.#count = this.#count < this.#lockPage && end >= this.#lockPage ? end + 1 : end
  }
}
