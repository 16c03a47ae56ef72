import { describe, expect, it } from 'vitest'
import { persistenceFailed, SessionQueryError } from '../../src/core/errors.ts'
import { session } from '../fixtures/logs.ts'
import { more, opened, readsAnswer, storedSeqs, upTo } from './open-session.ts'
import { sceneOver, steadyStore, unsteadyStore } from './unsteady-store.ts'

const full = persistenceFailed('full', 'There is no room left.')
const gone = new SessionQueryError('SESSION_QUERY_WORKER_FAILED', 'The worker was terminated.')

function fail(error: unknown): () => never {
  return () => {
    throw error
  }
}

describe('after a failure every event is stored once and in order', () => {
  it.each([1, 499, 500, 501, 1400])(
    'when the same store works again, with %i events more',
    async (count) => {
      const store = unsteadyStore()
      const scene = sceneOver(store)
      const live = await opened(scene)
      await live.flush()
      store.before(fail(full))
      more(live, count)
      await expect(live.flush()).rejects.toMatchObject({ reason: 'full' })
      store.before(undefined)
      await live.flush()
      expect(await storedSeqs(store)).toEqual(upTo(3 + count))
      expect((await store.steady.readLog({ sessionId: 'live' })).events).toEqual(live.events)
    },
  )

  it.each(['putSession', 'appendEvents'])('when the answer of %s was lost', async (method) => {
    const store = unsteadyStore()
    const scene = sceneOver(store)
    const live = await opened(scene)
    if (method === 'appendEvents') {
      await live.flush()
      more(live, 2)
    }
    const before = live.length
    store.after((name) => {
      if (name === method) throw gone
    })
    await expect(live.flush()).rejects.toMatchObject({ reason: 'unavailable' })
    expect(await storedSeqs(store)).toEqual(upTo(before))
    more(live, 700)
    store.after(undefined)
    await live.flush()
    expect(await storedSeqs(store)).toEqual(upTo(before + 700))
    expect((await store.steady.readLog({ sessionId: 'live' })).events).toEqual(live.events)
  })

  it('when it fails between two batches', async () => {
    const store = unsteadyStore()
    const scene = sceneOver(store)
    const live = await opened(scene)
    more(live, 1200)
    let writes = 0
    store.before(() => {
      writes += 1
      if (writes === 2) throw full
    })
    await expect(live.flush()).rejects.toMatchObject({ reason: 'full' })
    const stored = await storedSeqs(store)
    expect(stored.length).toBeGreaterThan(0)
    expect(stored).toEqual(upTo(stored.length))
    await live.flush()
    expect(await storedSeqs(store)).toEqual(upTo(1203))
  })

  it('when another store is mounted that holds what the first one held', async () => {
    const steady = steadyStore()
    const broken = unsteadyStore(steady)
    const scene = sceneOver(broken)
    const live = await opened(scene)
    await live.flush()
    broken.after((method) => {
      if (method === 'appendEvents') throw gone
    })
    more(live, 5)
    await expect(live.flush()).rejects.toMatchObject({ reason: 'unavailable' })
    broken.before(fail(gone))
    more(live, 5)
    scene.mount(steady)
    await live.flush()
    expect(await storedSeqs({ steady })).toEqual(upTo(13))
  })

  it('when events are appended while others are being stored', async () => {
    const store = unsteadyStore()
    const scene = sceneOver(store)
    const live = await opened(scene)
    store.before((method) => {
      if (method.startsWith('read') || live.length > 60) return
      more(live, 7)
    })
    const flushing = [live.flush(), live.flush()]
    more(live, 1)
    await Promise.all([...flushing, live.flush(), scene.pass()])
    store.before(undefined)
    await live.flush()
    expect(await storedSeqs(store)).toEqual(upTo(live.length))
    expect(store.calls.filter((method) => method === 'putSession')).toHaveLength(1)
  })

  it('when it fails at random', async () => {
    const store = unsteadyStore()
    const scene = sceneOver(store)
    const live = await opened(scene)
    let state = 7
    const chance = (): boolean => {
      state = (state * 48_271) % 2_147_483_647
      return state % 3 === 0
    }
    store.before(() => {
      if (chance()) throw full
    })
    store.after(() => {
      if (chance()) throw gone
    })
    for (let round = 0; round < 200; round += 1) {
      more(live, round % 5)
      await live.flush().catch(() => undefined)
    }
    store.before(undefined)
    store.after(undefined)
    await live.flush()
    expect((await store.steady.readLog({ sessionId: 'live' })).events).toEqual(live.events)
  })
})

describe('with no store mounted', () => {
  it('the corpus is its live sessions', async () => {
    const scene = sceneOver(undefined)
    const { corpus } = scene
    const live = await opened(scene)
    await readsAnswer(corpus)
    expect(await corpus.listSessions()).toEqual([{ header: live.header, live: true, persisted: false }])
    expect(
      await corpus.filterSessions({ filters: [{ kind: 'availability', values: ['persisted'] }] }),
    ).toEqual([])
    expect(await corpus.traceSession({ sessionId: 'live' })).toMatchObject({ complete: true })
    expect(await corpus.status()).toMatchObject({ storage: { kind: 'none' }, sessions: 0, live: 1 })
    expect(await corpus.readTitles({ sessionIds: ['live', 'other'] })).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', error: { code: 'SESSION_QUERY_SESSION_NOT_FOUND' } },
    ])
    for (const call of [
      () => corpus.readSession({ sessionId: 'other' }),
      () => corpus.sessions.resume('other'),
      () => corpus.sessions.fork('other'),
      () => corpus.deleteSession({ sessionId: 'other' }),
      () => corpus.appendEvents({ sessionId: 'other', events: [] }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'SESSION_QUERY_SESSION_NOT_FOUND' })
    }
    await expect(corpus.putSession(session('s', []))).rejects.toMatchObject({
      code: 'SESSION_QUERY_PERSISTENCE_FAILED',
      reason: 'unavailable',
    })
  })

  it('events wait for one to be mounted', async () => {
    const scene = sceneOver(undefined)
    const live = await opened(scene)
    await expect(live.flush()).rejects.toMatchObject({
      code: 'SESSION_QUERY_PERSISTENCE_FAILED',
      reason: 'unavailable',
    })
    const steady = steadyStore()
    scene.mount(steady)
    await live.flush()
    expect(await storedSeqs({ steady })).toEqual(upTo(3))
    scene.mount(undefined)
    more(live, 2)
    await expect(live.flush()).rejects.toMatchObject({ reason: 'unavailable' })
    await readsAnswer(scene.corpus)
    scene.mount(steady)
    await live.close()
    expect(await storedSeqs({ steady })).toEqual(upTo(5))
    expect(await scene.corpus.listSessions()).toMatchObject([{ live: false, persisted: true }])
  })
})
