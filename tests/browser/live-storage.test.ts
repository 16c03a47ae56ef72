import { openCorpus, type CorpusChange, type LiveSession, type SessionCorpus } from 'session-query'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { cdp } from 'vitest/browser'

declare module 'vitest/browser' {
  interface CDPSession {
    send(
      method: 'Storage.overrideQuotaForOrigin',
      parameters: { readonly origin: string; readonly quotaSize?: number },
    ): Promise<unknown>
  }
}

const workerUrl = new URL('../../dist/worker.js', import.meta.url)

afterEach(async () => {
  const root = await navigator.storage.getDirectory()
  await root.removeEntry('session-query', { recursive: true }).catch(() => undefined)
})

async function open(name: string, worker?: Worker | (() => Worker)): Promise<SessionCorpus> {
  const corpus = await openCorpus({
    name,
    storage: 'opfs',
    ...(worker === undefined ? {} : { worker }),
  })
  onTestFinished(() => corpus.close().catch(() => undefined))
  return corpus
}

/** Allows this origin so many bytes more than it uses, or as many as there are. */
async function leaveRoom(bytes: number | undefined): Promise<void> {
  const { usage = 0 } = await navigator.storage.estimate()
  await cdp().send('Storage.overrideQuotaForOrigin', {
    origin: location.origin,
    ...(bytes === undefined ? {} : { quotaSize: usage + bytes }),
  })
}

function appendMany(live: LiveSession, count: number, size = 10): void {
  for (let at = 0; at < count; at += 1)
    live.append('of/test', { seq: live.length, text: 'x'.repeat(size) })
}

/** Expects a stored session to hold so many events, each once and in order. */
async function expectStored(corpus: SessionCorpus, count: number): Promise<void> {
  const { events } = await corpus.readSession({ sessionId: 'live' })
  expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: count }, (_, seq) => seq))
  for (const { seq, data } of events) expect(data).toMatchObject({ seq })
}

describe('a live session', () => {
  it('is read, kept and stored later when there is no room', async () => {
    const corpus = await open('full')
    const changes: CorpusChange[] = []
    corpus.subscribe((change) => changes.push(change))
    const live = await corpus.sessions.create({ id: 'live' })
    appendMany(live, 3)
    await live.flush()
    onTestFinished(() => leaveRoom(undefined))
    await leaveRoom(100_000)
    appendMany(live, 40, 100_000)
    const full = { code: 'SESSION_QUERY_PERSISTENCE_FAILED', reason: 'full' }
    for (let attempt = 0; attempt < 3; attempt += 1)
      await expect(live.flush()).rejects.toMatchObject(full)
    expect(changes.filter(({ kind }) => kind === 'storage')).toMatchObject([
      { sessionId: 'live', error: full },
    ])
    expect((await corpus.readEvent({ sessionId: 'live', seq: 42 })).target.data).toMatchObject({
      seq: 42,
    })
    expect((await corpus.searchSessions({ query: 'anything' })).items).toEqual([])
    await expectStored(corpus, 43)

    await leaveRoom(undefined)
    appendMany(live, 2)
    await live.close()
    await corpus.close()
    const again = await open('full')
    await expectStored(again, 45)
    const resumed = await again.sessions.resume('live')
    appendMany(resumed, 1)
    await resumed.close()
    await expectStored(again, 46)
  })

  it('of a tab that does not have the databases open is kept and stored later, too', async () => {
    const owner = await open('shared')
    const follower = await open('shared')
    const live = await follower.sessions.create({ id: 'live' })
    appendMany(live, 3)
    await live.flush()
    onTestFinished(() => leaveRoom(undefined))
    await leaveRoom(100_000)
    appendMany(live, 40, 100_000)
    const words = {
      id: 'm',
      role: 'user',
      content: [{ type: 'text', text: 'bittern' }],
      source: { kind: 'user' },
    } as const
    live.append('user/message', words, { surfaceOp: 'append' })
    await expect(live.flush()).rejects.toMatchObject({
      code: 'SESSION_QUERY_PERSISTENCE_FAILED',
      reason: 'full',
    })
    expect((await follower.searchSessions({ query: 'bittern' })).items).toHaveLength(1)
    await vi.waitFor(async () =>
      expect((await owner.searchSessions({ query: 'bittern' })).items).toHaveLength(1),
    )
    expect((await owner.readSession({ sessionId: 'live' })).events).toHaveLength(44)
    await leaveRoom(undefined)
    await live.close()
    const { events } = await owner.readSession({ sessionId: 'live' })
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 44 }, (_, seq) => seq))
    expect((await owner.status()).events).toBe(44)
  })

  it('leaves what was stored whole when there is no room', async () => {
    const corpus = await open('whole')
    const live = await corpus.sessions.create({ id: 'live' })
    appendMany(live, 10, 10_000)
    await live.flush()
    onTestFinished(() => leaveRoom(undefined))
    await leaveRoom(100_000)
    appendMany(live, 40, 100_000)
    await expect(live.flush()).rejects.toMatchObject({ reason: 'full' })
    await expect(corpus.close()).rejects.toMatchObject({ reason: 'full' })
    const again = await open('whole')
    const { events } = await again.readSession({ sessionId: 'live' })
    expect(events.length).toBeGreaterThanOrEqual(10)
    await expectStored(again, events.length)
  })

  it('loses nothing that was flushed when the worker is ended between two appends', async () => {
    const worker = new Worker(workerUrl, { type: 'module' })
    const corpus = await open('ended', worker)
    const live = await corpus.sessions.create({ id: 'live' })
    appendMany(live, 700)
    await live.flush()
    worker.terminate()
    appendMany(live, 5)
    await expect(live.flush()).rejects.toMatchObject({
      code: 'SESSION_QUERY_PERSISTENCE_FAILED',
      reason: 'unavailable',
    })
    expect((await corpus.readSession({ sessionId: 'live' })).events).toHaveLength(705)
    await expect(corpus.listSessions()).rejects.toMatchObject({ code: 'SESSION_QUERY_WORKER_FAILED' })

    const again = await open('ended')
    await expectStored(again, 700)
    const resumed = await again.sessions.resume('live')
    for (const { type, data } of live.events.slice(700)) resumed.append(type, data)
    appendMany(resumed, 1)
    await resumed.close()
    await expectStored(again, 706)
  })

  it.each([0, 1, 5, 20, 60])(
    'goes on in a new worker when the last one ended in mid-write, after %i ms',
    async (milliseconds) => {
      const workers: Worker[] = []
      const corpus = await open(`reopened-${milliseconds}`, () => {
        const worker = new Worker(workerUrl, { type: 'module' })
        workers.push(worker)
        return worker
      })
      const live = await corpus.sessions.create({ id: 'live' })
      appendMany(live, 10)
      await live.flush()
      appendMany(live, 3000, 1000)
      const flushing = live.flush().catch(() => undefined)
      await new Promise((resume) => setTimeout(resume, milliseconds))
      workers[0]?.terminate()
      await flushing
      appendMany(live, 5)
      await corpus.reopen()
      await live.flush()
      expect(await corpus.status()).toMatchObject({ sessions: 1, events: 3015, live: 1 })
      await live.close()
      await expectStored(corpus, 3015)
    },
  )
})
