import { damagedFile } from './damaged-file.ts'
import { FilePages, type ReadBytes } from './file-pages.ts'
import { compareRecords, recordIn, valuesOf, type StoredRecord } from './read-record.ts'
import { TreePage } from './tree-page.ts'
import { cellsFrom } from './walk-tree.ts'
import { encodedRecord, type FileValue } from './write-record.ts'

/** A row of a table. The column that is the rowid itself is null in it. */
export interface FileRow {
  readonly rowid: number
  readonly values: readonly FileValue[]
}

/** A row of a file's schema. */
export interface SchemaRow {
  readonly type: string
  readonly name: string
  readonly table: string
  readonly root: number
  readonly sql: string
}

/**
 * Reads an SQLite database that is complete by itself. What it reads ascends strictly, or it fails: who goes on behind
 * the last that he has seen always comes to an end.
 *
 * Whatever no database can hold is a `SessionQueryError` `SESSION_QUERY_PERSISTENCE_FAILED` with reason `corrupt`.
 */
export class FileReader {
  readonly #pages: FilePages

  /** @param size of the file in bytes */
  constructor(read: ReadBytes, size: number) {
    this.#pages = new FilePages(read, size)
  }

  get userVersion(): number {
    return this.#pages.header.userVersion
  }

  get applicationId(): number {
    return this.#pages.header.applicationId
  }

  schema(): SchemaRow[] {
    return Array.from(this.rows(1), ({ values: [type, name, table, root, sql] }) => ({
      type: text(type),
      name: text(name),
      table: text(table),
      root: typeof root === 'number' ? root : 0,
      sql: text(sql),
    }))
  }

  /** The row with a rowid. */
  row(root: number, rowid: number): FileRow | undefined {
    for (const row of this.rows(root, rowid)) return row.rowid === rowid ? row : undefined
    return undefined
  }

  /** The highest rowid of a table. */
  lastRowid(root: number): number | undefined {
    let number = root
    for (let left = this.#pages.header.pages; left > 0; left -= 1) {
      const page = new TreePage(this.#pages, number, 'table')
      if (page.leaf) return page.length === 0 ? undefined : page.rowid(page.length - 1)
      number = page.child(page.length)
    }
    throw damagedFile(`the pages below page ${root} go round`)
  }

  /** The rows of a table from a rowid on. */
  *rows(root: number, from = Number.MIN_SAFE_INTEGER): Generator<FileRow, void, undefined> {
    let least = from
    for (const { page, at } of cellsFrom(
      this.#pages,
      'table',
      root,
      (cell) => cell.page.rowid(cell.at) < from,
    )) {
      const rowid = page.rowid(at)
      if (rowid < least) throw damagedFile('the rows of a table are not in their order')
      least = rowid + 1
      yield { rowid, values: this.#values(page.record(at)) }
    }
  }

  /**
   * The entries of an index, each with the rowid as its last value, from the first on that is not less than a prefix.
   * Texts are compared byte by byte.
   */
  *entries(
    root: number,
    prefix: readonly FileValue[],
  ): Generator<readonly FileValue[], void, undefined> {
    const { encoding } = this.#pages.header
    const from = recordIn(encodedRecord(prefix, encoding))
    let last: StoredRecord = from
    for (const { page, at } of cellsFrom(
      this.#pages,
      'index',
      root,
      (cell) => compareRecords(cell.page.record(cell.at), from) < 0,
    )) {
      const entry = page.record(at)
      const order = compareRecords(entry, last)
      if (order < 0 || (order === 0 && last !== from)) {
        throw damagedFile('the entries of an index are not in their order')
      }
      last = entry
      yield this.#values(entry)
    }
  }

  #values(record: StoredRecord): FileValue[] {
    return valuesOf(record, this.#pages.header.encoding)
  }
}

function text(value: FileValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
