import type { SqlDatabase, SqlValue } from './database.ts'
import type { DocumentTable } from './documents.ts'
import { lastCharacter, matchAll, type Lookup, type WordPlaces } from './match-expression.ts'
import { countPhrases } from './phrase-counts.ts'

/** The documents that have something, and how often each has it. */
export interface Postings {
  readonly docs: readonly number[]
  readonly occurrences: readonly number[]
}

/** @param indexes databases with a table `words`; a doc is in one of them */
export function postingsOf(
  indexes: readonly SqlDatabase[],
  table: DocumentTable,
  { match, phrases, words }: Lookup,
): Postings {
  const postings =
    words === undefined
      ? joined(
          indexes.map((db) =>
            db.scan === undefined ? countPhrases(db, match, phrases) : scanned(db, match),
          ),
        )
      : counted(listed(indexes, words))
  return ofWholes(postings, table)
}

/** The documents that have all that is looked up, in no order. */
export function documentsWith(
  indexes: readonly SqlDatabase[],
  table: DocumentTable,
  lookups: readonly Lookup[],
): readonly number[] {
  const docs = matching(indexes, matchAll(lookups)).map((doc) => table.wholeOf(doc))
  const inPieces = table.inPieces()
  if (inPieces.size === 0 || lookups.length === 1) return docs
  // One piece may have this of it and another that.
  const each = lookups.map(
    ({ match }) => new Set(matching(indexes, match).map((doc) => table.wholeOf(doc))),
  )
  return [...docs, ...Array.from(inPieces).filter((doc) => each.every((found) => found.has(doc)))]
}

function matching(indexes: readonly SqlDatabase[], match: string): readonly number[] {
  return indexes.flatMap((db) =>
    numbers(db, 'SELECT rowid FROM {words} WHERE {words} MATCH ?1', [match]),
  )
}

function scanned(db: SqlDatabase, match: string): Postings {
  const docs: number[] = []
  const occurrences: number[] = []
  db.scan?.(match, (doc, count) => {
    docs.push(doc)
    occurrences.push(count)
  })
  return { docs, occurrences }
}

function joined(postings: readonly Postings[]): Postings {
  return {
    docs: postings.flatMap(({ docs }) => docs),
    occurrences: postings.flatMap(({ occurrences }) => occurrences),
  }
}

/** What the pieces of a document have is what it has. */
function ofWholes(postings: Postings, table: DocumentTable): Postings {
  if (table.inPieces().size === 0) return postings
  const counts = new Map<number, number>()
  for (const [at, piece] of postings.docs.entries()) {
    const doc = table.wholeOf(piece)
    counts.set(doc, (counts.get(doc) ?? 0) + (postings.occurrences[at] ?? 0))
  }
  return { docs: Array.from(counts.keys()), occurrences: Array.from(counts.values()) }
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
  return numbers(db, `SELECT doc FROM {word_instances} WHERE ${where}`, bounds)
}

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
