import { describe, expect, it } from 'vitest'
import type { SessionStore } from '../../src/core/corpus.ts'
import { session } from '../fixtures/logs.ts'
import { more, opened, readsAnswer } from './open-session.ts'
import { sceneOver, steadyStore, type Scene } from './unsteady-store.ts'

/** An open session of which some is stored, and more is not; meanwhile the stored log changed. */
async function conflicting(
  store: SessionStore,
  change: (steady: SessionStore) => Promise<unknown>,
): Promise<Scene> {
  const scene = sceneOver(store)
  const live = await opened(scene)
  await live.flush()
  await change(store)
  more(live, 2)
  return scene
}

describe('a stored log that is not the one that is open', () => {
  const other = session('live', [{ type: 'of/another' }])

  it.each<[string, (store: SessionStore) => Promise<unknown>]>([
    ['is gone', (store) => store.deleteSession({ sessionId: 'live' })],
    [
      'is another',
      async (store) => {
        await store.deleteSession({ sessionId: 'live' })
        await store.putSession({ ...other, events: session('live', [{}, {}, {}, {}]).events })
      },
    ],
  ])('makes flush report a conflict when it %s, and nothing is written', async (_name, change) => {
    const store = steadyStore()
    const scene = await conflicting(store, change)
    const before = await store.status()
    const [live] = scene.corpus.sessions.list()
    await expect(live?.flush()).rejects.toMatchObject({ code: 'SESSION_QUERY_SOURCE_CONFLICT' })
    expect(await store.status()).toEqual(before)
    expect(scene.failures).toMatchObject([{ code: 'SESSION_QUERY_SOURCE_CONFLICT' }])
    await readsAnswer(scene.corpus)
  })

  it('makes flush report a conflict when it is shorter', async () => {
    const store = steadyStore()
    const scene = await conflicting(store, async () => {
      const { header, events } = await store.readLog({ sessionId: 'live' })
      await store.deleteSession({ sessionId: 'live' })
      await store.putSession({ header, events: events.slice(0, 1) })
    })
    const [live] = scene.corpus.sessions.list()
    await expect(live?.flush()).rejects.toMatchObject({ code: 'SESSION_QUERY_SOURCE_CONFLICT' })
  })

  it('shows on the record, in traces, in searches and in the status', async () => {
    const store = steadyStore()
    const scene = await conflicting(store, async () => {
      await store.deleteSession({ sessionId: 'live' })
      await store.putSession({ ...other, header: { ...other.header, cwd: '/else' } })
    })
    const { corpus } = scene
    const [live] = corpus.sessions.list()
    expect(await corpus.listSessions()).toEqual([
      { header: live?.header, live: true, persisted: true, conflict: true },
    ])
    const conflict = { code: 'SESSION_QUERY_SOURCE_CONFLICT' }
    await expect(corpus.traceSession({ sessionId: 'live' })).rejects.toMatchObject(conflict)
    await expect(corpus.searchEvents({ sessionId: 'live', query: 'one' })).rejects.toMatchObject(
      conflict,
    )
    expect((await corpus.status()).issues).toEqual([{ sessionId: 'live', ...conflict }])
    await readsAnswer(corpus)
  })
})
