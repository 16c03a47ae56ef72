import { persistenceFailed } from '../core/errors.ts'
import type { ExportContent, ExportState, WorkDone } from '../core/moving.ts'
import { firstValue, numberOf, textOf, textOfKey, type SqlDatabase } from '../sql/database.ts'
import { contentOf, spoiled, type CopiedSession } from '../sql/export-log.ts'
import type { LogExport } from '../sql/log-file.ts'
import { logSchema } from '../sql/schema.ts'
import { FileWriter, type FileLayout } from './file/file-writer.ts'
import { logTrees, type Snapshot } from './log-trees.ts'

/**
 * A file of the log that is made while it is read, and needs no room: the log is gone through once to count pages, and
 * once more to write them. It holds what was stored when it was begun.
 */
export class FileExport implements LogExport {
  readonly #log: SqlDatabase
  readonly #sessions = new Map<number, CopiedSession>()
  readonly #total: number
  #snapshot: Snapshot
  #done = 0
  #count: Count
  #content: ExportContent | undefined
  #output: FileOutput | undefined
  #spoiled: string | undefined

  constructor(log: SqlDatabase) {
    this.#log = log
    for (const [session, id, length] of log.query('SELECT session, id, length FROM {sessions}')) {
      const noted = { id: textOfKey(textOf(id)), length: numberOf(length), copied: 0 }
      this.#sessions.set(numberOf(session), noted)
    }
    this.#total = Array.from(this.#sessions.values()).reduce((sum, { length }) => sum + length, 0)
    const identity = textOf(firstValue(log.query('SELECT lower(hex(randomblob(16)))')))
    this.#snapshot = { sessions: this.#sessions, last: this.#lastEvent(), identity }
    this.#count = this.#counting()
  }

  get progress(): WorkDone {
    return { done: this.#done, total: this.#total }
  }

  step(): WorkDone & ExportState {
    if (this.#content === undefined && this.#count.slices.next().done === true) {
      const layout = this.#count.writer.finish()
      this.#content = contentOf(layout.pages * pageSize, Array.from(this.#sessions.values()), [])
      this.#output = new FileOutput(layout, this.#log, this.#snapshot)
    }
    return {
      ...this.progress,
      ...(this.#content === undefined ? {} : { content: this.#content }),
    }
  }

  read(offset: number): Uint8Array {
    if (this.#spoiled !== undefined) throw spoiled(this.#spoiled)
    return this.#output?.read(offset) ?? new Uint8Array()
  }

  drop(session: number): void {
    const dropped = this.#sessions.get(session)
    if (this.#content !== undefined) {
      this.#spoiled ??= dropped?.id
      return
    }
    // Ids of events that are gone may be given again.
    const last = Math.min(this.#snapshot.last, this.#lastEvent())
    if (dropped === undefined && last === this.#snapshot.last) return
    this.#sessions.delete(session)
    this.#snapshot = { ...this.#snapshot, last }
    this.#count = this.#counting()
  }

  /** Begins to count, from the beginning. */
  #counting(): Count {
    for (const session of this.#sessions.values()) session.copied = 0
    const writer = FileWriter.counting(marks)
    let count = 0
    const passed = (session: CopiedSession): void => {
      session.copied += 1
      count += 1
      // What is counted once more has been told.
      this.#done = Math.max(this.#done, count)
    }
    const passage = { log: this.#log, snapshot: this.#snapshot, writer, counting: true, passed }
    return { writer, slices: logTrees(passage) }
  }

  #lastEvent(): number {
    return numberOf(firstValue(this.#log.query('SELECT max(id) FROM {events}')))
  }
}

interface Count {
  readonly writer: FileWriter
  readonly slices: ReturnType<typeof logTrees>
}

/** As the browser's files have it. */
const pageSize = 8192

const marks = {
  pageSize,
  applicationId: logSchema.applicationId,
  userVersion: logSchema.version,
}

/** The pages of a file, made as they are read. */
class FileOutput {
  readonly #slices: ReturnType<typeof logTrees>
  readonly #writer: FileWriter
  /** Pages that were made and not read. */
  #made: Uint8Array[] = []
  #ended = false
  #failure: { readonly error: unknown } | undefined
  /** The last piece that was read, and where it began. */
  #piece = new Uint8Array()
  #at = 0

  constructor(layout: FileLayout, log: SqlDatabase, snapshot: Snapshot) {
    this.#writer = FileWriter.writing(marks, layout, (page) => this.#made.push(page))
    this.#slices = logTrees({ log, snapshot, writer: this.#writer, counting: false, passed: () => {} })
  }

  /** The next piece, or the last one once more. */
  read(offset: number): Uint8Array {
    if (offset !== this.#at || this.#piece.length === 0) {
      if (offset !== this.#at + this.#piece.length) {
        throw persistenceFailed(
          'failed',
          `The file is made as it is read, so that it is read from its beginning to its end: what comes next is at ${this.#at + this.#piece.length}, and ${offset} was asked for.`,
        )
      }
      const piece = this.#next()
      this.#at = offset
      this.#piece = piece
    }
    // Whoever gets it may give it away.
    return this.#piece.slice()
  }

  #next(): Uint8Array<ArrayBuffer> {
    // A file that could not be made to its end must not seem to end there.
    if (this.#failure !== undefined) throw this.#failure.error
    try {
      // Entries of indexes are small: many slices of them fill a piece.
      for (let left = mostSlices; this.#goesOn(left); left -= 1) {
        if (this.#slices.next().done !== true) continue
        this.#ended = true
        this.#writer.finish()
      }
    } catch (error) {
      this.#failure = { error }
      throw error
    }
    const pages = this.#made.splice(0, piecePages)
    const piece = new Uint8Array(pages.length * pageSize)
    for (const [at, page] of pages.entries()) piece.set(page, at * pageSize)
    return piece
  }

  #goesOn(left: number): boolean {
    if (this.#ended || this.#made.length >= piecePages) return false
    // Nothing would be the end.
    return left > 0 || this.#made.length === 0
  }
}

/** Pages that are read at once: 1 MB, or what so many slices come to. */
const piecePages = 128
const mostSlices = 6
