import type { EventHit, EventRecord, IndexStatus, SessionRecord } from '../core/corpus.ts'
import type { Hits } from './collect-hits.ts'
import { at, count, name, quote } from './text.ts'
import type { Titles } from './titles.ts'

/** A session on one line: its id, title, time and where it exists. */
export function sessionLine({ header, ...record }: SessionRecord, titles: Titles): string {
  const { id, createdAt } = header
  return `${name(id)} ${titles(id)}, created ${at(createdAt)}, ${availability(record)}`
}

/** An event on one line, without its text. */
export function eventLine({ seq, type, time, surface }: EventRecord): string {
  return `seq ${seq} ${name(type)}, ${surface}, ${at(time)}`
}

/**
 * An event that matched on one line, with its excerpt.
 *
 * @param note more words on it
 */
export function hitLine(hit: EventHit, note = ''): string {
  return `${eventLine(hit)}${note}, ${matches[hit.matched]}: ${quote(hit.snippet)}`
}

/** What was found, ranked, and whether there is more. */
export function hitList<Hit>(
  noun: string,
  { hits, capped, firstPage }: Hits<Hit>,
  lineOf: (hit: Hit) => string,
): string {
  const found = count(hits.length, noun)
  const head = capped
    ? `The best ${found}; more match. Narrow the search to see others.`
    : `${found}, best first.`
  const lines = hits.map((hit, index) => `${index + 1}. ${lineOf(hit)}`)
  return [head, ...lines, indexLine(firstPage.index)].filter((line) => line !== '').join('\n')
}

/** Says of an index that has not come by every event how far it is; blank where it has. */
export function indexLine(index: IndexStatus | undefined): string {
  if (index === undefined) return ''
  const { eventsDone = 0, eventsTotal = 0 } = index.progress ?? {}
  const part =
    eventsTotal === 0
      ? ''
      : `; ${Math.floor((100 * eventsDone) / eventsTotal)} % of all events are in it`
  return index.state === 'behind'
    ? `The index has no room for what came last${part}. There may be more.`
    : `The index is still being built${part}. There may be more.`
}

const matches: Readonly<Record<EventHit['matched'], string>> = {
  phrase: 'phrase',
  all: 'all words',
  some: 'some words',
}

function availability({ live, persisted }: Omit<SessionRecord, 'header'>): string {
  return [...(live ? ['live'] : []), ...(persisted ? ['persisted'] : [])].join(', ')
}
