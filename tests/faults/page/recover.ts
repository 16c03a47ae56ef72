import { openCorpus, type SessionCorpus } from 'session-query'
import { isSaid, madeEvent, madeHeader, wholeLength, wordOf } from '../made-logs.ts'
import type { Acknowledged, Recovery, Reopening } from '../plan.ts'
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

/** Reads everything and compares it with what it has to be. */
async function compare(
  corpus: SessionCorpus,
  acknowledged: Acknowledged,
): Promise<Pick<Recovery, 'problems' | 'sessions' | 'events'>> {
  const problems: string[] = []
  const lengths = new Map<string, number>()
  for (const { header } of await corpus.listSessions()) {
    const { session, events } = await corpus.readSession({ sessionId: header.id })
    if (lengths.has(header.id)) problems.push(`${header.id} is there twice.`)
    lengths.set(header.id, events.length)
    if (JSON.stringify(sorted(session)) !== JSON.stringify(sorted(madeHeader(header.id)))) {
      problems.push(`The header of ${header.id} is ${JSON.stringify(session)}.`)
    }
    const other = events.findIndex(
      (event, at) => JSON.stringify(event) !== JSON.stringify(madeEvent(header.id, at)),
    )
    if (other >= 0) {
      problems.push(`Event ${other} of ${header.id} is ${JSON.stringify(events[other])}.`)
    }
    const whole = wholeLength(header.id)
    if (whole !== undefined && events.length !== whole) {
      problems.push(`${header.id} was stored in one call, and has ${events.length} of ${whole} events.`)
    }
  }
  for (const [id, length] of Object.entries(acknowledged)) {
    const there = lengths.get(id) ?? 'no session and no'
    if (there === 'no session and no' || there < length) {
      problems.push(`${id} has ${there} events, of which ${length} were acknowledged.`)
    }
  }
  const events = [...lengths.values()].reduce((sum, length) => sum + length, 0)
  const said = [...lengths.values()].reduce((sum, length) => sum + saidIn(length), 0)
  const { index, issues, ...counted } = await corpus.status()
  if (index.state !== 'ready' || index.documents !== said) {
    problems.push(`The index is ${JSON.stringify(index)}; ${said} events can be searched.`)
  }
  if (issues.length > 0) problems.push(`Issues: ${JSON.stringify(issues)}.`)
  if (counted.sessions !== lengths.size || counted.events !== events) {
    problems.push(
      `The status counts ${JSON.stringify(counted)}; read were ${lengths.size} and ${events}.`,
    )
  }
  return { problems, sessions: lengths.size, events }
}

function saidIn(length: number): number {
  return Array.from({ length }, (_, seq) => seq).filter(isSaid).length
}

function sorted(value: object): [string, unknown][] {
  return Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
