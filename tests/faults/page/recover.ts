import { openCorpus } from 'session-query'
import { wordOf } from '../made-logs.ts'
import type { Acknowledged, Recovery, Reopening } from '../plan.ts'
import { compare } from './compare.ts'
import type { Inspection } from './inspection.ts'
import { inspectingWorker, packagedWorker } from './workers.ts'

/**
 * Opens the corpus after a kill and searches it, as soon as the page is there.
 *
 * @returns what compares the corpus with what was acknowledged, and closes it
 */
export async function recoverAtOnce(
  reopening: Reopening,
): Promise<(acknowledged: Acknowledged) => Promise<Recovery>> {
  const { corpus: name, inspect, wanted } = reopening
  const inspecting = inspect === 'before' ? inspectingWorker() : undefined
  const worker = inspecting?.source ?? packagedWorker
  const corpus = await openCorpus({ name, storage: 'opfs', worker })
  const { items } = await corpus.searchEvents({
    query: wanted === undefined ? 'nothing' : wordOf(wanted.sessionId, wanted.seq),
  })
  // Counted from the navigation.
  const now = performance.now()
  const found = items.some((hit) => hit.header.id === wanted?.sessionId && hit.seq === wanted.seq)
  const before = await inspecting?.inspection
  return async (acknowledged) => {
    const compared = await compare(corpus, acknowledged)
    await corpus.close()
    const { problems } = before ?? (await inspected(name))
    return {
      ...compared,
      searchedMs: now - (before?.ms ?? 0),
      problems: [
        ...compared.problems,
        ...problems,
        ...(found || wanted === undefined
          ? []
          : [`A search does not find event ${wanted.seq} of ${wanted.sessionId}.`]),
      ],
    }
  }
}

/** Looks at databases that the library has opened since the kill. */
async function inspected(name: string): Promise<Inspection> {
  const { source, inspection } = inspectingWorker()
  const corpus = await openCorpus({ name, storage: 'opfs', worker: source })
  await corpus.close()
  return inspection
}
