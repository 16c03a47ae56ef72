import { quoted } from '../core/errors.ts'
import type { ImportedDatabase, ImportState, SkippedSession, WorkDone } from '../core/moving.ts'
import type { SqlDatabase } from './database.ts'
import { IncomingSession, type Crossing, type Refusal } from './incoming-session.ts'
import type { FileRoom, LogFile } from './log-file.ts'
import { LongTexts } from './long-texts.ts'
import { unlessDamaged } from './salvage.ts'
import type { StoredSessions } from './sessions.ts'
import type { LogWriter } from './write-log.ts'

/** The log that an import goes to. */
export interface ImportTarget {
  readonly log: SqlDatabase
  readonly sessions: StoredSessions
  readonly writer: LogWriter
  /** Told of each session that has changed, as often as it has. */
  readonly changed: (sessionId: string) => void
}

/** A log file that is taken into the log: written down, judged, and merged session by session. */
export class LogImport {
  readonly #room: FileRoom
  readonly #target: ImportTarget
  #merge: Merge | undefined

  constructor(room: FileRoom, target: ImportTarget) {
    this.#room = room
    this.#target = target
  }

  /** Writes down a piece of the file. */
  write(offset: number, bytes: Uint8Array): void {
    this.#room.write(offset, bytes)
  }

  /**
   * Goes on with the merging.
   *
   * @param open sessions that somebody is writing
   * @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` when the file is not one to take in, or when the
   *   log cannot be written; the step can be repeated then
   */
  step(open: ReadonlySet<string>): WorkDone & ImportState {
    this.#merge ??= new Merge(this.#room.received(), this.#target)
    return this.#merge.step(open)
  }
}

class Merge {
  readonly #crossing: Crossing
  readonly #changed: (sessionId: string) => void
  readonly #sessions: ReturnType<LogFile['sessions']>
  readonly #total: number
  readonly #refused: SkippedSession[] = []
  readonly #counts = { created: 0, continued: 0, unchanged: 0, events: 0 }
  #at = 0
  #passed = 0
  /** The session that is on its way, and what came of it so far. */
  #incoming: IncomingSession | undefined
  #created = false
  #appended = 0

  constructor(file: LogFile, { log, sessions, writer, changed }: ImportTarget) {
    this.#crossing = { file, log, longTexts: new LongTexts(log), sessions, writer }
    this.#changed = changed
    this.#sessions = file.sessions()
    this.#total = this.#sessions.reduce((sum, { length }) => sum + length, 0)
  }

  step(open: ReadonlySet<string>): WorkDone & ImportState {
    const changes: { kind: 'added' | 'appended'; sessionId: string }[] = []
    for (let left = sliceEvents; left > 0;) {
      const current = this.#sessions[this.#at]
      if (current === undefined) break
      left -= sessionCost
      try {
        left -= this.#advance(current, open, Math.max(1, left), changes)
      } catch (error) {
        // What was done before it is told first; the next step fails in its place.
        if (changes.length === 0) throw error
        break
      }
    }
    const ended = this.#at === this.#sessions.length
    const done = ended ? this.#total : this.#passed + (this.#incoming?.done ?? 0)
    return { done, total: this.#total, changes, ...(ended ? { result: this.#result() } : {}) }
  }

  /** @returns how many events it cost */
  #advance(
    { session, id, length }: { session: number; id: string; length: number },
    open: ReadonlySet<string>,
    most: number,
    changes: { kind: 'added' | 'appended'; sessionId: string }[],
  ): number {
    if (open.has(id)) {
      this.#end(id, length, {
        code: 'SESSION_QUERY_SOURCE_CONFLICT',
        why: 'it is open; close it first',
      })
      return 0
    }
    if (this.#incoming === undefined) {
      const row = unlessDamaged(() => this.#crossing.file.header(session))
      if (row === undefined) {
        this.#end(id, length, {
          code: 'SESSION_QUERY_CORRUPT_SESSION',
          why: 'its header cannot be read from the file, which is damaged there',
        })
        return 0
      }
      this.#incoming = new IncomingSession(this.#crossing, row)
    }
    const { created, appended, ended, refusal } = this.#incoming.step(most)
    this.#created ||= created
    this.#appended += appended
    this.#counts.events += appended
    if (created || appended > 0) {
      this.#changed(id)
      changes.push({ kind: created ? 'added' : 'appended', sessionId: id })
    }
    if (ended) this.#end(id, length, refusal)
    return Math.min(most, ended ? length : most)
  }

  #end(sessionId: string, length: number, refusal: Refusal | undefined): void {
    if (refusal !== undefined) {
      const message = `Session ${quoted(sessionId)} was left as it is: ${refusal.why}.`
      this.#refused.push({ sessionId, code: refusal.code, message })
    } else if (this.#created) this.#counts.created += 1
    else if (this.#appended > 0) this.#counts.continued += 1
    else this.#counts.unchanged += 1
    this.#incoming = undefined
    this.#created = false
    this.#appended = 0
    this.#passed += length
    this.#at += 1
  }

  #result(): ImportedDatabase {
    return { sessions: this.#sessions.length, ...this.#counts, refused: this.#refused }
  }
}

/** Events that are taken in before others have their turn, and as how many a session counts by itself. */
const sliceEvents = 100
const sessionCost = 10
