import type { JsonValue, SessionEvent, SessionLog } from 'session-query'

/** A log whose events get their seq and time here. */
export function log(id: string, events: readonly Partial<SessionEvent>[]): SessionLog {
  return {
    header: { version: 0, id, createdAt: 1_700_000_000_000, cwd: '/workspace' },
    events: events.map((event, seq) => ({
      type: 'turn/start',
      seq,
      time: 1_700_000_000_000 + seq,
      data: null,
      ...event,
    })),
  }
}

/** What a person says. */
export function userMessage(text: string): Partial<SessionEvent> {
  const data: JsonValue = {
    id: 'm',
    role: 'user',
    content: [{ type: 'text', text }],
    source: { kind: 'user' },
  }
  return { type: 'user/message', surfaceOp: 'append', data }
}

export const greeting = log('greeting', [
  { type: 'turn/start', data: { turn: 1 } },
  userMessage('Hello there'),
  userMessage('Is the shop deployed yet?'),
])
