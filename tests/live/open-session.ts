import { expect } from 'vitest'
import type { LiveSession, SessionCorpus } from '../../src/core/corpus.ts'
import { userMessage } from '../fixtures/logs.ts'
import type { Scene, UnsteadyStore } from './unsteady-store.ts'

/** An open session with three events of which none is stored. */
export async function opened({ corpus }: Scene): Promise<LiveSession> {
  const live = await corpus.sessions.create({ id: 'live' })
  live.append('user/message', said('one'), { surfaceOp: 'append' })
  live.append('session/title', { title: 'Title', messageSeqs: [0], source: { kind: 'user' } })
  live.append('user/message', said('two'), { surfaceOp: 'append' })
  return live
}

function said(text: string): never {
  return userMessage(text).data as never
}

export function more(live: LiveSession, count: number): void {
  for (let at = 0; at < count; at += 1) live.append('of/test', { at })
}

/** Every read of an open session, and that it answers. */
export async function readsAnswer(corpus: SessionCorpus): Promise<void> {
  const sessionId = 'live'
  expect((await corpus.readSession({ sessionId })).events.length).toBeGreaterThanOrEqual(3)
  expect((await corpus.readSurface({ sessionId })).events.map(({ seq }) => seq)).toEqual([0, 2])
  expect(await corpus.readTitle({ sessionId })).toMatchObject({ title: 'Title' })
  expect(await corpus.readTitles({ sessionIds: [sessionId] })).toMatchObject([{ status: 'fulfilled' }])
  expect((await corpus.listEvents({ sessionId })).length).toBeGreaterThanOrEqual(3)
  expect(
    await corpus.filterEvents({ sessionId, filters: [{ kind: 'text', text: 'two' }] }),
  ).toHaveLength(1)
  expect(await corpus.readEvent({ sessionId, seq: 1, before: 1, after: 1 })).toMatchObject({
    startSeq: 0,
    endSeq: 2,
  })
  expect(await corpus.traceEvent({ sessionId, seq: 2 })).toMatchObject({
    target: { surface: 'current' },
  })
  await expect(corpus.readEvent({ sessionId, seq: 99_999 })).rejects.toMatchObject({
    code: 'SESSION_QUERY_EVENT_NOT_FOUND',
  })
}

export async function storedSeqs({ steady }: Pick<UnsteadyStore, 'steady'>): Promise<number[]> {
  return (await steady.readLog({ sessionId: 'live' })).events.map(({ seq }) => seq)
}

export const upTo = (length: number): number[] => Array.from({ length }, (_, seq) => seq)
