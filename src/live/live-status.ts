import type { CorpusStatus, SessionRecord } from '../core/corpus.ts'
import type { SessionQueryErrorCode } from '../core/errors.ts'
import { isSessionQueryError } from '../core/errors.ts'
import { contentOf } from '../core/log-reads.ts'
import type { LiveSessions } from './live-sessions.ts'

/** The status of a corpus: of its store, and of the sessions that are open in this page. */
export function liveStatus(
  stored: CorpusStatus | undefined,
  records: readonly SessionRecord[],
  live: LiveSessions,
): CorpusStatus {
  const open = new Set(records.map(({ header }) => header.id))
  const hidden = (stored?.issues ?? []).filter(({ sessionId }) => !open.has(sessionId))
  return {
    ...(stored ?? noStore),
    live: records.length,
    issues: [...hidden, ...records.flatMap((record) => issueOf(record, live))],
  }
}

const noStore: CorpusStatus = {
  storage: { kind: 'none', logBytes: 0, indexBytes: 0, persistent: false },
  role: 'owner',
  sessions: 0,
  events: 0,
  live: 0,
  index: { state: 'failed', documents: 0 },
  issues: [],
}

function issueOf(
  { header: { id: sessionId }, conflict }: SessionRecord,
  live: LiveSessions,
): { sessionId: string; code: SessionQueryErrorCode }[] {
  if (conflict === true) return [{ sessionId, code: 'SESSION_QUERY_SOURCE_CONFLICT' }]
  try {
    const log = live.get(sessionId)?.log.folded()
    if (log !== undefined) contentOf(log)
    return []
  } catch (error) {
    return isSessionQueryError(error) ? [{ sessionId, code: error.code }] : []
  }
}
