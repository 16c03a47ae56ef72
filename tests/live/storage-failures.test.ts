import { describe, expect, it } from 'vitest'
import { persistenceFailed, SessionQueryError } from '../../src/core/errors.ts'
import { more, opened, readsAnswer, storedSeqs, upTo } from './open-session.ts'
import { sceneOver, steadyStore, unsteadyStore, untouchableStore } from './unsteady-store.ts'

const full = persistenceFailed('full', 'There is no room left.')
const gone = new SessionQueryError('SESSION_QUERY_WORKER_FAILED', 'The worker was terminated.')

const never = new Promise<never>(() => undefined)

function fail(error: unknown): () => never {
  return () => {
    throw error
  }
}

const failures: readonly (readonly [string, unknown, string])[] = [
  ['is full', full, 'full'],
  ['is in use elsewhere', persistenceFailed('busy', 'In use.'), 'busy'],
  ['is damaged', persistenceFailed('corrupt', 'Damaged.'), 'corrupt'],
  ['is on a worker that ended', gone, 'unavailable'],
  ['fails in a way of its own', new TypeError('of its own'), 'unavailable'],
]

describe('reads of an open session', () => {
  it('never ask the store', async () => {
    const scene = sceneOver(undefined)
    await opened(scene)
    scene.mount(untouchableStore())
    await readsAnswer(scene.corpus)
  })

  it('never wait for the store', async () => {
    const store = unsteadyStore()
    const scene = sceneOver(store)
    const live = await opened(scene)
    store.before(() => never)
    void live.flush()
    await readsAnswer(scene.corpus)
  })

  it.each(failures)('answer while the store %s', async (_name, error) => {
    const store = unsteadyStore()
    const scene = sceneOver(store)
    const live = await opened(scene)
    store.before(fail(error))
    await scene.pass()
    await expect(live.flush()).rejects.toThrow()
    await readsAnswer(scene.corpus)
    more(live, 1)
    expect((await scene.corpus.readEvent({ sessionId: 'live', seq: 3 })).target.data).toEqual({ at: 0 })
  })

  it('answer when the store is closed under them', async () => {
    const store = steadyStore()
    const scene = sceneOver(store)
    const live = await opened(scene)
    await store.close()
    await expect(live.flush()).rejects.toMatchObject({
      code: 'SESSION_QUERY_PERSISTENCE_FAILED',
      reason: 'unavailable',
    })
    await readsAnswer(scene.corpus)
  })
})

describe('a store that fails', () => {
  it.each(failures)(
    'makes flush reject with a reason while it %s, and is told of once',
    async (_name, error, reason) => {
      const store = unsteadyStore()
      const scene = sceneOver(store)
      const live = await opened(scene)
      store.before(fail(error))
      const expected = { code: 'SESSION_QUERY_PERSISTENCE_FAILED', reason }
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await expect(live.flush()).rejects.toMatchObject(expected)
        more(live, 1)
        await scene.pass()
      }
      expect(scene.failures).toEqual([expect.objectContaining(expected)])
      store.before(undefined)
      await live.flush()
      store.before(fail(error))
      more(live, 1)
      await expect(live.flush()).rejects.toMatchObject(expected)
      expect(scene.failures).toHaveLength(2)
    },
  )

  it('is told of once for each session', async () => {
    const store = unsteadyStore()
    const scene = sceneOver(store)
    await Promise.all([opened(scene), scene.corpus.sessions.create({ id: 'other' })])
    store.before(fail(full))
    await scene.pass()
    await scene.pass()
    expect(scene.failures).toHaveLength(2)
  })

  it('is tried again with the next append or flush, not by itself', async () => {
    const store = unsteadyStore()
    const scene = sceneOver(store)
    const live = await opened(scene)
    store.before(fail(full))
    await scene.pass()
    const attempts = store.calls.length
    for (let turn = 0; turn < 5; turn += 1) await scene.pass()
    expect(store.calls).toHaveLength(attempts)
    store.before(undefined)
    more(live, 1)
    await scene.pass()
    expect(await storedSeqs(store)).toEqual(upTo(4))
  })

  it.each(failures)(
    'makes operations across the corpus fail with its code when it %s',
    async (_name, error) => {
      const store = unsteadyStore()
      const scene = sceneOver(store)
      await opened(scene)
      store.before(fail(error))
      const { corpus } = scene
      const code = error instanceof SessionQueryError ? error.code : undefined
      for (const call of [
        corpus.listSessions(),
        corpus.filterSessions({ filters: [] }),
        corpus.traceSession({ sessionId: 'live' }),
        corpus.readSession({ sessionId: 'other' }),
        corpus.status(),
      ]) {
        await expect(call).rejects.toMatchObject(code === undefined ? {} : { code })
      }
    },
  )

  it('keeps its session open when that is closed, and lets it go later', async () => {
    const store = unsteadyStore()
    const scene = sceneOver(store)
    const live = await opened(scene)
    store.before(fail(full))
    await expect(live.close()).rejects.toMatchObject({ reason: 'full' })
    more(live, 1)
    await readsAnswer(scene.corpus)
    store.before(undefined)
    await live.close()
    expect(await storedSeqs(store)).toEqual(upTo(4))
    expect(scene.corpus.sessions.list()).toEqual([])
  })

  it('does not keep a session open that is not stored', async () => {
    const store = unsteadyStore()
    const scene = sceneOver(store)
    const live = await scene.corpus.sessions.create({ id: 'live' }, { persist: false })
    store.before(fail(gone))
    more(live, 1)
    await live.flush()
    await live.close()
    expect(store.calls).not.toContain('putSession')
    expect(scene.failures).toEqual([])
  })

  it('makes the closing of the corpus say what could not be stored', async () => {
    const store = unsteadyStore()
    const scene = sceneOver(store)
    await opened(scene)
    store.before((method) => {
      if (method === 'putSession') throw full
    })
    await expect(scene.corpus.close()).rejects.toMatchObject({ reason: 'full' })
  })
})
