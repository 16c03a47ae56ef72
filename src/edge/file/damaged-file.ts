import { persistenceFailed, type SessionQueryError } from '../../core/errors.ts'

/** The error for a file that holds what no SQLite database can hold. */
export function damagedFile(what: string): SessionQueryError {
  return persistenceFailed('corrupt', `The database file is damaged: ${what}.`)
}
