import { firstValue, numberOf, textOf, type SqlDatabase } from './database.ts'

/** The table of {@link LongTexts}, in a log whose columns do not take any text. */
export const longTextsStatement = `CREATE TABLE {long_texts} (
  owner INTEGER NOT NULL,
  part INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (owner, part)
) STRICT, WITHOUT ROWID`

/** Stands in a column for a text that is in pieces elsewhere; no JSON is this. */
const mark = '\uFFFF'

/** How many bytes the JSON of an event has. */
export interface EventSize {
  readonly id: number
  readonly octets: number
}

/**
 * What of a log is too long for a column: the JSON of an event under the event's id, that of a header under its
 * session's number below 0.
 */
export class LongTexts {
  readonly #db: SqlDatabase

  constructor(db: SqlDatabase) {
    this.#db = db
  }

  /** What goes into the column. */
  columnOf(text: string): string {
    return text.length > this.#db.longestText ? mark : text
  }

  /** Writes down a text that the column has no room for. */
  add(owner: number, text: string): void {
    const { longestText } = this.#db
    if (text.length <= longestText) return
    for (let part = 0, from = 0; from < text.length; part += 1) {
      let to = Math.min(text.length, from + longestText)
      // A text cannot hold half of a character.
      if (to < text.length && /[\uD800-\uDBFF]/.test(text.charAt(to - 1))) to -= 1
      this.#db.query('INSERT INTO {long_texts} (owner, part, text) VALUES (?1, ?2, ?3)', [
        owner,
        part,
        text.slice(from, to),
      ])
      from = to
    }
  }

  /** The text that a column holds or stands for. */
  whole(owner: number, column: string): string {
    if (column !== mark) return column
    return this.#db
      .query('SELECT text FROM {long_texts} WHERE owner = ?1 ORDER BY part', [owner])
      .map(([text]) => textOf(text))
      .join('')
  }

  /**
   * How long events are.
   *
   * @param columns of their rows, the id and `octet_length(event)`
   */
  sizes([ids = [], octets = []]: readonly (readonly number[])[]): EventSize[] {
    return ids.map((id, at) => ({ id, octets: this.octets(id, octets[at] ?? 0) }))
  }

  /** How many bytes the text has that a column of so many holds or stands for. */
  octets(owner: number, ofColumn: number): number {
    // No JSON of an event or a header is as short.
    if (ofColumn > 4 || this.#db.longestText === Infinity) return ofColumn
    return numberOf(
      firstValue(
        this.#db.query('SELECT total(octet_length(text)) FROM {long_texts} WHERE owner = ?1', [owner]),
      ),
    )
  }

  /** Removes those of a session, whose rows are there still. */
  remove(session: number): void {
    if (this.#db.longestText === Infinity) return
    this.#db.query(
      `DELETE FROM {long_texts}
       WHERE owner = -?1 OR owner IN (SELECT id FROM {events} WHERE session = ?1 AND event = ?2)`,
      [session, mark],
    )
  }
}
