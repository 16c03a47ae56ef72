import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FileReader } from '../../src/edge/file/file-reader.ts'
import { FileWriter } from '../../src/edge/file/file-writer.ts'
import type { FileValue } from '../../src/edge/file/write-record.ts'
import { sqliteFile, written, type Tree } from './sqlite-files.ts'

const marks = { pageSize: 512, applicationId: 0x53514c67, userVersion: 7 }

const values: fc.Arbitrary<FileValue> = fc.oneof(
  fc.constant(null),
  fc.maxSafeInteger(),
  fc.integer({ min: -200, max: 200 }),
  fc.constantFrom(
    ...[7, 15, 23, 31, 47].flatMap((bits) => [
      2 ** bits - 1,
      2 ** bits,
      -(2 ** bits),
      -(2 ** bits) - 1,
    ]),
  ),
  fc.double({ noNaN: true }).filter((value) => !Number.isInteger(value)),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.nat(3000).map((length) => 'é'.repeat(length)),
  fc.uint8Array({ maxLength: 700 }),
)

/** Two columns of anything, keyed by ascending numbers. */
const rows = fc
  .uniqueArray(fc.tuple(fc.oneof(fc.nat(1000), fc.maxSafeInteger()), values, values), {
    maxLength: 60,
    selector: ([rowid]) => rowid,
  })
  .map((found) =>
    found
      .toSorted(([a], [b]) => a - b)
      .map(([rowid, one, other]) => ({ rowid, values: [null, one, other] })),
  )

const table = (tableRows: Tree['rows']): Tree => ({
  entry: {
    type: 'table',
    name: 'things',
    table: 'things',
    sql: 'CREATE TABLE things (id INTEGER PRIMARY KEY, one, other)',
  },
  rows: tableRows,
})

/** Entries in the order that SQLite gives them. */
function index(tableRows: Tree['rows']): Tree {
  const { db } = sqliteFile()
  db.query('CREATE TABLE things (id INTEGER PRIMARY KEY, one, other)')
  for (const {
    rowid,
    values: [, one = null, other = null],
  } of tableRows) {
    db.query('INSERT INTO things VALUES (?1, ?2, ?3)', [rowid, one, other] as never)
  }
  return {
    entry: {
      type: 'index',
      name: 'by_one',
      table: 'things',
      sql: 'CREATE INDEX by_one ON things (one)',
    },
    rows: db
      .query('SELECT one, id FROM things ORDER BY one, id')
      .map((entry) => ({ rowid: 0, values: entry })),
  }
}

const numbered = (length: number, text: (at: number) => string): Tree['rows'] =>
  Array.from({ length }, (_, at) => ({ rowid: at + 1, values: [null, text(at), at] }))

describe('a written file', () => {
  it('is a database to SQLite, with the rows and the index that went into it', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom(512, 1024, 8192, 65536), (given, pageSize) => {
        const bytes = written({ ...marks, pageSize }, [table(given), index(given)])
        const { db } = sqliteFile(bytes)
        expect(db.query('PRAGMA integrity_check')).toEqual([['ok']])
        expect(db.query('PRAGMA page_count')).toEqual([[bytes.length / pageSize]])
        const expected = given.map(({ rowid, values: [, one, other] }) => [rowid, one, other])
        expect(db.query('SELECT * FROM things ORDER BY id')).toEqual(expected)
        for (const [rowid, one] of expected.slice(0, 5)) {
          expect(
            db.query('SELECT id FROM things INDEXED BY by_one WHERE one IS ?1', [one] as never),
          ).toContainEqual([rowid])
        }
      }),
      { numRuns: 150 },
    )
  })

  it('has as many levels as its rows need', () => {
    const many = numbered(20_000, (at) => `row ${String(at).padStart(6, '0')}`)
    const { db } = sqliteFile(written(marks, [table(many), index(many)]))
    expect(db.query('PRAGMA integrity_check')).toEqual([['ok']])
    expect(db.query('SELECT count(*), sum(other) FROM things')).toEqual([[20_000, 199_990_000]])
    expect(
      db.query('SELECT count(*) FROM things INDEXED BY by_one WHERE one > ?1', ['row 0123']),
    ).toEqual([[20_000 - 12_300]])
    expect(db.query('EXPLAIN QUERY PLAN SELECT id FROM things WHERE one = ?1')[0]?.[3]).toMatch(
      /by_one/,
    )
  })

  it.each(Array.from({ length: 60 }, (_, at) => at + 1))(
    'is sound with %i entries of a few levels',
    (count) => {
      // Few entries fit a page, so that each count ends at another place of it.
      const given = numbered(count, (at) => String(at).padStart(90, '0'))
      const { db } = sqliteFile(written(marks, [table(given), index(given)]))
      expect(db.query('PRAGMA integrity_check')).toEqual([['ok']])
      expect(db.query('SELECT count(*) FROM things INDEXED BY by_one WHERE one >= ?1', ['0'])).toEqual([
        [count],
      ])
    },
  )

  it('says what it is', () => {
    const { db } = sqliteFile(written(marks, [table([])]))
    expect(db.query('PRAGMA application_id')).toEqual([[marks.applicationId]])
    expect(db.query('PRAGMA user_version')).toEqual([[7]])
    expect(db.query('PRAGMA journal_mode = off')).toEqual([['off']])
    expect(db.query('SELECT * FROM things')).toEqual([])
    db.query('INSERT INTO things VALUES (1, 2, 3)')
    expect(db.query('PRAGMA integrity_check')).toEqual([['ok']])
  })

  it('suits strict tables with whole numbers among the fractions', () => {
    const times = [0, 1, 1.5, -(2 ** 40), 2 ** 47, 2 ** 50, 1e300, -1e20, Number.MAX_SAFE_INTEGER]
    const strict: Tree = {
      entry: {
        type: 'table',
        name: 'times',
        table: 'times',
        sql: 'CREATE TABLE times (time REAL NOT NULL, count INTEGER NOT NULL, text TEXT) STRICT',
      },
      rows: times.map((time, at) => ({ rowid: at, values: [time, at, null] })),
    }
    const { db } = sqliteFile(written(marks, [strict]))
    expect(db.query('PRAGMA integrity_check')).toEqual([['ok']])
    expect(db.query('SELECT time, typeof(time), typeof(count) FROM times')).toEqual(
      times.map((time) => [time, 'real', 'integer']),
    )
  })

  it('can be counted by the lengths of its texts alone', () => {
    const texts = [0, 1, 57, 58, 59, 60, 100, 460, 470, 480, 508, 509, 5000, 100_000].map((n) =>
      'x'.repeat(n),
    )
    const fill = (writer: FileWriter, known: boolean): ReturnType<FileWriter['finish']> => {
      writer.begin(table([]).entry)
      for (const [at, text] of texts.entries()) {
        writer.addRow(at, [null, known ? text : { octets: text.length }, at])
      }
      writer.end()
      return writer.finish()
    }
    const layout = fill(FileWriter.counting(marks), false)
    expect(layout).toEqual(fill(FileWriter.counting(marks), true))
    const pages: Uint8Array[] = []
    expect(
      fill(
        FileWriter.writing(marks, layout, (page) => pages.push(page)),
        true,
      ),
    ).toEqual(layout)
    expect(sqliteFile(Buffer.concat(pages)).db.query('SELECT one FROM things')).toEqual(
      texts.map((text) => [text]),
    )
  })

  it('leaves out the page that SQLite sets its locks on', () => {
    const pageSize = 65536
    const fill = (writer: FileWriter): ReturnType<FileWriter['finish']> => {
      writer.begin(table([]).entry)
      for (let at = 0; at < 70; at += 1) writer.addRow(at, [null, at, large])
      writer.end()
      return writer.finish()
    }
    const large = new Uint8Array(16_000_000).fill(1)
    const layout = fill(FileWriter.counting({ ...marks, pageSize }))
    const kept = new Map<number, Uint8Array>()
    let count = 0
    fill(
      FileWriter.writing({ ...marks, pageSize }, layout, (page) => {
        count += 1
        // The blobs are all the same, so that their pages need not be kept but for where they point.
        kept.set(
          count,
          Math.abs(count - 16_385) < 3 || page[0] === 13 || page[0] === 5 || count === 1
            ? page
            : page.slice(0, 4),
        )
      }),
    )
    expect(count).toBe(layout.pages)
    expect(kept.get(16_385)?.every((byte) => byte === 0)).toBe(true)
    expect(kept.get(16_384)?.subarray(0, 4)).toEqual(Uint8Array.of(0, 0, 0x40, 0x02))
    const whole = new FileReader((offset, length) => {
      const page = new Uint8Array(pageSize).fill(1)
      page.set(kept.get(offset / pageSize + 1) ?? page)
      return page.subarray(0, length)
    }, layout.pages * pageSize)
    const [last] = whole.rows(layout.trees[0]?.root ?? 0, 69)
    expect(last?.values[1]).toBe(69)
    expect(Buffer.compare(last?.values[2] as Uint8Array, large)).toBe(0)
  })

  it('is refused when its schema does not fit the first page', () => {
    const wide: Tree = {
      entry: { ...table([]).entry, sql: `CREATE TABLE things (${'a'.repeat(500)})` },
      rows: [],
    }
    expect(() => written(marks, [wide])).toThrow(
      /does not fit into the first page of 512 bytes; things/,
    )
  })

  it('is refused when other rows come than were counted, or in another order', () => {
    const layout = (() => {
      const writer = FileWriter.counting(marks)
      writer.begin(table([]).entry)
      writer.end()
      return writer.finish()
    })()
    const writer = FileWriter.writing(marks, layout, () => undefined)
    writer.begin(table([]).entry)
    writer.addRow(2, [null, 'x'.repeat(2000), 1])
    expect(() => writer.addRow(2, [null, null, null])).toThrow(/Row 2 came after row 2/)
    expect(() => writer.end()).toThrow(/has changed since its pages were counted/)
  })
})
