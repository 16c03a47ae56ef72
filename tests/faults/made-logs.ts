import type { SessionEvent, SessionHeader } from '../../src/core/session.ts'
import { hashOf, randomOf } from './random.ts'

/** When everything here was recorded: a clock that goes would make events that cannot be made again. */
export const madeTime = 1_700_000_000_000

/** The header of a session; it depends on nothing but the id. */
export function madeHeader(id: string): SessionHeader {
  return { version: 0, id, createdAt: madeTime, cwd: `/projects/${id}` }
}

/** An event; it depends on nothing but the session and the place, so that anyone can tell what it has to be. */
export function madeEvent(id: string, seq: number): SessionEvent {
  if (!isSaid(seq)) return { type: 'turn/start', seq, time: madeTime, data: { turn: seq } }
  return {
    type: 'user/message',
    seq,
    time: madeTime,
    data: {
      id: `${id}/${seq}`,
      role: 'user',
      content: [{ type: 'text', text: textOf(id, seq) }],
      source: { kind: 'user' },
    },
    surfaceOp: 'append',
  }
}

export function madeEvents(id: string, from: number, to: number): SessionEvent[] {
  return Array.from({ length: to - from }, (_, at) => madeEvent(id, from + at))
}

/** Whether the event at this place has a text that can be searched. */
export function isSaid(seq: number): boolean {
  return seq % 4 !== 0
}

/** A word that stands in this event and hardly in another one. */
export function wordOf(id: string, seq: number): string {
  const digits = String(hashOf(`${id}/${seq}`))
  return `only${Array.from(digits, (digit) => 'bcdfghjklm'[Number(digit)]).join('')}`
}

/** What is hard to keep: a NUL, half a surrogate pair, an emoji, ends of lines, quotes. */
const awkward = '\0 \ud83d \u{1f642} \r\n "\\" é'

function textOf(id: string, seq: number): string {
  const random = randomOf(hashOf(`${seq}/${id}`))
  // Now and then one that needs pages of its own in the database.
  const length = seq % 100 === 99 ? 4000 : 5 + random.below(60)
  const words = Array.from({ length }, () => `word${random.below(3000).toString(36)}`)
  return [wordOf(id, seq), ...words, awkward].join(' ')
}

/** How many events a session has that is stored in one call; undefined for those that grow. */
export function wholeLength(id: string): number | undefined {
  return id.startsWith('whole-') ? 1 + (hashOf(id) % 600) : undefined
}
