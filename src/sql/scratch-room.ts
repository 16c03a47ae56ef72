import { LogCopy } from './export-log.ts'
import { openFileLog } from './file-log.ts'
import type { FileRoom } from './log-file.ts'
import type { ScratchDatabase } from './scratch.ts'

/** Room for a file where a host can make another database. */
export function scratchRoom(scratch: ScratchDatabase): FileRoom {
  return {
    exportOf: (log) => new LogCopy(log, scratch),
    write: (offset, bytes) =>
      scratch.write(offset, offset < pastJournalMode ? withoutJournal(offset, bytes) : bytes),
    received: () => openFileLog(() => scratch.database()),
    remove: () => scratch.remove(),
  }
}

/** Where the header of the file says how it is journalled, 1 for a file that is complete by itself. */
const journalMode = [18, 19]
const pastJournalMode = 20

/** A copy of a database in WAL mode would be looked for its journal, which has not come with it. */
function withoutJournal(offset: number, bytes: Uint8Array): Uint8Array {
  const own = bytes.slice()
  for (const place of journalMode) if (own[place - offset] === 2) own[place - offset] = 1
  return own
}
