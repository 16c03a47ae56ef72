import type { CallOptions } from '../core/corpus.ts'
import { persistenceFailed, SessionQueryError } from '../core/errors.ts'
import type { MovingStore } from '../core/moving.ts'
import { leftAside, removeSetAside, setAside } from './clear-log.ts'
import { giveBack } from './compact.ts'
import { emptyJournal, type SqlDatabase } from './database.ts'
import { LogImport, type ImportTarget } from './import-log.ts'
import type { FileRoom, LogExport } from './log-file.ts'
import { unlessDamaged } from './salvage.ts'
import { indexSchema, isOurs } from './schema.ts'
import type { SearchIndex } from './search-index.ts'
import type { StoredSurfaces } from './surfaces.ts'

export interface MovesOptions {
  readonly log: SqlDatabase
  readonly index: SqlDatabase
  readonly target: ImportTarget
  readonly surfaces: StoredSurfaces
  readonly searchIndex: SearchIndex
  /** Makes room for a file of the log. */
  readonly openRoom: () => Promise<FileRoom>
  /** Lets other calls have their turn. */
  readonly pause: () => Promise<void>
  /** Judges whether a call may run, and runs it; `about` says what is damaged when it finds damage. */
  readonly answer: <Result>(
    call: CallOptions | undefined,
    body: () => Result | Promise<Result>,
    about?: 'the log' | 'a file',
  ) => Promise<Result>
}

/** The long work of a store: what is under way, by the name that its caller gave it. */
export class Moves {
  readonly calls: MovingStore
  readonly #options: MovesOptions
  readonly #works = new Map<string, Work>()
  #stopped = false
  /** Rows of the removal that is under way. */
  #removing = 0

  constructor(options: MovesOptions) {
    this.#options = options
    const { answer, pause, log, target } = options
    // In one thread, too, others have their turn before each step.
    const step: MovesOptions['answer'] = (call, body, about) =>
      answer(
        call,
        async () => {
          await pause()
          return answer(call, body, about)
        },
        about,
      )
    this.calls = {
      beginExport: ({ work }, call) =>
        step(call, async () => {
          return (await this.#begin(work, 'export', (room) => room.exportOf(log))).progress
        }),
      copyForExport: ({ work }, call) => step(call, () => this.#find(work, 'export').step()),
      readExport: ({ work, offset }, call) =>
        step(call, () => ({ bytes: this.#find(work, 'export').read(offset) })),
      beginImport: ({ work }, call) =>
        step(call, async () => {
          await this.#begin(work, 'import', (room) => new LogImport(room, target))
        }),
      writeImport: ({ work, offset, bytes }, call) =>
        step(call, () => this.#find(work, 'import').write(offset, bytes)),
      mergeImport: ({ work, open }, call) =>
        step(call, () => this.#find(work, 'import').step(new Set(open)), 'a file'),
      endWork: ({ work }, call) => answer(call, () => this.#end(work)),
      clearStep: ({ goOn }, call) => step(call, () => this.#clear(goOn)),
      compactStep: ({ phase }, call) => step(call, () => this.#compact(phase)),
    }
  }

  /** Takes a session that was deleted out of what is being copied. */
  dropped(session: number): void {
    for (const { made } of this.#works.values()) made.export?.drop(session)
  }

  /** Goes on with a removal that was not brought to its end the last time. */
  async resume(): Promise<void> {
    const { log, pause } = this.#options
    try {
      if (leftAside(log) === 0) return
      while (!this.#stopped && removeSetAside(log) > 0) await pause()
      if (!this.#stopped) emptyJournal(log)
    } catch {
      // It is gone on with the next time.
    }
  }

  /** Ends everything; the databases are about to be closed. */
  stop(): void {
    this.#stopped = true
    this.#endAll()
  }

  async #begin<Kind extends keyof Made>(
    name: string,
    kind: Kind,
    make: (room: FileRoom) => Made[Kind],
  ): Promise<Made[Kind]> {
    if (this.#works.has(name)) {
      throw persistenceFailed('busy', 'Work of this name is under way already.')
    }
    const [oldest] = this.#works.keys()
    // Whoever began it may be gone without a word.
    if (oldest !== undefined && this.#works.size >= mostWorks) this.#end(oldest)
    const work: Work = { ended: false, room: undefined, made: {} }
    this.#works.set(name, work)
    let room: FileRoom | undefined
    try {
      room = await this.#options.openRoom()
      // Meanwhile it may have been ended, with everything else perhaps.
      if (work.ended) throw ended()
      const made = make(room)
      work.room = room
      work.made[kind] = made
      return made
    } catch (error) {
      room?.remove()
      this.#works.delete(name)
      throw error
    }
  }

  #find<Kind extends keyof Made>(name: string, kind: Kind): Made[Kind] {
    const work = this.#works.get(name)
    const made: Made[Kind] | undefined = work?.made[kind]
    if (work === undefined || made === undefined) throw ended()
    // The one that was used last is ended last.
    this.#works.delete(name)
    this.#works.set(name, work)
    return made
  }

  #end(name: string): void {
    const work = this.#works.get(name)
    if (work === undefined) return
    this.#works.delete(name)
    work.ended = true
    work.room?.remove()
  }

  #endAll(): void {
    for (const name of Array.from(this.#works.keys())) this.#end(name)
  }

  async #clear(goOn: boolean): ReturnType<MovingStore['clearStep']> {
    const { log, surfaces, searchIndex } = this.#options
    let removed: readonly string[] = []
    if (!goOn) {
      this.#endAll()
      const gone = setAside(log)
      removed = gone.removed
      surfaces.forgetAll()
      this.#removing = leftAside(log)
      await searchIndex.renew(gone.identity)
    }
    const left = removeSetAside(log)
    this.#removing = Math.max(this.#removing, left)
    const finished = left === 0 && !giveBack(log)
    return { removed, done: this.#removing - left, total: this.#removing, finished }
  }

  async #compact(
    phase: Parameters<MovingStore['compactStep']>[0]['phase'],
  ): ReturnType<MovingStore['compactStep']> {
    const { log, index, searchIndex } = this.#options
    let more = false
    switch (phase) {
      case 'log':
        more = giveBack(log)
        break
      case 'words':
        await searchIndex.scrub()
        break
      case 'index':
        // One that is not ours is none of our business, and one that is damaged is made anew.
        more = unlessDamaged(() => isOurs(index, indexSchema) && giveBack(index)) === true
        break
    }
    return { more, size: log.size() + index.size() }
  }
}

interface Made {
  readonly export: LogExport
  readonly import: LogImport
}

interface Work {
  ended: boolean
  /** Undefined while it is being made. */
  room: FileRoom | undefined
  /** One of the two. */
  made: { -readonly [Kind in keyof Made]?: Made[Kind] }
}

function ended(): SessionQueryError {
  return new SessionQueryError(
    'SESSION_QUERY_WORKER_FAILED',
    'This work has ended: its worker was started anew, the corpus was cleared, or other work took its place. Begin it again.',
  )
}

/** More than that at a time nobody has a use for. */
const mostWorks = 3
