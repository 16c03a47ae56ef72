import { numberOf, textOf, type SqlDatabase } from './database.ts'
import { LongTexts, type EventSize } from './long-texts.ts'

/** A place in a log, by which the next events are found. */
export interface Place {
  readonly seq: number
  readonly id: number
}

export const beforeAll: Place = { seq: Number.MIN_SAFE_INTEGER, id: Number.MIN_SAFE_INTEGER }

/** An event's row, as it is. */
export interface EventRow extends Place {
  readonly type: string
  readonly time: number
  readonly json: string
}

/** What a slice may hold: some tens of milliseconds of work. */
export const sliceBytes = 1 << 18

/** The next events of a session behind a place: so many, or so many bytes, and one at least where there is one. */
export function eventRows(
  db: SqlDatabase,
  session: number,
  { seq, id }: Place,
  most: number,
  mostBytes: number = sliceBytes,
): readonly EventRow[] {
  const where = 'FROM {events} WHERE session = ?1 AND (seq, id) > (?2, ?3) ORDER BY seq, id LIMIT ?4'
  const texts = new LongTexts(db)
  const count = mostBytes === Infinity ? most : countWithin()
  return db
    .query(`SELECT seq, id, type, time, event ${where}`, [session, seq, id, count])
    .map(([rowSeq, rowId, type, time, json]) => ({
      seq: numberOf(rowSeq),
      id: numberOf(rowId),
      type: textOf(type),
      time: numberOf(time),
      json: texts.whole(numberOf(rowId), textOf(json)),
    }))

  function countWithin(): number {
    const sizes = db.columns(`SELECT id, octet_length(event) ${where}`, [session, seq, id, most])
    return withinBytes(texts.sizes(sizes), mostBytes).length
  }
}

/** The first of some events that have so many bytes together, or the first alone. */
export function withinBytes(sizes: readonly EventSize[], mostBytes = sliceBytes): readonly EventSize[] {
  let bytes = 0
  const over = sizes.findIndex(({ octets }) => {
    const full = bytes >= mostBytes
    bytes += octets
    return full
  })
  return over < 0 ? sizes : sizes.slice(0, over)
}
