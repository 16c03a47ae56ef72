import type { SessionCorpus } from '../../src/core/corpus.ts'
import type { SessionLog } from '../../src/core/session.ts'

/** Where a session may be. */
export type Placement = 'stored' | 'live' | 'live and stored'

export const placements: readonly Placement[] = ['stored', 'live', 'live and stored']

/** The flags that a record of a session shows that is there. */
export function flags(placement: Placement): { live: boolean; persisted: boolean } {
  return { live: placement !== 'stored', persisted: placement !== 'live' }
}

/**
 * Brings a session to its place, with the times of its events.
 *
 * @returns it as it is there: one that is live alone came by a fork, and its header says so
 */
export async function place(
  corpus: SessionCorpus,
  placement: Placement,
  log: SessionLog,
): Promise<SessionLog> {
  if (placement !== 'live') {
    await corpus.putSession(log)
    if (placement === 'live and stored') await corpus.sessions.resume(log.header.id)
    return log
  }
  const origin = `origin of ${log.header.id}`
  await corpus.putSession({ header: { version: 0, id: origin, createdAt: 0 }, events: log.events })
  const { version: _version, ...header } = log.header
  const fork = await corpus.sessions.fork(origin, undefined, header, { persist: false })
  await corpus.deleteSession({ sessionId: origin })
  return { header: fork.header, events: log.events }
}
