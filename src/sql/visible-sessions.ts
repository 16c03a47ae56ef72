import type { SessionRecord, TitleResult } from '../core/corpus.ts'
import { isSessionQueryError } from '../core/errors.ts'
import { sessionPredicate, type SessionFilter } from '../core/filter.ts'
import { headersConflict, inListOrder } from '../core/records.ts'
import type { LogAtHand } from '../core/session-reads.ts'
import type { SessionHeader, SessionLog } from '../core/session.ts'
import type { LiveDocuments } from './live-documents.ts'
import type { StoredSessions } from './sessions.ts'
import type { ShownSession } from './shown-session.ts'

/**
 * The sessions as one of several users sees them: those that are stored, and what others have open and have not stored
 * as it is there, which hides the stored ones. What he has open himself he reads himself.
 */
export class VisibleSessions {
  readonly #sessions: StoredSessions
  readonly #live: LiveDocuments
  readonly #user: string

  constructor(sessions: StoredSessions, live: LiveDocuments, user: string) {
    this.#sessions = sessions
    this.#live = live
    this.#user = user
  }

  /** The session of this id that somebody else shows. */
  shown(sessionId: string): ShownSession | undefined {
    const shown = this.#live.find(sessionId)
    return shown?.user === this.#user ? undefined : shown
  }

  /**
   * The sessions that pass every filter.
   *
   * @param open ids of those that are open in some page
   */
  records(filters: readonly SessionFilter[], open: readonly string[]): SessionRecord[] {
    const shown = this.#live
      .list()
      .filter(({ user }) => user !== this.#user)
      .map(({ header }) => this.#shownRecord(header))
    if (open.length === 0 && shown.length === 0) {
      return inListOrder(
        this.#sessions
          .filtered(filters)
          .map(({ header }) => ({ header, live: false, persisted: true })),
      )
    }
    const live = new Set(open)
    const hidden = new Set(shown.map(({ header }) => header.id))
    // By availability they are judged as records: the database does not know what is open.
    const stored = this.#sessions
      .filtered(filters.filter(({ kind }) => kind !== 'availability'))
      .filter(({ header }) => !hidden.has(header.id))
      .map(({ header }) => ({ header, live: live.has(header.id), persisted: true }))
    return inListOrder([...stored, ...shown].filter(sessionPredicate(filters)))
  }

  /** @throws SessionQueryError `SESSION_NOT_FOUND` */
  log(sessionId: string): SessionLog {
    const shown = this.shown(sessionId)
    if (shown !== undefined) return { header: shown.header, events: shown.events }
    const { header, session } = this.#sessions.get(sessionId)
    return { header, events: this.#sessions.events(session) }
  }

  title(sessionId: string): TitleResult {
    try {
      const { header, title } = this.shown(sessionId) ?? this.#storedTitle(sessionId)
      return { sessionId, status: 'fulfilled', session: header, ...(title && { title }) }
    } catch (error) {
      if (!isSessionQueryError(error)) throw error
      return { sessionId, status: 'rejected', error }
    }
  }

  #storedTitle(sessionId: string): Pick<LogAtHand, 'header' | 'title'> {
    const { session, header } = this.#sessions.get(sessionId)
    return { header, title: this.#sessions.title(session) }
  }

  #shownRecord(header: SessionHeader): SessionRecord {
    const stored = this.#sessions.find(header.id)
    return {
      header,
      live: true,
      persisted: stored !== undefined,
      ...(stored !== undefined && headersConflict(header, stored.header) ? { conflict: true } : {}),
    }
  }
}
