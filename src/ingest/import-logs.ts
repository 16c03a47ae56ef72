import { throwIfAborted } from '../core/abort.ts'
import type { AbortSignalLike } from '../core/corpus.ts'
import { importSource, type ImportedSource, type ReadSoFar } from './import-source.ts'
import { createPace } from './pace.ts'
import { sumUp, type ImportReport } from './report.ts'
import { checkedSource, openSources, totalSize, type LogSources } from './sources.ts'
import type { ImportTarget } from './store-batch.ts'

/** How an import is watched and ended. */
export interface ImportOptions {
  /** Called after each batch that was written, at times while reading, and at the end of each source. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
  /** Ends the import: it rejects with the signal's own reason. What was written by then stays. */
  readonly signal?: AbortSignalLike | undefined
}

/** How far an import has come, over all sources. */
export interface ImportProgress {
  /** Name of the source that is being read. */
  readonly source: string
  /** Sources that are done. */
  readonly sourcesDone: number
  /** Bytes read so far, as they came (compressed or not). */
  readonly bytesRead: number
  /** What `bytesRead` will come to; only when the sources are an array and each says its size. */
  readonly bytesTotal?: number
  /** Sessions found so far. */
  readonly sessions: number
  /** Events stored so far, and found to be stored already. */
  readonly events: number
}

/**
 * Imports session logs: plain or Zstandard-compressed JSON lines of DeepSeek Harness, several
 * sessions in one source if need be. A source is streamed, never held in memory as a whole.
 *
 * What is damaged is reported and hides nothing that is intact, as long as no event is missing before
 * it; where that comes later in the source, the session goes on with it. Line endings of either kind,
 * blank lines and byte-order marks are no damage.
 * An import can be repeated: what is stored already is left as it is, and a log that has grown is
 * continued.
 *
 * @throws SessionQueryError `INVALID_CONFIG` when `sources` or one of them is not what it has to be,
 *   `PERSISTENCE_FAILED` or `WORKER_FAILED` when the corpus cannot go on; what was written stays, and
 *   a second import goes on where this one stopped
 */
export async function importLogs(
  corpus: ImportTarget,
  sources: LogSources,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const { onProgress, signal } = options
  throwIfAborted(signal)
  const { each, list } = openSources(sources, signal)
  const pace = createPace()
  const bytesTotal = await totalSize(list, pace)
  const done: ImportedSource[] = []
  for await (const given of each) {
    const source = checkedSource(given)
    const tell = ({ bytesRead, sessions, events }: ReadSoFar, sourcesDone: number): void => {
      onProgress?.({
        source: source.name,
        sourcesDone,
        bytesRead: before.bytesRead + bytesRead,
        ...(bytesTotal === undefined ? {} : { bytesTotal }),
        sessions: before.sessions + sessions,
        events: before.events + events,
      })
    }
    const before = sum(done.map(({ readSoFar }) => readSoFar))
    const imported = await importSource(corpus, source, pace, signal, (read) => tell(read, done.length))
    done.push(imported)
    tell(imported.readSoFar, done.length)
  }
  throwIfAborted(signal)
  return sumUp(done)
}

function sum(parts: readonly ReadSoFar[]): ReadSoFar {
  return parts.reduce(
    (total, part) => ({
      bytesRead: total.bytesRead + part.bytesRead,
      sessions: total.sessions + part.sessions,
      events: total.events + part.events,
    }),
    { bytesRead: 0, sessions: 0, events: 0 },
  )
}
