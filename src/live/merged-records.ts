import type { CallOptions, SessionRecord, SessionStore } from '../core/corpus.ts'
import { sessionPredicate, type SessionFilter } from '../core/filter.ts'
import { detached } from '../core/json.ts'
import { headersConflict, inListOrder } from '../core/records.ts'
import { openScope } from '../core/request.ts'
import type { LiveSessions } from './live-sessions.ts'

/**
 * The sessions that pass every filter, of both halves: open ones hide their stored copies.
 *
 * @param elsewhere those that other pages have open
 */
export async function mergedRecords(
  live: LiveSessions,
  store: SessionStore | undefined,
  filters: readonly SessionFilter[],
  elsewhere: ReadonlySet<string>,
  call: CallOptions | undefined,
): Promise<SessionRecord[]> {
  const asked = { filters, [openScope]: [...elsewhere] }
  const [stored, open] = await Promise.all([
    store?.filterSessions(asked, call) ?? [],
    liveRecords(live, store, call),
  ])
  const hidden = new Set(open.map(({ header }) => header.id))
  const shown = stored.filter(({ header }) => !hidden.has(header.id))
  return inListOrder([...shown, ...open.filter(sessionPredicate(filters))])
}

/** The open sessions, with what the store has of them. */
export async function liveRecords(
  live: LiveSessions,
  store: SessionStore | undefined,
  call: CallOptions | undefined,
): Promise<SessionRecord[]> {
  const open = live.list()
  if (open.length === 0) return []
  const ids: SessionFilter = { kind: 'id', values: open.map(({ id }) => id) }
  const stored = (await store?.filterSessions({ filters: [ids] }, call)) ?? []
  const headers = new Map(
    stored.flatMap(({ header, persisted }) => (persisted ? [[header.id, header] as const] : [])),
  )
  return open.map(({ header }) => {
    const other = headers.get(header.id)
    return {
      header: detached(header),
      live: true,
      persisted: other !== undefined,
      ...(other !== undefined && headersConflict(header, other) ? { conflict: true as const } : {}),
    }
  })
}
