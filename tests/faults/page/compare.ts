import type { SessionCorpus } from 'session-query'
import { isSaid, madeEvent, madeHeader, wholeLength } from '../made-logs.ts'
import type { Acknowledged, Recovery } from '../plan.ts'

/**
 * Reads everything and compares it with what it has to be.
 *
 * @param acknowledged how long each session is at least
 */
export async function compare(
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
