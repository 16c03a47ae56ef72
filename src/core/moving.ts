import type { CallOptions } from './corpus.ts'
import type { SessionQueryErrorCode } from './errors.ts'

declare global {
  /** The platform's own; here by its name alone, because this folder knows no platform. */
  interface ReadableStream<R> {
    readonly locked: boolean
  }
}

/** Moving house: the log as one file, out and in; room given back; everything removed. */
export interface Moving {
  /**
   * Gives the log as one SQLite file that any SQLite opens: every stored session as it was at this moment, those
   * that are open here with all that was appended. What is deleted while the file is being made is not in it.
   * The promise resolves when the file is ready; the stream then gives it piece by piece as it is read, and has
   * to be read to its end or cancelled.
   *
   * @throws SessionQueryError `PERSISTENCE_FAILED` when there is no room for the copy, or nothing can be read.
   *   The stream fails with `SOURCE_CONFLICT` when a session that is in the file is deleted before its end
   */
  exportDatabase(request?: ExportRequest, options?: CallOptions): Promise<ExportedDatabase>

  /**
   * Takes in a file that {@link exportDatabase} made, each of its sessions as `putSession` would: new, continued,
   * unchanged, or refused. A log that does not fold is taken as it is where its id is new. May be repeated after
   * whatever ended it: what is there already is recognised.
   *
   * @throws SessionQueryError `PERSISTENCE_FAILED` with reason `corrupt` for what is not an SQLite file,
   *   `failed` for one that is not a session log or of a newer version, `full`; nothing of it was taken in then,
   *   save with `full`. `INVALID_CONFIG` for a source that is none
   */
  importDatabase(
    source: DatabaseSource,
    request?: ImportRequest,
    options?: CallOptions,
  ): Promise<ImportedDatabase>

  /**
   * Removes every stored session and what was derived from them; nothing of them stays in the files.
   *
   * @throws SessionQueryError `SOURCE_CONFLICT` while sessions are open here
   */
  clear(request?: ClearRequest, options?: CallOptions): Promise<void>

  /** Gives back the room that is not used. */
  compact(request?: CompactRequest, options?: CallOptions): Promise<CompactResult>
}

/** How far long work has come. */
export interface WorkProgress<Phase extends string> {
  readonly phase: Phase
  readonly done: number
  /** Absent when it is not known. */
  readonly total?: number
}

export interface ExportRequest {
  /** Told of events that are `copying` into the file, and of bytes that are `reading` out of it. */
  readonly onProgress?: ((progress: WorkProgress<'copying' | 'reading'>) => void) | undefined
}

export interface ImportRequest {
  /** Told of bytes that are `reading` in, and of events that are `merging`. */
  readonly onProgress?: ((progress: WorkProgress<'reading' | 'merging'>) => void) | undefined
}

export interface ClearRequest {
  /** Told of events that are `removing`. */
  readonly onProgress?: ((progress: WorkProgress<'removing'>) => void) | undefined
}

export interface CompactRequest {
  /** Told of bytes that were given back so far, of the log and then of the index. */
  readonly onProgress?: ((progress: WorkProgress<'log' | 'index'>) => void) | undefined
}

/** A file; a `Blob` or `File` is one as it is. */
export type DatabaseSource =
  Uint8Array | ArrayBuffer | ReadableStream<Uint8Array> | { stream(): ReadableStream<Uint8Array> }

/** The stream of a file, and what is in that. */
export type ExportedDatabase = ReadableStream<Uint8Array> & ExportContent

export interface ExportContent {
  /** Size of the file, in bytes. */
  readonly size: number
  readonly sessions: number
  readonly events: number
  /** Sessions that are missing, or of which something is, and why; nothing of them was changed. */
  readonly skipped: readonly SkippedSession[]
}

/** A session that could not be moved, or not all of it. */
export interface SkippedSession {
  readonly sessionId: string
  readonly code: SessionQueryErrorCode
  readonly message: string
}

export interface ImportedDatabase {
  /** How many sessions the file holds. */
  readonly sessions: number
  /** How many of them are new here. */
  readonly created: number
  /** How many of them gained events. */
  readonly continued: number
  readonly unchanged: number
  /** How many events were added. */
  readonly events: number
  /** Sessions that were left as they are, or not taken whole, and why. */
  readonly refused: readonly SkippedSession[]
}

/** Sizes in bytes, of log and index together. */
export interface CompactResult {
  readonly before: number
  readonly after: number
}

/**
 * The same in steps, each of which takes tens of milliseconds, so that other calls have their turn between them.
 * Whoever makes the steps gives the work its name, and ends it.
 */
export interface MovingStore {
  /** Begins an export of what is stored now. */
  beginExport(request: WorkRequest, options?: CallOptions): Promise<WorkDone>
  /** Goes on with it; when it is done the file can be read. */
  copyForExport(request: WorkRequest, options?: CallOptions): Promise<WorkDone & ExportState>
  /** Some bytes of the file, from an offset on; none at its end. */
  readExport(
    request: WorkRequest & { readonly offset: number },
    options?: CallOptions,
  ): Promise<{ readonly bytes: Uint8Array }>
  beginImport(request: WorkRequest, options?: CallOptions): Promise<void>
  writeImport(
    request: WorkRequest & { readonly offset: number; readonly bytes: Uint8Array },
    options?: CallOptions,
  ): Promise<void>
  /** Goes on with taking in what was written; the first call judges the file. */
  mergeImport(request: MergeRequest, options?: CallOptions): Promise<WorkDone & ImportState>
  /** Ends work, done or not, and removes its file; harmless for what has ended. */
  endWork(request: WorkRequest, options?: CallOptions): Promise<void>
  /** Removes everything; the first call has it gone for readers. */
  clearStep(request: ClearStepRequest, options?: CallOptions): Promise<WorkDone & ClearState>
  /** Gives back some of the room that is free. */
  compactStep(
    request: { readonly phase: CompactPhase },
    options?: CallOptions,
  ): Promise<{ readonly more: boolean; readonly size: number }>
}

export interface WorkRequest {
  /** A name that no other work has. */
  readonly work: string
}

/** Events that were looked at, of how many. */
export interface WorkDone {
  readonly done: number
  readonly total: number
}

export interface ExportState {
  /** Present when the copy is complete. */
  readonly content?: ExportContent
}

export interface MergeRequest extends WorkRequest {
  /** Sessions that are open in a page now. */
  readonly open: readonly string[]
}

export interface ImportState {
  /** What this step did to whom. */
  readonly changes: readonly { readonly kind: 'added' | 'appended'; readonly sessionId: string }[]
  /** Present when the file has been taken in. */
  readonly result?: ImportedDatabase
}

export interface ClearStepRequest {
  /** Whether to go on with a removal rather than to begin one. */
  readonly goOn: boolean
}

export interface ClearState {
  /** Ids of the sessions that this step made invisible. */
  readonly removed: readonly string[]
  readonly finished: boolean
}

/** First the log's free pages, then words of the index that are gone, then the index's free pages. */
export type CompactPhase = 'log' | 'words' | 'index'
