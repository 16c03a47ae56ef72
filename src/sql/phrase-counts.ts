import type { SqlDatabase } from './database.ts'
import { lastCharacter, type Phrase } from './match-expression.ts'
import type { Postings } from './postings.ts'

/**
 * The documents that match, and how often the phrases occur in each, for hosts where FTS5 cannot call functions of
 * ours: counted from the places of the words, as FTS5 itself would.
 *
 * @param match in FTS5's query syntax
 * @param phrases those of `match`
 */
export function countPhrases(db: SqlDatabase, match: string, phrases: readonly Phrase[]): Postings {
  const [docs = []] = db.columns('SELECT rowid FROM {words} WHERE {words} MATCH ?1', [match])
  const counts = new Map(docs.map((doc) => [doc, 0]))
  for (const phrase of phrases) {
    for (const doc of beginnings(db, phrase)) {
      const count = counts.get(doc)
      if (count !== undefined) counts.set(doc, count + 1)
    }
  }
  return { docs, occurrences: docs.map((doc) => counts.get(doc) ?? 0) }
}

/** The document of each place where a phrase begins. */
function beginnings(db: SqlDatabase, { words, prefix, columns }: Phrase): readonly number[] {
  const [first, ...others] = words.map((word, at) =>
    placesOf(db, word, prefix && at === words.length - 1, columns),
  )
  if (first === undefined) return []
  const following = others.map((places) => new Set(keysOf(places)))
  return keysOf(first).flatMap((key, at) =>
    following.every((keys, distance) => keys.has(key + distance + 1)) ? (first.docs[at] ?? 0) : [],
  )
}

interface Places {
  readonly docs: readonly number[]
  /** Numbers of the columns. */
  readonly columns: readonly number[]
  readonly offsets: readonly number[]
}

function placesOf(db: SqlDatabase, word: string, prefix: boolean, columns: Phrase['columns']): Places {
  const bounds = prefix ? [word, word + lastCharacter] : [word]
  const [docs = [], cols = [], offsets = []] = db.columns(
    `SELECT doc, CASE col WHEN 'parts' THEN 1 ELSE 0 END, offset FROM {word_instances}
     WHERE ${prefix ? 'term >= ?1 AND term < ?2' : 'term = ?1'} AND col ${columns === 'stems' ? '=' : '<>'} 'stems'`,
    bounds,
  )
  return { docs, columns: cols, offsets }
}

/** One number for each place; that of the next place in the same column of the same document is one more. */
function keysOf({ docs, columns, offsets }: Places): number[] {
  return docs.map((doc, at) => (doc * 2 + (columns[at] ?? 0)) * mostWords + (offsets[at] ?? 0))
}

/** More words than a column holds; times the number of documents, it is still a whole number. */
const mostWords = 2 ** 28
