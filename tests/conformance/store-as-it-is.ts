import type { SessionLog } from '../../src/core/session.ts'
import type { SqlDatabase } from '../../src/sql/database.ts'
import { StoredSessions } from '../../src/sql/sessions.ts'

/** Writes a log past every check, as damage or another program could have left it. */
export function storeAsItIs(log: SqlDatabase, { header, events }: SessionLog): void {
  const stored = new StoredSessions(log)
  log.transaction(() => {
    const session = stored.add(header)
    for (const event of events) stored.insert(session, event)
    stored.setLength(session, events.length)
  })
}
