/** What one run measured. Times are medians, in milliseconds. */
export interface SearchFigures {
  readonly build: BuildFigures
  readonly rows: readonly SearchRow[]
}

export interface BuildFigures {
  /** Log and index together. */
  readonly eventsPerSecond: number
  readonly indexBytes: number
  /** Of a bare contentless index of the same texts. */
  readonly bareIndexBytes: number
  /** Of the texts alone, in UTF-8. */
  readonly textBytes: number
}

export interface SearchRow {
  readonly name: string
  readonly medianMs: number
  readonly floorMs: number
  readonly ratio: number
  readonly peers: Readonly<Record<string, number>>
}

/** A row with what it was and what it is compared with, for people. */
export interface ExplainedRow extends SearchRow {
  readonly asked: string
  readonly comparedWith: string
}

export function printBuild(build: BuildFigures): void {
  const { eventsPerSecond, indexBytes, bareIndexBytes, textBytes } = build
  console.log(`build    ${Math.round(eventsPerSecond)} events/s, log and index`)
  console.log(
    `size     index ${megabytes(indexBytes)}, bare FTS5 index ${megabytes(bareIndexBytes)}, text ${megabytes(textBytes)}; ` +
      `${(indexBytes / bareIndexBytes).toFixed(2)} times the bare one (neither optimised)`,
  )
}

export function printRows(rows: readonly ExplainedRow[], peers: readonly string[]): void {
  const cells = [
    ['', 'ms', 'floor', 'ratio', ...peers, 'asked', 'compared with'],
    ...rows.map((row) => [
      row.name,
      milliseconds(row.medianMs),
      milliseconds(row.floorMs),
      row.ratio.toFixed(2),
      ...peers.map((peer) => milliseconds(row.peers[peer])),
      row.asked,
      row.comparedWith,
    ]),
  ]
  const numbers = 4 + peers.length
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  )
  for (const row of cells) {
    const aligned = row.map((cell, column) =>
      column > 0 && column < numbers
        ? cell.padStart(widths[column] ?? 0)
        : cell.padEnd(widths[column] ?? 0),
    )
    console.log(aligned.join('  ').trimEnd())
  }
}

export function milliseconds(value: number | undefined): string {
  if (value === undefined) return '-'
  return value.toFixed(value < 10 ? 2 : 1)
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
