import type { SessionRecord } from './corpus.ts'
import { compareCodePoints } from './order.ts'
import type { SessionHeader } from './session.ts'

/** Newest first, then by id in code point order. */
export function inListOrder(records: readonly SessionRecord[]): SessionRecord[] {
  return records.toSorted(
    (a, b) => b.header.createdAt - a.header.createdAt || compareCodePoints(a.header.id, b.header.id),
  )
}

/** Whether two headers of one id tell of different sessions. */
export function headersConflict(live: SessionHeader, stored: SessionHeader): boolean {
  return (
    (live.delegationDepth ?? 0) !== (stored.delegationDepth ?? 0) ||
    identifying.some((field) => live[field] !== stored[field])
  )
}

const identifying = ['version', 'id', 'createdAt', 'cwd', 'parentSession', 'seedLength'] as const
