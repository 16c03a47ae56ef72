import type { SessionCorpus } from 'session-query'

import { briefOf } from './event-text.ts'

/** One line for each event of a session, read for the rows that are shown and for no others. */
export interface Briefs {
  /** Forgets what it knows and goes on with another session. */
  begin(sessionId: string | undefined): void
  /** Empty as long as it is not read. */
  of(seq: number): string
  want(seqs: readonly number[]): void
}

/** As many events after the first as one read gives. */
const readWindow = 50

/** @param read called with each line as soon as it is known */
export function createBriefs(
  corpus: SessionCorpus,
  read: (seq: number, brief: string) => void,
): Briefs {
  const known = new Map<number, string>()
  let reading = new AbortController()
  let session: string | undefined
  let queue: Promise<unknown> = Promise.resolve()

  async function readFrom(
    sessionId: string,
    seqs: readonly number[],
    signal: AbortSignal,
  ): Promise<void> {
    const missing = seqs.filter((seq) => !known.has(seq))
    const [seq] = missing
    const last = missing.at(-1)
    if (signal.aborted || seq === undefined || last === undefined) return
    try {
      const { events } = await corpus.readEvent({ sessionId, seq, after: last - seq }, { signal })
      for (const event of events) known.set(event.seq, briefOf(event))
      if (!signal.aborted) for (const event of events) read(event.seq, known.get(event.seq) ?? '')
    } catch {
      // The list is useful without its texts: an event that cannot be read says so when it is opened.
    }
  }

  return {
    begin(sessionId) {
      reading.abort()
      reading = new AbortController()
      known.clear()
      session = sessionId
    },
    of: (seq) => known.get(seq) ?? '',
    want(seqs) {
      const { signal } = reading
      const sessionId = session
      if (sessionId === undefined) return
      for (const part of windowsOf(seqs.filter((seq) => !known.has(seq))))
        queue = queue.then(() => readFrom(sessionId, part, signal))
    },
  }
}

/** Ascending seqs in parts that one read spans. */
function windowsOf(seqs: readonly number[]): number[][] {
  const windows: number[][] = []
  for (const seq of seqs) {
    const current = windows.at(-1)
    if (current === undefined || seq - (current[0] ?? seq) > readWindow) windows.push([seq])
    else current.push(seq)
  }
  return windows
}
