import { persistenceFailed } from '../../core/errors.ts'
import { fields, fractions, headerBytes, magic, type TreeKind } from './format.ts'
import { PageBuilder } from './page-builder.ts'
import { PageNumbers } from './page-numbers.ts'
import { TreeBuilder } from './tree-builder.ts'
import { putVarint, varintBytes } from './varints.ts'
import { encodedRecord, type FileValue, type Octets } from './write-record.ts'

/** What a file says of itself. */
export interface FileMarks {
  /** In bytes: a power of two from 512 to 65536. */
  readonly pageSize: number
  readonly applicationId: number
  readonly userVersion: number
}

/** A table or an index, as the schema of a file has it. */
export interface SchemaEntry {
  readonly type: TreeKind
  readonly name: string
  /** The table that it belongs to, or is. */
  readonly table: string
  /** The statement that makes it; null for an index that a constraint makes. */
  readonly sql: string | null
}

/** What has to be known of a file before its first page can be written. */
export interface FileLayout {
  readonly pages: number
  readonly trees: readonly (SchemaEntry & { readonly root: number })[]
}

/**
 * Writes an SQLite database page by page in the order of the file, whatever its size. The first page says where
 * everything is; so all that goes into a file is added twice, in the same order: once to be counted, and once to be
 * written.
 */
export class FileWriter {
  readonly #marks: FileMarks
  readonly #pages: PageNumbers
  readonly #expected: FileLayout | undefined
  readonly #trees: (SchemaEntry & { readonly root: number })[] = []
  #entry: SchemaEntry | undefined
  #tree: TreeBuilder | undefined

  private constructor(marks: FileMarks, pages: PageNumbers, expected?: FileLayout) {
    this.#marks = marks
    this.#pages = pages
    this.#expected = expected
  }

  /** Begins to count. Of texts and bytes the lengths suffice. */
  static counting(marks: FileMarks): FileWriter {
    const pages = new PageNumbers(marks.pageSize)
    pages.pass(1)
    return new FileWriter(marks, pages)
  }

  /**
   * Begins to write.
   *
   * @param layout what the counting came to
   * @param emit takes each page, which is its own to keep
   */
  static writing(marks: FileMarks, layout: FileLayout, emit: (page: Uint8Array) => void): FileWriter {
    const pages = new PageNumbers(marks.pageSize, emit)
    pages.take(firstPage(marks, layout))
    return new FileWriter(marks, pages, layout)
  }

  /** How many pages there are so far. */
  get pages(): number {
    return this.#pages.count
  }

  /** Begins a table or an index; one at a time. */
  begin(entry: SchemaEntry): void {
    this.#entry = entry
    this.#tree = new TreeBuilder(entry.type, this.#pages)
  }

  /** As {@link TreeBuilder.addRow}, to the table that was begun. */
  addRow(rowid: number, values: readonly (FileValue | Octets)[]): void {
    this.#tree?.addRow(rowid, values)
  }

  /** As {@link TreeBuilder.addEntry}, to the index that was begun. */
  addEntry(values: readonly (FileValue | Octets)[]): void {
    this.#tree?.addEntry(values)
  }

  /** @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` when it is not what was counted */
  end(): void {
    if (this.#entry === undefined || this.#tree === undefined) return
    const tree = { ...this.#entry, root: this.#tree.finish() }
    this.#entry = undefined
    this.#tree = undefined
    if (this.#expected !== undefined && this.#expected.trees[this.#trees.length]?.root !== tree.root) {
      throw changed()
    }
    this.#trees.push(tree)
  }

  /**
   * Ends the file.
   *
   * @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` when it is not what was counted, or when its schema
   *   does not fit into the first page
   */
  finish(): FileLayout {
    const layout = { pages: this.#pages.count, trees: this.#trees }
    if (this.#expected === undefined) firstPage(this.#marks, layout)
    else if (this.#expected.pages !== layout.pages) throw changed()
    return layout
  }
}

function changed(): Error {
  return persistenceFailed(
    'failed',
    'What goes into the file has changed since its pages were counted.',
  )
}

function firstPage(marks: FileMarks, layout: FileLayout): Uint8Array {
  const page = new PageBuilder(marks.pageSize, 'table', 'leaf', true)
  for (const [at, { type, name, table, root, sql }] of layout.trees.entries()) {
    const record = encodedRecord([type, name, table, root, sql])
    const rowid = at + 1
    const cell = new Uint8Array(varintBytes(record.length) + varintBytes(rowid) + record.length)
    cell.set(record, putVarint(cell, putVarint(cell, 0, record.length), rowid))
    if (!page.fits(cell.length)) {
      throw persistenceFailed(
        'failed',
        `The schema does not fit into the first page of ${marks.pageSize} bytes; ${name} is where it ends.`,
      )
    }
    page.add(cell)
  }
  const bytes = page.finished()
  bytes.set(fileHeader(marks, layout.pages))
  return bytes
}

function fileHeader({ pageSize, applicationId, userVersion }: FileMarks, pages: number): Uint8Array {
  const header = new Uint8Array(headerBytes)
  const view = new DataView(header.buffer)
  header.set(magic)
  // 65536 does not fit and is written as 1.
  view.setUint16(fields.pageSize, pageSize === 65536 ? 1 : pageSize)
  view.setUint8(fields.writeVersion, 1)
  view.setUint8(fields.readVersion, 1)
  header.set(fractions, fields.maxFraction)
  view.setUint32(fields.changes, 1)
  view.setUint32(fields.pages, pages)
  view.setUint32(fields.schemaCookie, 1)
  view.setUint32(fields.schemaFormat, 4)
  view.setUint32(fields.encoding, 1)
  view.setUint32(fields.userVersion, userVersion)
  view.setUint32(fields.applicationId, applicationId)
  // The number of pages counts where these two changes are the same.
  view.setUint32(fields.validFor, 1)
  view.setUint32(fields.sqliteVersion, 3_037_000)
  return header
}
