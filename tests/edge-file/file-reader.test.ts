import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSessionQueryError } from '../../src/core/errors.ts'
import type { SqlDatabase, SqlRow, SqlValue } from '../../src/sql/database.ts'
import type { FileReader } from '../../src/edge/file/file-reader.ts'
import { readerOf, sqliteFile } from './sqlite-files.ts'

const values: fc.Arbitrary<SqlValue> = fc.oneof(
  fc.constant(null),
  fc.maxSafeInteger(),
  fc.integer({ min: -70_000, max: 70_000 }),
  fc.double({ noNaN: true }).filter((value) => !Object.is(value, -0)),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.nat(4000).map((length) => '日'.repeat(length)),
  fc.uint8Array({ maxLength: 2000 }),
)

const rows = fc.uniqueArray(fc.tuple(fc.oneof(fc.integer(), fc.nat(300)), values, values), {
  maxLength: 80,
  selector: ([rowid]) => rowid,
})

/** A database that has been lived in: rows that came and went, free pages, an index. */
function used(given: readonly SqlRow[], pageSize: number, vacuum: string): Uint8Array {
  const { db, bytes } = sqliteFile()
  db.query(`PRAGMA page_size = ${pageSize}`)
  db.query(`PRAGMA auto_vacuum = ${vacuum}`)
  db.query('CREATE TABLE things (id INTEGER PRIMARY KEY, one, other)')
  db.query('CREATE INDEX by_one ON things (one)')
  const add = (row: SqlRow): unknown => db.query('INSERT INTO things VALUES (?1, ?2, ?3)', row)
  for (let at = -40; at < 0; at += 1) add([1e9 - at, 'gone '.repeat(300), at])
  for (const row of given) add(row)
  db.query('DELETE FROM things WHERE id > 1000000000')
  return bytes()
}

function rootOf(reader: FileReader, name: string): number {
  return reader.schema().find((row) => row.name === name)?.root ?? 0
}

function inOrder(db: SqlDatabase): readonly SqlRow[] {
  return db.query('SELECT * FROM things ORDER BY id')
}

describe('a file that SQLite made', () => {
  it('is read row for row, from any row on', () => {
    fc.assert(
      fc.property(
        rows,
        fc.constantFrom(512, 1024, 8192, 65536),
        fc.constantFrom('none', 'full', 'incremental'),
        fc.integer(),
        (given, pageSize, vacuum, from) => {
          const bytes = used(given, pageSize, vacuum)
          const expected = inOrder(sqliteFile(bytes).db)
          const reader = readerOf(bytes)
          const things = rootOf(reader, 'things')
          const read = (least?: number): unknown =>
            Array.from(reader.rows(things, least), ({ rowid, values: [, ...rest] }) => [rowid, ...rest])
          expect(read()).toEqual(expected)
          expect(read(from)).toEqual(expected.filter(([id]) => Number(id) >= from))
          expect(reader.lastRowid(things)).toEqual(expected.at(-1)?.[0])
          for (const [id, one] of expected.slice(0, 10)) {
            expect(reader.row(things, Number(id))?.values[1]).toEqual(one)
          }
          expect(reader.row(things, from)?.rowid).toBe(expected.find(([id]) => id === from)?.[0])
        },
      ),
      { numRuns: 120 },
    )
  })

  it('is read by its index, from any value on', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom(512, 4096), values, (given, pageSize, from) => {
        const bytes = used(given, pageSize, 'incremental')
        const { db } = sqliteFile(bytes)
        const reader = readerOf(bytes)
        const entries = (least: readonly SqlValue[]): unknown =>
          Array.from(reader.entries(rootOf(reader, 'by_one'), least))
        expect(entries([])).toEqual(db.query('SELECT one, id FROM things ORDER BY one, id'))
        // Nothing compares with null, which comes first.
        const [sql, bound] = from === null ? ['true', []] : ['one >= ?1', [from]]
        expect(entries([from])).toEqual(
          db.query(`SELECT one, id FROM things WHERE ${sql} ORDER BY one, id`, bound),
        )
        const [first] = given
        if (first === undefined || first[1] === null) return
        expect(entries([first[1], first[0]])).toEqual(
          db.query('SELECT one, id FROM things WHERE (one, id) >= (?1, ?2) ORDER BY one, id', [
            first[1],
            first[0],
          ]),
        )
      }),
      { numRuns: 120 },
    )
  })

  it('may have many levels', () => {
    const { db, bytes } = sqliteFile()
    db.query('PRAGMA page_size = 512')
    db.query('CREATE TABLE things (id INTEGER PRIMARY KEY, one, other)')
    db.query('CREATE INDEX by_one ON things (one)')
    db.query(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
       INSERT INTO things SELECT i, i * 7919 % 20011, 'row ' || i FROM n`,
    )
    const reader = readerOf(bytes())
    expect(Array.from(reader.rows(rootOf(reader, 'things')), ({ rowid }) => rowid)).toEqual(
      Array.from({ length: 20_000 }, (_, at) => at + 1),
    )
    expect(Array.from(reader.entries(rootOf(reader, 'by_one'), [15_000]))).toEqual(
      db.query('SELECT one, id FROM things WHERE one >= 15000 ORDER BY one'),
    )
    expect(reader.row(rootOf(reader, 'things'), 12_345)?.values[2]).toBe('row 12345')
  })

  it('keeps whole numbers that a number cannot hold, and a mark before a text', () => {
    const { db, bytes } = sqliteFile()
    db.query('CREATE TABLE things (one)')
    db.query(
      `INSERT INTO things VALUES (9223372036854775807), (-9223372036854775808), (-1), (1e300), (char(65279) || 'a')`,
    )
    const reader = readerOf(bytes())
    expect(Array.from(reader.rows(rootOf(reader, 'things')), ({ values: [one] }) => one)).toEqual([
      9223372036854775807n,
      -9223372036854775808n,
      -1,
      1e300,
      '\uFEFFa',
    ])
  })

  it.each([
    [
      'low',
      utf16(
        'eNrtlD9Lw1AUxc/Je01fQiM4OArJIgrVpZOD+Kc6CEVRO7imGiVoFUoQKXTo5OLit3ERHZwENxEnB8UPoLOot7VSBUEXFSHn8V7Ofbm5y/mRpYVSnET+2natGiZ+ARZITPg+ACVboyvrk/orKYys0Gs1sw4ey5Gqo6JlB729jGNsYRURdhEjgSpiETOYRFlOH7OYw7S4ZfGx7HmpfWnzMYgNDGGc7SFhghAVbMqYRJb1cUhZ3BRKbf/2aV6eOzKglY3LAfCeN7zgGU94yFEWOCyXqTrKuIrMOtpRoNFGecw2srrZYAV/s2zbVhI7Miaj+jh2hWtttLi7KL+uckr181G6ItRgeZYKnOenqhBSk+A9qsDU5VVFyhBuO/8muMcm93nKIx7wgee85G2a+2+g1SLL1QKWo4Ur0/guVvIzfmXANh0EMqZDgM69A0D1qIDd/C1PcOjm39ZPEJpNo/0PegEDOnUo',
      ),
    ],
    [
      'high',
      utf16(
        'eNrtlL1Lw1AUxc/Je80XjdDBUUgXsVBdOjmIH9VBKIrawTXVKKFWoQQRoUMnFxf/GxfRwUlwE3FyUPwDdBb1pkYqXXRREXrCfTn3Je8OOT+yslSJ4tDf2Gk2gtgvwQCJKd8HoKQ0ujJ6eoWvpTC2Ri85zH3wVJa+UpUNM5/LMUKEbawjxJ64WKGMZcxhGlVZfcxjAbPiVsVHUovS+4ilRlBHYZKdIYHsBKhhS8bEiI2eIVVxM6h0/MfRotx3UUiycTkMPvKOV7zgGY85zhJHZbOvVBlXkZajHQXa2lYerZal2y3KN/+TyzRNlSOCjJ1Rg7yZuIW2tbjwYbOoskoNEc/yXoim4Rkq77y8oiGENFH3qPI29uVRTdrA7eTfBg/Y5iFPeMQnXvOS57zv5/4baCVkuVrAcrRwZbe+iVXyM35nwLRTBDJ2SoDOfgJADag8u/kbnuDQzT+Z8yOEWv1o/4PeAKThdSk=',
      ),
    ],
  ])('may have texts in UTF-16, the %s byte first', (_name, bytes) => {
    const words = ['zebra', '\uFEFFmark', 'über', '日本', '😀', 'a', 'b'.repeat(60), '', null, 7]
    const reader = readerOf(bytes)
    const things = Array.from(reader.rows(rootOf(reader, 't')), (row) => row.values)
    expect(things).toEqual(words.map((word, at) => [word, at]))
    const entries = Array.from(reader.entries(rootOf(reader, 'i'), []))
    expect(new Set(entries.map(([word]) => word))).toEqual(new Set(words))
    for (const word of words) {
      expect(Array.from(reader.entries(rootOf(reader, 'i'), [word]))[0]?.[0]).toBe(word)
    }
  })

  it('may keep bytes of each page to itself', () => {
    const { db, bytes, reserve } = sqliteFile()
    reserve(40)
    db.query('PRAGMA page_size = 512')
    db.query('CREATE TABLE things (id INTEGER PRIMARY KEY, one)')
    const texts = Array.from({ length: 50 }, (_, at) => 'x'.repeat(at * 50))
    for (const text of texts) db.query('INSERT INTO things VALUES (NULL, ?1)', [text])
    expect(bytes()[20]).toBe(40)
    const reader = readerOf(bytes())
    const read = Array.from(reader.rows(rootOf(reader, 'things')), ({ values: [, one] }) => one)
    expect(read).toEqual(texts)
  })

  it('may have come out of a write-ahead log', () => {
    const bytes = used([[1, 'one', 'x'.repeat(3000)]], 1024, 'none')
    bytes.fill(2, 18, 20)
    expect(readerOf(bytes).row(rootOf(readerOf(bytes), 'things'), 1)?.values[1]).toBe('one')
  })
})

describe('a damaged file', () => {
  it('that ends too early is refused', () => {
    const bytes = sample()
    for (let length = 0; length < bytes.length; length += 97) {
      expect(() => readerOf(bytes.subarray(0, length))).toThrow(
        expect.objectContaining({ code: 'SESSION_QUERY_PERSISTENCE_FAILED', reason: 'corrupt' }),
      )
    }
    expect(readAll(bytes)).toBeGreaterThan(350)
  })

  it('gives rows or says that it is damaged, whatever its bytes are', () => {
    const bytes = sample()
    const where = fc.oneof(
      fc.nat(bytes.length - 1),
      fc.nat(200),
      fc.nat(bytes.length / 512 - 1).map((page) => page * 512 + (page % 12)),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(where, fc.nat(255)), { minLength: 1, maxLength: 40 }), (flips) => {
        const damaged = bytes.slice()
        for (const [at, value] of flips) damaged[at] = value
        expect(readAll(damaged)).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 400 },
    )
  })

  it('whose pages point to each other in a round is not read for ever', () => {
    const { db, bytes } = sqliteFile()
    db.query('PRAGMA page_size = 512')
    db.query('CREATE TABLE things (one)')
    db.query(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
       INSERT INTO things SELECT i FROM n`,
    )
    const round = bytes()
    const root = rootOf(readerOf(round), 'things')
    const view = new DataView(round.buffer, round.byteOffset)
    const page = (root - 1) * 512
    for (let cell = 0; cell < view.getUint16(page + 3); cell += 1) {
      view.setUint32(page + view.getUint16(page + 12 + cell * 2), root)
    }
    view.setUint32(page + 8, root)
    const reader = readerOf(round)
    expect(() => Array.from(reader.rows(root))).toThrow(/go round/)
    expect(() => reader.lastRowid(root)).toThrow(/go round/)
  })

  it('whose rows are not in their order is not read on', () => {
    const { db, bytes } = sqliteFile()
    db.query('PRAGMA page_size = 4096')
    db.query('CREATE TABLE things (id INTEGER PRIMARY KEY, one)')
    db.query('CREATE INDEX by_one ON things (one)')
    db.query(`INSERT INTO things VALUES (1, 'a'), (2, 'b'), (3, 'c')`)
    const mixed = bytes()
    const reader = readerOf(mixed)
    for (const name of ['things', 'by_one']) {
      const places = (rootOf(reader, name) - 1) * 4096 + 8
      const [one = 0, other = 0, ...rest] = mixed.subarray(places, places + 4)
      mixed.set([...rest, one, other], places)
    }
    expect(() => Array.from(readerOf(mixed).rows(rootOf(reader, 'things')))).toThrow(
      /not in their order/,
    )
    expect(() => Array.from(readerOf(mixed).entries(rootOf(reader, 'by_one'), []))).toThrow(
      /not in their order/,
    )
  })
})

function sample(): Uint8Array {
  return used(
    Array.from({ length: 120 }, (_, at) => [at, `k${(at * 37) % 120}`, 'v'.repeat(at * 20)]),
    512,
    'incremental',
  )
}

/** Reads all there is, each tree until it fails; whatever fails has to be damage. */
function readAll(bytes: Uint8Array): number {
  let read = 0
  const attempt = (body: () => Iterable<unknown>): void => {
    try {
      for (const _ of body()) read += 1
    } catch (error) {
      if (!isSessionQueryError(error) || error.reason !== 'corrupt') throw error
    }
  }
  attempt(() => {
    const reader = readerOf(bytes)
    const schema = reader.schema()
    for (const { root } of schema) {
      attempt(() => reader.rows(root))
      attempt(() => reader.rows(root, 50))
      attempt(() => reader.entries(root, []))
      attempt(() => reader.entries(root, ['k5']))
      attempt(() => [reader.row(root, 77), reader.lastRowid(root)])
    }
    return schema
  })
  return read
}

/** Made by a program, since the build that the tests run has no UTF-16. */
function utf16(base64: string): Uint8Array {
  return inflateSync(Buffer.from(base64, 'base64'))
}
