import type { EventRecord } from 'session-query'

/** A row of the event list: an event, or the head of a run of streamed chunks that opens on demand. */
export type EventItem =
  { readonly kind: 'event'; readonly record: EventRecord; readonly inRun: boolean } | ChunkRun

export interface ChunkRun {
  readonly kind: 'run'
  readonly first: number
  readonly last: number
  readonly open: boolean
}

export const chunkType = 'assistant/chunk'

/**
 * Chunks are most of a log and say little one by one: neighbours share a row.
 *
 * @param openRuns the first seqs of the runs whose chunks are shown after them
 */
export function eventItems(
  records: readonly EventRecord[],
  openRuns: ReadonlySet<number>,
): readonly EventItem[] {
  const items: EventItem[] = []
  for (let at = 0; at < records.length;) {
    const end = endOfRun(records, at)
    const isRun = end - at > 1
    const open = openRuns.has(at)
    if (isRun) items.push({ kind: 'run', first: at, last: end - 1, open })
    const next = Math.max(end, at + 1)
    if (!isRun || open) {
      for (const record of records.slice(at, next)) items.push({ kind: 'event', record, inRun: isRun })
    }
    at = next
  }
  return items
}

export function keyOfItem(item: EventItem): string {
  return item.kind === 'event' ? String(item.record.seq) : `run ${item.first}`
}

/** The closed run that hides this event. */
export function runAround(items: readonly EventItem[], seq: number): ChunkRun | undefined {
  const run = items.find((item) => item.kind === 'run' && seq >= item.first && seq <= item.last)
  return run?.kind === 'run' && !run.open ? run : undefined
}

function endOfRun(records: readonly EventRecord[], start: number): number {
  let end = start
  while (records[end]?.type === chunkType) end += 1
  return end
}
