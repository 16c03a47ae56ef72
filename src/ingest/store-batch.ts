import { throwIfAborted } from '../core/abort.ts'
import type { AbortSignalLike, SessionCorpus, WriteResult } from '../core/corpus.ts'
import { isSessionQueryError, type SessionQueryError } from '../core/errors.ts'
import type { SessionEvent, SessionHeader } from '../core/session.ts'

/** What an import needs of a corpus. */
export type ImportTarget = Pick<SessionCorpus, 'putSession' | 'appendEvents'>

/** Events of one session that follow each other without a gap. */
export interface Batch {
  readonly header: SessionHeader
  readonly events: readonly SessionEvent[]
  /** Whether this import has handed the session to the corpus before. */
  readonly begun: boolean
}

/** What became of a batch. */
export interface BatchOutcome {
  readonly created: boolean
  readonly appended: number
  readonly unchanged: number
  readonly refusal?: Refusal
}

/** Why not all of a batch was taken. */
interface Refusal {
  /** Place in the batch of the first event that was not taken. */
  readonly at: number
  /** Whether not even the header was. */
  readonly ofHeader: boolean
  readonly error: SessionQueryError
}

/**
 * Writes as much of a batch as the corpus takes. The corpus takes all of what it is given or
 * nothing, so when it refuses, the longest beginning that it accepts is looked for by halving.
 *
 * @throws what the corpus throws, when that is not about these events
 */
export async function storeBatch(
  corpus: ImportTarget,
  batch: Batch,
  signal: AbortSignalLike | undefined,
): Promise<BatchOutcome> {
  const { header, events } = batch
  const outcome = { created: false, appended: 0, unchanged: 0 }
  let { begun } = batch
  let taken = 0

  const offer = async (upTo: number): Promise<SessionQueryError | undefined> => {
    throwIfAborted(signal)
    const part = events.slice(taken, upTo)
    let result: WriteResult
    try {
      result = await (begun
        ? corpus.appendEvents({ sessionId: header.id, events: part }, { signal })
        : corpus.putSession({ header, events: part }, { signal }))
    } catch (error) {
      throwIfAborted(signal)
      if (isRefusal(error)) return error
      throw error
    }
    begun = true
    taken = upTo
    outcome.created ||= result.created
    outcome.appended += result.appended
    outcome.unchanged += part.length - result.appended
    return undefined
  }

  let error = await offer(events.length)
  if (error === undefined) return outcome
  if (!begun) {
    const headerError = await offer(0)
    if (headerError !== undefined)
      return { ...outcome, refusal: { at: 0, ofHeader: true, error: headerError } }
  }
  for (let refused = events.length; refused - taken > 1;) {
    const middle = (taken + refused) >> 1
    const refusal = await offer(middle)
    if (refusal === undefined) continue
    error = refusal
    refused = middle
  }
  return { ...outcome, refusal: { at: taken, ofHeader: false, error } }
}

/** The errors that speak of the log that was given, not of the store or the call. */
function isRefusal(error: unknown): error is SessionQueryError {
  if (!isSessionQueryError(error)) return false
  switch (error.code) {
    case 'SESSION_QUERY_SOURCE_CONFLICT':
    case 'SESSION_QUERY_INVALID_SURFACE':
    case 'SESSION_QUERY_CORRUPT_SESSION':
    // Somebody deleted the session in the meantime.
    case 'SESSION_QUERY_SESSION_NOT_FOUND':
      return true
    default:
      return false
  }
}
