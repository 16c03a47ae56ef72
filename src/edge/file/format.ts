/** SQLite's file format in numbers, as https://www.sqlite.org/fileformat2.html gives them. */

/** The first bytes of every file. */
export const magic = Uint8Array.from('SQLite format 3\0', (letter) => letter.charCodeAt(0))

/** Length of the header, which the first page begins with. */
export const headerBytes = 100

/** Where the fields of the header stand. */
export const fields = {
  pageSize: 16,
  writeVersion: 18,
  readVersion: 19,
  reserved: 20,
  maxFraction: 21,
  minFraction: 22,
  leafFraction: 23,
  changes: 24,
  pages: 28,
  schemaCookie: 40,
  schemaFormat: 44,
  encoding: 56,
  userVersion: 60,
  applicationId: 68,
  validFor: 92,
  sqliteVersion: 96,
} as const

/** What the three fractions always are. */
export const fractions = [64, 32, 32] as const

export type TreeKind = 'table' | 'index'

/** First byte of a page of a b-tree. */
export const pageTypes = {
  table: { interior: 5, leaf: 13 },
  index: { interior: 2, leaf: 10 },
} as const

/** Length of a b-tree page's own header. */
export const pageHeaderBytes = { interior: 12, leaf: 8 } as const

/**
 * How many bytes of a payload stand in its cell; the rest is on overflow pages.
 *
 * @param usable bytes of a page that are not reserved
 */
export function localBytes(kind: TreeKind, usable: number, payload: number): number {
  const most = kind === 'table' ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23
  if (payload <= most) return payload
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  const fitting = least + ((payload - least) % (usable - 4))
  return fitting <= most ? fitting : least
}

/** The page that SQLite sets its locks on, and never uses. */
export function lockPage(pageSize: number): number {
  return (1 << 30) / pageSize + 1
}
