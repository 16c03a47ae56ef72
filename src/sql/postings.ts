import type { SqlDatabase, SqlValue } from './database.ts'
import type { Lookup, WordPlaces } from './match-expression.ts'

/** The documents that have something, and how often each has it. */
export interface Postings {
  readonly docs: readonly number[]
  readonly occurrences: readonly number[]
}

/** @param indexes databases with a table `words`; a doc is in one of them */
export function postingsOf(indexes: readonly SqlDatabase[], { match, words }: Lookup): Postings {
  return words === undefined ? scanned(indexes, match) : counted(listed(indexes, words))
}

/**
 * The documents that match, in no order.
 *
 * @param match in FTS5's query syntax
 */
export function documentsWith(indexes: readonly SqlDatabase[], match: string): readonly number[] {
  return indexes.flatMap((db) => numbers(db, 'SELECT rowid FROM words WHERE words MATCH ?1', [match]))
}

function scanned(indexes: readonly SqlDatabase[], match: string): Postings {
  const docs: number[] = []
  const occurrences: number[] = []
  for (const db of indexes) {
    db.scan('words', match, (doc, count) => {
      docs.push(doc)
      occurrences.push(count)
    })
  }
  return { docs, occurrences }
}

/** The document of each place where one of the words stands, in ascending order. */
function listed(indexes: readonly SqlDatabase[], words: readonly WordPlaces[]): ArrayLike<number> {
  const lists = indexes.flatMap((db) => words.map((places) => documentsAt(db, places)))
  const [only, ...others] = lists.filter((list) => list.length > 0)
  // A list of one word is in order as it comes.
  if (others.length === 0 && words.every(({ prefix }) => !prefix)) return only ?? []
  return Int32Array.from(lists.flat()).toSorted()
}

function documentsAt(db: SqlDatabase, { word, prefix, stems }: WordPlaces): readonly number[] {
  const of = prefix ? 'term >= ?1 AND term < ?2' : 'term = ?1'
  const where = stems ? of : `${of} AND col <> 'stems'`
  const bounds = prefix ? [word, word + lastCharacter] : [word]
  return numbers(db, `SELECT doc FROM word_instances WHERE ${where}`, bounds)
}

/** Comes after every character that words have. */
const lastCharacter = '\u{10FFFF}'

function numbers(db: SqlDatabase, sql: string, values: readonly SqlValue[]): readonly number[] {
  return db.columns(sql, values)[0] ?? []
}

function counted(places: ArrayLike<number>): Postings {
  const docs: number[] = []
  const occurrences: number[] = []
  for (let at = 0; at < places.length;) {
    const doc = places[at] ?? 0
    const start = at
    while (places[at] === doc) at += 1
    docs.push(doc)
    occurrences.push(at - start)
  }
  return { docs, occurrences }
}
