import type { AppendOptions, LiveSession } from '../../src/core/corpus.ts'
import type { JsonValue } from '../../src/core/json.ts'
import type { SessionEvent, SurfaceOp } from '../../src/core/session.ts'
import { assistantMessage, session, toolResult, userMessage } from '../fixtures/logs.ts'

/** A replacement of a range of nodes, which names its sources. */
export function replacing(
  start: number,
  end: number,
  sourceEventSeqs: readonly number[],
): { surfaceOp: SurfaceOp; sourceEventSeqs: readonly number[] } {
  return { surfaceOp: { op: 'replace', start, end }, sourceEventSeqs }
}

/** An event that titles its session. */
export function titled(title: unknown): Partial<SessionEvent> {
  return {
    type: 'session/title',
    data: { title, messageSeqs: [1], source: { kind: 'user' } } as SessionEvent['data'],
  }
}

/** A short talk, with a title. */
export const talk = session('talk', [
  { type: 'turn/start', data: { turn: 1 } },
  userMessage('Please deploy the shop'),
  assistantMessage('The shop is deployed'),
  titled('Deploying'),
])

/** A log in which things were replaced; what is left is 6, 5, 8. */
export const compacted = session('compacted', [
  userMessage('one'),
  assistantMessage('two'),
  {
    type: 'tool/call',
    data: { turn: 1, step: 1, callId: 'call', name: 'look', arguments: '{"at": 1}' },
  },
  toolResult('a long result'),
  userMessage('two, shorter', replacing(1, 1, [1])),
  toolResult('a result', { ...replacing(3, 3, [3]) }),
  assistantMessage('one and two', replacing(0, 4, [0, 4])),
  {
    type: 'turn/end',
    data: { turn: 1, reason: { kind: 'error', error: { message: 'lost', code: 'E' } } },
  },
  userMessage('three', { sourceEventSeqs: [0, 6] }),
])

/** Appends to a live session what its types may forbid. */
export function append(
  live: LiveSession,
  type: string,
  data: unknown = {},
  options?: AppendOptions,
): SessionEvent {
  return live.append(type, data as JsonValue, options)
}
