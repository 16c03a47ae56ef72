type RefusedFile = readonly [name: string, statement: string, reason: string, message: RegExp]

/** Files that are no log to be imported: what they are, what makes them so, and how they are refused. */
export const refusedFiles: readonly RefusedFile[] = [
  ['of a newer version', 'UPDATE session_query SET version = 99', 'failed', /format 99/],
  ['of something else', 'DROP TABLE session_query', 'failed', /not a session log/],
  ['with a view in it', 'CREATE VIEW other AS SELECT 1', 'failed', /holds a view named other/],
  ['with a table of others', 'CREATE TABLE other (x)', 'failed', /holds a table named other/],
  ['without its events', 'DROP TABLE events', 'corrupt', /damaged/],
]
