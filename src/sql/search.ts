import type { EventHit, EventPage, SessionHit, SessionPage } from '../core/corpus.ts'
import { semanticText } from '../core/document.ts'
import { isSessionQueryError } from '../core/errors.ts'
import type { CheckedSearch } from '../core/request.ts'
import type { SessionEvent, SessionHeader } from '../core/session.ts'
import { excerptOf } from '../core/snippet.ts'
import type { SurfaceState } from '../core/surface.ts'
import { numberOf, textOf, type SqlDatabase, type SqlRow } from './database.ts'
import type { StoredSession, StoredSessions } from './sessions.ts'

/** Full-text search over the index; excerpts come from the log, for the hits of the page alone. */
export class IndexSearch {
  readonly #db: SqlDatabase
  readonly #sessions: StoredSessions
  readonly #snippetChars: number

  constructor(db: SqlDatabase, sessions: StoredSessions, snippetChars: number) {
    this.#db = db
    this.#sessions = sessions
    this.#snippetChars = snippetChars
  }

  /** One hit a session, by its best event, best session first. */
  sessions(search: CheckedSearch): SessionPage {
    if (search.terms.length === 0) return { items: [], searchable: false }
    const rows = this.#db.query(
      `SELECT session, seq, type, time, surface FROM (
         SELECT *, row_number() OVER (PARTITION BY session ORDER BY ${order}) AS place FROM (${matches})
       ) WHERE place = 1 ORDER BY ${order} LIMIT ?2`,
      [ftsQuery(search), search.limit],
    )
    const items = this.#hits(rows, search).map(({ header, hit }): SessionHit => {
      return { header, live: false, persisted: true, bestMatch: hit }
    })
    return { items, searchable: true }
  }

  /** Events, best first, of one session or of all. */
  events(search: CheckedSearch, within?: StoredSession): EventPage {
    const named = within === undefined ? {} : { session: within.header }
    if (search.terms.length === 0) return { items: [], searchable: false, ...named }
    const rows = this.#db.query(
      `SELECT session, seq, type, time, surface FROM (${matches})
       WHERE ?3 IS NULL OR session = ?3 ORDER BY ${order} LIMIT ?2`,
      [ftsQuery(search), search.limit, within?.session ?? null],
    )
    const items = this.#hits(rows, search).map(({ header, hit }) => ({ ...hit, header }))
    return { items, searchable: true, ...named }
  }

  /** What the page shows of the rows; an event that the log cannot give any more is passed over. */
  #hits(rows: readonly SqlRow[], search: CheckedSearch): { header: SessionHeader; hit: EventHit }[] {
    const wanted = { ...search, phraseOnly: search.match === 'phrase' }
    return rows.flatMap(([session, seq, , , surface]) => {
      const stored = this.#sessions.byNumber(numberOf(session))
      const event = this.#readable(numberOf(session), numberOf(seq))
      if (stored === undefined || event === undefined) return []
      const { header } = stored
      const hit: EventHit = {
        sessionId: header.id,
        seq: event.seq,
        type: event.type,
        time: event.time,
        surface: textOf(surface) as SurfaceState,
        ...excerptOf(semanticText(event), wanted, this.#snippetChars),
      }
      return [{ header, hit }]
    })
  }

  #readable(session: number, seq: number): SessionEvent | undefined {
    try {
      return this.#sessions.event(session, seq)
    } catch (error) {
      if (isSessionQueryError(error) && error.code === 'SESSION_QUERY_CORRUPT_SESSION') return undefined
      throw error
    }
  }
}

/** Every document that matches ?1, with its score; lower is better. */
const matches = `
  SELECT documents.*, sessions.id, score
  FROM (SELECT rowid AS doc, bm25(words) AS score FROM words WHERE words MATCH ?1)
  JOIN documents USING (doc) JOIN sessions USING (session)`

/** A total order, so that the same search always answers the same. */
const order = 'score, time DESC, id, seq DESC'

/** The query as FTS5 takes it: words are quoted, so that none of them acts as syntax. */
function ftsQuery({ terms, match, prefixLast }: CheckedSearch): string {
  const phrases = match === 'phrase' ? [terms.flat()] : terms
  const quoted = phrases.map((words) => `"${words.join(' ')}"`)
  return quoted.join(' AND ') + (prefixLast ? '*' : '')
}
