import type { SqlDatabase } from '../sql/database.ts'
import type { FileRoom } from '../sql/log-file.ts'
import { FileExport } from './file-export.ts'
import { ReceivedFile, removeReceived } from './received-file.ts'
import { openReceivedLog } from './received-log.ts'

/**
 * Room for files where there is one database and nothing else: what goes out is made as it is read, what comes in is
 * kept in tables while it is taken in. Such tables that were left behind are removed.
 *
 * @param db has room for the tables
 * @returns makes room for a file
 */
export function fileRooms(db: SqlDatabase): () => Promise<FileRoom> {
  removeReceived(db)
  let count = 0
  return async () => {
    count += 1
    const received = new ReceivedFile(db, count)
    return {
      exportOf: (log) => new FileExport(log),
      write: (offset, bytes) => received.write(offset, bytes),
      received: () => openReceivedLog((offset, length) => received.read(offset, length), received.size),
      remove: () => received.remove(),
    }
  }
}
