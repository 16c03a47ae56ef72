import { openCorpus, type SessionCorpus } from 'session-query'
import { describe, expect, it, onTestFinished } from 'vitest'
import { log, userMessage } from './logs.ts'

const workerUrl = new URL('../../dist/worker.js', import.meta.url)

/** How a promise ended and after how many milliseconds. */
async function ending(promise: Promise<unknown>): Promise<{ code: unknown; ms: number }> {
  const began = performance.now()
  const code = await promise.then(
    () => 'fulfilled',
    (error: { code?: unknown }) => error.code,
  )
  return { code, ms: performance.now() - began }
}

function moduleFrom(code: string): string {
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
  onTestFinished(() => URL.revokeObjectURL(url))
  return url
}

async function openWith(worker: Worker): Promise<SessionCorpus> {
  const corpus = await openCorpus({ storage: 'memory', worker })
  onTestFinished(() => corpus.close())
  return corpus
}

/** A call that keeps the worker busy for some seconds. */
function longCall(corpus: SessionCorpus): Promise<unknown> {
  const words = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ')
  return corpus.putSession(
    log(
      'long',
      Array.from({ length: 60_000 }, () => userMessage(words)),
    ),
  )
}

const workerFailed = 'SESSION_QUERY_WORKER_FAILED'

describe('a worker that ends', () => {
  it('in mid-call, terminated from outside, rejects every pending and later call', async () => {
    const worker = new Worker(workerUrl, { type: 'module' })
    const corpus = await openWith(worker)
    const calls = [longCall(corpus), corpus.listSessions(), corpus.searchSessions({ query: 'a' })]
    const endings = calls.map(ending)
    await new Promise((resume) => setTimeout(resume, 300))
    worker.terminate()
    for (const { code, ms } of await Promise.all(endings)) {
      expect(code).toBe(workerFailed)
      expect(ms).toBeLessThan(1300)
    }
    expect((await ending(corpus.listSessions())).code).toBe(workerFailed)
  })

  it('by itself, is noticed through the lock that it held', async () => {
    const code = `
      import '${workerUrl}'
      addEventListener('message', ({ data }) => { if (data === 'leave') close() })`
    const worker = new Worker(moduleFrom(code), { type: 'module' })
    const corpus = await openWith(worker)
    worker.postMessage('leave')
    const { code: ended, ms } = await ending(corpus.listSessions())
    expect(ended).toBe(workerFailed)
    expect(ms).toBeLessThan(1000)
  })

  it('while it opens', async () => {
    const worker = new Worker(workerUrl, { type: 'module' })
    const opening = ending(openCorpus({ storage: 'memory', worker }))
    worker.terminate()
    const { code, ms } = await opening
    expect(code).toBe(workerFailed)
    expect(ms).toBeLessThan(1000)
  })

  it('because it throws at load', async () => {
    const worker = new Worker(moduleFrom('throw new Error("broken at load")'), { type: 'module' })
    const { code, ms } = await ending(openCorpus({ worker }))
    expect(code).toBe(workerFailed)
    expect(ms).toBeLessThan(1000)
  })

  it('because it throws later', async () => {
    const code = `
      import '${workerUrl}'
      addEventListener('message', ({ data }) => { if (data === 'throw') throw new Error('broken later') })`
    const worker = new Worker(moduleFrom(code), { type: 'module' })
    const corpus = await openWith(worker)
    const pending = ending(longCall(corpus))
    worker.postMessage('throw')
    expect((await pending).code).toMatch(/fulfilled|WORKER_FAILED/)
    const { code: ended, ms } = await ending(corpus.listSessions())
    expect(ended).toBe(workerFailed)
    expect(ms).toBeLessThan(1000)
  })

  it('because its URL leads nowhere', async () => {
    const worker = new Worker(new URL('/no/such/worker.js', location.href), { type: 'module' })
    const { code, ms } = await ending(openCorpus({ worker }))
    expect(code).toBe(workerFailed)
    expect(ms).toBeLessThan(1000)
  })
})

describe('calls in flight', () => {
  it('end when the corpus is closed', async () => {
    const corpus = await openWith(new Worker(workerUrl, { type: 'module' }))
    const pending = ending(corpus.listSessions())
    await corpus.close()
    expect((await pending).code).toMatch(/fulfilled|WORKER_FAILED/)
    expect((await ending(corpus.listSessions())).code).toBe(workerFailed)
  })

  it('reject with the very reason of their signal, before and during the call', async () => {
    const corpus = await openWith(new Worker(workerUrl, { type: 'module' }))
    const reason = { mine: true }
    const before = corpus.listSessions({}, { signal: AbortSignal.abort(reason) })
    await expect(before).rejects.toBe(reason)
    const controller = new AbortController()
    const during = corpus.searchSessions({ query: 'a' }, { signal: controller.signal })
    controller.abort(reason)
    await expect(during).rejects.toBe(reason)
    expect(await corpus.listSessions()).toEqual([])
  })
})

describe('reopening', () => {
  it('goes on after the worker was ended between two appends: every event once, in order', async () => {
    const workers: Worker[] = []
    const corpus = await openCorpus({
      name: 'reopened',
      storage: 'opfs',
      worker: () => {
        const worker = new Worker(workerUrl, { type: 'module' })
        workers.push(worker)
        return worker
      },
    })
    onTestFinished(async () => {
      await corpus.close()
      const root = await navigator.storage.getDirectory()
      await root.removeEntry('session-query', { recursive: true })
    })
    const session = await corpus.sessions.create({ id: 'long-lived' })
    for (let turn = 0; turn < 5; turn += 1) session.append('turn/start', { turn })
    await session.flush()
    workers[0]?.terminate()
    for (let turn = 5; turn < 10; turn += 1) session.append('turn/start', { turn })
    await expect(session.flush()).rejects.toMatchObject({
      code: 'SESSION_QUERY_PERSISTENCE_FAILED',
      reason: 'unavailable',
    })
    expect(await corpus.readEvent({ sessionId: 'long-lived', seq: 9 })).toMatchObject({ startSeq: 9 })
    await expect(corpus.listSessions()).rejects.toMatchObject({ code: workerFailed })

    await corpus.reopen()
    await session.close()
    const { events } = await corpus.readSession({ sessionId: 'long-lived' })
    expect(events.map(({ seq, data }) => [seq, data])).toEqual(
      Array.from({ length: 10 }, (_, turn) => [turn, { turn }]),
    )
  })
})
