import { untilAborted } from '../core/abort.ts'
import type { CallOptions, SessionStore } from '../core/corpus.ts'
import { persistenceFailed, quoted, SessionQueryError } from '../core/errors.ts'
import type {
  CompactPhase,
  ExportContent,
  ImportedDatabase,
  Moving,
  SkippedSession,
} from '../core/moving.ts'
import { optionsObject } from '../core/options.ts'
import { checkedSource, piecesOf, pulledStream, sizeOf } from './byte-streams.ts'
import type { Changes } from './changes.ts'
import type { LiveSessions } from './live-sessions.ts'

export interface MovingOptions {
  readonly live: LiveSessions
  readonly changes: Changes
  /** A text that nothing else has for a name. */
  readonly newId: () => string
  /** Judges whether a call may run, and runs it. */
  readonly answer: <Result>(
    call: CallOptions | undefined,
    body: () => Result | Promise<Result>,
  ) => Promise<Result>
  readonly store: () => SessionStore | undefined
  /** Every session that is open for writing, in this page or another. */
  readonly openSessions: () => Promise<readonly string[]>
}

/** The long work of a corpus, step by step: other calls have their turn between two of them. */
export function movingCorpus({
  live,
  changes,
  newId,
  answer,
  store,
  openSessions,
}: MovingOptions): Moving {
  function mounted(): SessionStore {
    const found = store()
    if (found !== undefined) return found
    throw persistenceFailed('unavailable', 'No store is mounted.')
  }

  /** Runs work under a name of its own, and has it end when it fails. */
  async function working<Result>(
    target: SessionStore,
    body: (work: string) => Promise<Result>,
  ): Promise<Result> {
    const work = newId()
    try {
      return await body(work)
    } catch (error) {
      // Nobody waits for that: a store that does not answer has nothing to end either.
      target.endWork({ work }).catch(() => undefined)
      throw error
    }
  }

  return {
    exportDatabase: (request = {}, call) =>
      answer(call, async () => {
        const tell = telling(optionsObject(request).onProgress)
        const target = mounted()
        const unstored = await flushed(live, call)
        return working(target, async (work) => {
          let step = await target.beginExport({ work }, call)
          let content: ExportContent | undefined
          while (content === undefined) {
            tell({ phase: 'copying', ...step })
            const next = await target.copyForExport({ work }, call)
            step = { done: next.done, total: next.total }
            content = next.content
          }
          tell({ phase: 'copying', ...step })
          const { size: total, skipped } = content
          const end = (): void => void target.endWork({ work }).catch(() => undefined)
          const read = async (offset: number): Promise<Uint8Array> => {
            const { bytes } = await target.readExport({ work, offset })
            tell({ phase: 'reading', done: offset + bytes.length, total })
            return bytes
          }
          const stream = pulledStream({ read, end }, call?.signal)
          return Object.assign(stream, { ...content, skipped: [...skipped, ...unstored] })
        })
      }),

    importDatabase: (source, request = {}, call) =>
      answer(call, async () => {
        checkedSource(source)
        const tell = telling(optionsObject(request).onProgress)
        const target = mounted()
        return working(target, async (work) => {
          await target.beginImport({ work }, call)
          const total = sizeOf(source)
          let offset = 0
          for await (const bytes of piecesOf(source, call?.signal)) {
            await target.writeImport({ work, offset, bytes }, call)
            offset += bytes.length
            tell({ phase: 'reading', done: offset, ...(total === undefined ? {} : { total }) })
          }
          let result: ImportedDatabase | undefined
          while (result === undefined) {
            const open = await openSessions()
            // What a step changed is told also when nobody waits for it any more.
            const merging = target.mergeImport({ work, open }).then((step) => {
              for (const change of step.changes) changes.tell(change)
              return step
            })
            const step = await untilAborted(merging, call?.signal)
            tell({ phase: 'merging', done: step.done, total: step.total })
            result = step.result
          }
          await target.endWork({ work }, call)
          return result
        })
      }),

    clear: (request = {}, call) =>
      answer(call, async () => {
        const tell = telling(optionsObject(request).onProgress)
        const target = mounted()
        refuseOpen(await openSessions())
        for (let goOn = false, finished = false; !finished; goOn = true) {
          const removing = target.clearStep({ goOn }).then((step) => {
            for (const sessionId of step.removed) changes.tell({ kind: 'removed', sessionId })
            return step
          })
          const step = await untilAborted(removing, call?.signal)
          tell({ phase: 'removing', done: step.done, total: step.total })
          finished = step.finished
        }
      }),

    compact: (request = {}, call) =>
      answer(call, async () => {
        const tell = telling(optionsObject(request).onProgress)
        const target = mounted()
        const { storage } = await target.status({}, call)
        const before = storage.logBytes + storage.indexBytes
        let after = before
        for (const phase of phases) {
          for (let more = true; more;) {
            const step = await target.compactStep({ phase }, call)
            more = step.more
            after = step.size
            tell({ phase: phase === 'log' ? 'log' : 'index', done: Math.max(0, before - after) })
          }
        }
        return { before, after }
      }),
  }
}

const phases: readonly CompactPhase[] = ['log', 'words', 'index']

/** A listener's failure is its own. */
function telling<Progress>(
  onProgress: ((progress: Progress) => void) | undefined,
): (progress: Progress) => void {
  return (progress) => {
    try {
      onProgress?.(progress)
    } catch {
      // The work goes on.
    }
  }
}

/**
 * Has what was appended here stored, as far as that is possible.
 *
 * @returns the sessions of which it was not
 */
async function flushed(
  live: LiveSessions,
  call: CallOptions | undefined,
): Promise<readonly SkippedSession[]> {
  const lengths = live.list().map((session) => [session, session.length] as const)
  await untilAborted(live.flushAll(), call?.signal)
  return lengths
    .filter(([{ writing }, length]) => writing?.hasStored(length) === false)
    .map(([{ id }]) => ({
      sessionId: id,
      code: 'SESSION_QUERY_PERSISTENCE_FAILED',
      message: `Session ${quoted(id)} is open, and what was appended to it could not be stored: only what is stored of it is in the file.`,
    }))
}

/** @throws SessionQueryError `SESSION_QUERY_SOURCE_CONFLICT` when there are some */
export function refuseOpen(held: readonly string[]): void {
  if (held.length === 0) return
  const named = held.slice(0, 3).map((id) => quoted(id))
  const more = held.length > named.length ? ` and ${held.length - named.length} more` : ''
  throw new SessionQueryError(
    'SESSION_QUERY_SOURCE_CONFLICT',
    `Nothing was removed, because sessions are open, in this page or another: ${named.join(', ')}${more}; close them first.`,
  )
}
