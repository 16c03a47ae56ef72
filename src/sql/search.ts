import type { EventHit, EventPage, SessionHit, SessionPage, SessionRecord } from '../core/corpus.ts'
import { semanticText } from '../core/document.ts'
import { isSessionQueryError } from '../core/errors.ts'
import { eventPredicate, sessionPredicate, type EventMetadataFilter } from '../core/filter.ts'
import { conflicting } from '../core/lineage.ts'
import { headersConflict } from '../core/records.ts'
import { noSession } from '../core/request.ts'
import type { CheckedSearch } from './checked-search.ts'
import type { SessionEvent, SessionHeader } from '../core/session.ts'
import { excerptOf, type Excerpt, type Matched } from '../core/snippet.ts'
import type { Wanted } from '../core/word-places.ts'
import { Cursors } from './cursors.ts'
import type { SqlDatabase } from './database.ts'
import { surfaceStates, type DocumentTable } from './documents.ts'
import type { Deadline } from './deadline.ts'
import type { DocumentIndex } from './index-documents.ts'
import type { LiveDocuments } from './live-documents.ts'
import { bestOfSessions, firstOf, hitOrder, type HitOrder } from './order-hits.ts'
import { rankDocuments, tiers, type Candidates } from './rank-documents.ts'
import { recount, withoutNames } from './reread.ts'
import type { StoredSessions } from './sessions.ts'
import type { ShownSession } from './shown-session.ts'

export interface IndexSearchOptions {
  readonly db: SqlDatabase
  readonly sessions: StoredSessions
  readonly documents: DocumentIndex
  readonly live: LiveDocuments
  /** A random text, for cursors. */
  readonly instance: string
}

/** A session to search in. */
export interface SearchedSession {
  readonly session: number
  readonly header: SessionHeader
}

/** A search, and how it is to be run. */
export interface SearchCall {
  readonly search: CheckedSearch
  /** As the caller gave it. */
  readonly cursor: unknown
  /** Search this session alone. */
  readonly within?: SearchedSession
  readonly deadline: Deadline
  /** The longest excerpt, in code points. */
  readonly snippetChars: number
}

/** What a search found, in an order that pages are cut from. */
interface Ranking {
  readonly candidates: Candidates
  readonly order: HitOrder
  /** Places in the candidates: all of them, or the best of each session. */
  readonly places: readonly number[] | Int32Array
  /** What was looked for. */
  readonly wanted: Wanted
}

type Grouping = (ranking: Pick<Ranking, 'candidates' | 'order'>) => Ranking['places']

interface Next {
  readonly nextCursor?: string
}

/** Full-text search over the index; excerpts come from the log, for the hits of the page alone. */
export class IndexSearch {
  readonly #options: IndexSearchOptions
  readonly #cursors: Cursors<Ranking>

  constructor(options: IndexSearchOptions) {
    this.#options = options
    this.#cursors = new Cursors(options.instance)
  }

  /** One hit a session, by its best event, best session first. */
  sessions(call: SearchCall): SessionPage {
    const { documents } = this.#options
    const page = this.#page(call, this.#generation(call.search), ({ candidates, order }) =>
      bestOfSessions(documents.table, candidates, order),
    )
    const items = page.hits.map(({ record, hit }): SessionHit => ({ ...record, bestMatch: hit }))
    return { items, searchable: call.search.terms.length > 0, ...page.next }
  }

  /** Events, best first, of one session or of all. */
  events(call: SearchCall): EventPage {
    const { search, within } = call
    const { documents } = this.#options
    const generation =
      within === undefined ? this.#generation(search) : documents.generationOf(within.session)
    const page = this.#page(call, generation, ({ candidates }) =>
      candidates.docs.map((_doc, place) => place),
    )
    return {
      items: page.hits.map(({ record, hit }) => ({ ...hit, header: record.header })),
      searchable: search.terms.length > 0,
      ...page.next,
      ...(within === undefined ? {} : { session: within.header }),
    }
  }

  /**
   * The session of this id, the live one before the stored one.
   *
   * @throws SessionQueryError `SESSION_NOT_FOUND`, `SOURCE_CONFLICT`
   */
  searched(sessionId: string, search: CheckedSearch): SearchedSession {
    const { live, sessions } = this.#options
    const shown = live.find(sessionId)
    if (shown === undefined && search.liveOnly) throw noSession(sessionId)
    if (shown === undefined) return sessions.get(sessionId)
    if (this.#liveRecord(shown, search).conflict === true) throw conflicting(sessionId)
    return shown
  }

  #page(call: SearchCall, generation: number, group: Grouping): { hits: Found[]; next: Next } {
    const { search, cursor } = call
    const end = cursor === undefined ? undefined : this.#cursors.resume(cursor, search.key, generation)
    const offset = end?.offset ?? 0
    const ranking = end?.state ?? this.#ranked(call, group)
    const upTo = offset + search.limit
    const first = firstOf(ranking.places, upTo + 1, ranking.order)
    const hits = this.#hits(first.slice(offset, upTo), ranking, call)
    if (first.length <= upTo) return { hits, next: {} }
    const here = { request: search.key, generation, offset: upTo, state: ranking }
    return { hits, next: { nextCursor: this.#cursors.issue(here) } }
  }

  #ranked(call: SearchCall, group: Grouping): Ranking {
    const { documents } = this.#options
    const { table } = documents
    const indexes = this.#indexes()
    const allowed = this.#allowed(call)
    const passes = eventFilter(table, call.search.eventFilters)
    const { search } = call
    const found =
      search.terms.length === 0
        ? nothing
        : call.deadline.within(indexes, () => rankDocuments(indexes, table, search, allowed, passes))
    const wanted = wantedOf(search)
    const textOf = (doc: number): string | undefined => {
      call.deadline.check()
      const event = this.#event(table.session[doc] ?? 0, table.seq[doc] ?? 0)
      return event && semanticText(event)
    }
    const candidates = withoutNames(found, search, textOf)
    if (search.rank === 'occurrences') recount(candidates, wanted, textOf)
    const order = hitOrder(table, candidates, search.rank, (session) => documents.idOf(session))
    return { candidates, order, places: group({ candidates, order }), wanted }
  }

  /** A store that comes or goes is a change of the corpus. */
  #generation({ liveOnly }: CheckedSearch): number {
    return this.#options.documents.generation * 2 + (liveOnly ? 1 : 0)
  }

  #indexes(): SqlDatabase[] {
    const { db, live } = this.#options
    return live.db === undefined ? [db] : [db, live.db]
  }

  /** Whether a session may be searched; undefined when every one may. Stored sessions that a live one hides may not. */
  #allowed({ search, within }: SearchCall): ((session: number) => boolean) | undefined {
    const { sessions, live } = this.#options
    if (within !== undefined) return (session) => session === within.session
    const shown = live.list()
    if (!search.liveOnly && shown.length === 0 && search.sessionFilters.length === 0) return undefined
    const hidden = new Set(shown.map(({ header }) => sessions.find(header.id)?.session))
    const passing =
      search.sessionFilters.length === 0
        ? undefined
        : new Set([
            ...sessions.filtered(search.sessionFilters).map(({ session }) => session),
            ...search.openSessions.flatMap((id) => this.#openAndStored(id, search)),
            ...shown
              .filter((one) => sessionPredicate(search.sessionFilters)(this.#liveRecord(one, search)))
              .map(({ session }) => session),
          ])
    return (session) => {
      if (search.liveOnly ? session > 0 : hidden.has(session)) return false
      return passing === undefined || passing.has(session)
    }
  }

  /** What the page shows; an event that the log cannot give any more is passed over. */
  #hits(
    places: readonly number[],
    { candidates, wanted }: Ranking,
    { search, deadline, snippetChars }: SearchCall,
  ): Found[] {
    const { documents } = this.#options
    const { table } = documents
    return places.flatMap((place) => {
      // An excerpt of a long event takes a while.
      deadline.check()
      const doc = candidates.docs[place] ?? 0
      const record = this.#record(table.session[doc] ?? 0, search)
      const event = this.#event(table.session[doc] ?? 0, table.seq[doc] ?? 0)
      if (record === undefined || event === undefined) return []
      const excerpt = excerptOf(semanticText(event), wanted, snippetChars)
      const hit: EventHit = {
        sessionId: record.header.id,
        seq: event.seq,
        type: event.type,
        time: event.time,
        surface: surfaceStates[table.surface[doc] ?? 0] ?? 'log-only',
        ...excerpt,
        matched: search.match === 'auto' ? matchedIn(candidates.tier[place], excerpt) : excerpt.matched,
      }
      return [{ record, hit }]
    })
  }

  /** Its number, when a session that is open and stored passes the filters of the search as such. */
  #openAndStored(sessionId: string, { sessionFilters }: CheckedSearch): number[] {
    const stored = this.#options.sessions.find(sessionId)
    if (stored === undefined) return []
    const record = { header: stored.header, live: true, persisted: true }
    return sessionPredicate(sessionFilters)(record) ? [stored.session] : []
  }

  #record(session: number, search: CheckedSearch): SessionRecord | undefined {
    const shown = this.#options.live.byNumber(session)
    if (shown !== undefined) return this.#liveRecord(shown, search)
    const stored = this.#options.sessions.byNumber(session)
    if (stored === undefined) return undefined
    const { header } = stored
    return { header, live: search.openSessions.includes(header.id), persisted: true }
  }

  #liveRecord({ header }: ShownSession, { liveOnly }: CheckedSearch): SessionRecord {
    const stored = liveOnly ? undefined : this.#options.sessions.find(header.id)
    return {
      header,
      live: true,
      persisted: stored !== undefined,
      ...(stored !== undefined && headersConflict(header, stored.header) ? { conflict: true } : {}),
    }
  }

  #event(session: number, seq: number): SessionEvent | undefined {
    const shown = this.#options.live.byNumber(session)
    if (shown !== undefined) return shown.events.find((event) => event.seq === seq)
    try {
      return this.#options.sessions.event(session, seq)
    } catch (error) {
      if (isSessionQueryError(error) && error.code === 'SESSION_QUERY_CORRUPT_SESSION') return undefined
      throw error
    }
  }
}

interface Found {
  readonly record: SessionRecord
  readonly hit: EventHit
}

function wantedOf(search: CheckedSearch): Wanted {
  return { ...search, phraseOnly: search.match === 'phrase', inflected: search.match === 'auto' }
}

/** As the order of the hits has it, of which the excerpt shows a part. */
function matchedIn(tier: number | undefined, { matched }: Excerpt): Matched {
  if (tier === tiers.phrase) return 'phrase'
  return tier === tiers.all && matched === 'phrase' ? 'all' : matched
}

const nothing: Candidates = {
  docs: new Int32Array(0),
  tier: new Uint8Array(0),
  score: new Float64Array(0),
  spans: new Int32Array(0),
}

function eventFilter(
  table: DocumentTable,
  filters: readonly EventMetadataFilter[],
): (doc: number) => boolean {
  if (filters.length === 0) return () => true
  const passes = eventPredicate(filters)
  return (doc) =>
    passes({
      seq: table.seq[doc] ?? 0,
      time: table.time[doc] ?? 0,
      type: table.types[table.type[doc] ?? 0] ?? '',
      surface: surfaceStates[table.surface[doc] ?? 0] ?? 'log-only',
      text: '',
    })
}
