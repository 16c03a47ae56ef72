import { abortAllDurableObjects, env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { corpusFor, type SessionCorpus } from '../../src/edge/index.ts'
import { append } from '../contract/logs.ts'
import type { CorpusObject } from './worker.ts'
import { logOf, session, userMessage } from '../fixtures/logs.ts'

const talk = session('talk', [userMessage('how do we deploy the shop?'), userMessage('by hand')])

function corpusOf(workspace: string): SessionCorpus {
  return corpusFor(env.CORPORA, workspace)
}

function stubOf(name: string): DurableObjectStub<CorpusObject> {
  return env.CORPORA.get(env.CORPORA.idFromName(name))
}

describe('a corpus by its workspace', () => {
  it('is the whole corpus: writes, reads, traces, searches', async () => {
    const corpus = corpusOf('whole')
    expect(await corpus.putSession(talk)).toEqual({
      sessionId: 'talk',
      created: true,
      appended: 2,
      length: 2,
    })
    expect(await corpus.readSession({ sessionId: 'talk' })).toEqual({
      session: talk.header,
      events: talk.events,
    })
    const { items } = await corpus.searchEvents({ query: 'deploying' })
    expect(items).toMatchObject([{ sessionId: 'talk', seq: 0 }])
    expect((await corpus.searchSessions({ query: 'hand' })).items).toHaveLength(1)
    expect(await corpus.traceSession({ sessionId: 'talk' })).toMatchObject({ ancestors: [] })
    expect(await corpus.status()).toMatchObject({
      sessions: 1,
      events: 2,
      storage: { kind: 'durable-object', persistent: true },
    })
    await corpus.deleteSession({ sessionId: 'talk' })
    expect(await corpus.listSessions()).toEqual([])
  })

  it('keeps the code of a failure, also within a result', async () => {
    const corpus = corpusOf('failures')
    await expect(corpus.readSession({ sessionId: 'none' })).rejects.toMatchObject({
      name: 'SessionQueryError',
      code: 'SESSION_QUERY_SESSION_NOT_FOUND',
    })
    expect(await corpus.readTitles({ sessionIds: ['none'] })).toMatchObject([
      { status: 'rejected', error: { code: 'SESSION_QUERY_SESSION_NOT_FOUND' } },
    ])
    await expect(
      corpus.filterSessions({ filters: [{ kind: 'created-at', from: Infinity }] }),
    ).rejects.toMatchObject({ code: 'SESSION_QUERY_INVALID_FILTER' })
  })

  it('rejects a call that is aborted with its very reason', async () => {
    const corpus = corpusOf('aborts')
    const reason = { why: 'no longer' }
    await expect(corpus.listSessions({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const controller = new AbortController()
    const call = corpus.listSessions({}, { signal: controller.signal })
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
  })

  it('calls again where the runtime says that a call may be repeated', async () => {
    let calls = 0
    const failing = (fails: number, marks: object): SessionCorpus =>
      corpusFor(
        {
          idFromName: (name) => env.CORPORA.idFromName(name),
          get(id: DurableObjectId) {
            calls += 1
            return calls > fails
              ? env.CORPORA.get(id)
              : { hosted: () => Promise.reject(Object.assign(new Error('gone'), marks)) }
          },
        },
        'lost',
      )
    expect(await failing(2, { retryable: true }).putSession(talk)).toMatchObject({ created: true })
    expect(calls).toBe(3)
    const failed = { code: 'SESSION_QUERY_WORKER_FAILED', cause: { message: 'gone' } }
    calls = 0
    await expect(failing(3, { retryable: true }).listSessions()).rejects.toMatchObject(failed)
    expect(calls).toBe(3)
    calls = 0
    await expect(
      failing(1, { retryable: true }).deleteSession({ sessionId: 'talk' }),
    ).rejects.toMatchObject(failed)
    for (const marks of [{}, { retryable: true, overloaded: true }]) {
      calls = 0
      await expect(failing(1, marks).listSessions()).rejects.toMatchObject(failed)
      expect(calls).toBe(1)
    }
  })

  it('opens sessions that are stored in the object', async () => {
    const corpus = corpusOf('live')
    const live = await corpus.sessions.create({ id: 'live' })
    append(live, 'user/message', userMessage('said just now').data, { surfaceOp: 'append' })
    expect((await corpus.searchEvents({ query: 'just' })).items).toHaveLength(1)
    await live.close()
    expect((await corpusOf('live').readSession({ sessionId: 'live' })).events).toHaveLength(1)
    await expect(corpus.sessions.create({ id: 'x' }, { persist: false })).rejects.toThrow(
      'persist is false',
    )
  })

  it('gives and takes more than a call has room for', async () => {
    const corpus = corpusOf('large')
    const events = Array.from({ length: 80 }, (_, at) =>
      userMessage(`${at} ${'ä\uD800'.repeat(120_000)}`),
    )
    const log = session('large', events)
    expect(await corpus.putSession(log)).toMatchObject({ created: true, length: 80 })
    const read = await corpus.readSession({ sessionId: 'large' })
    expect(JSON.stringify(read.events) === JSON.stringify(log.events)).toBe(true)
    expect(JSON.stringify(read.events).length).toBeGreaterThan(65_000_000)
  })

  it('is apart from those of other workspaces', async () => {
    await corpusOf('mine').putSession(talk)
    expect(await corpusOf('yours').listSessions()).toEqual([])
    await expect(corpusOf('yours').readSession({ sessionId: 'talk' })).rejects.toThrow('talk')
    expect(await corpusOf('mine ').listSessions()).toEqual([])
  })

  it('moves to another one as a stream', async () => {
    const [from, to] = [corpusOf('house 1'), corpusOf('house 2')]
    await from.putSession(talk)
    const file = await from.exportDatabase()
    expect(file).toMatchObject({ sessions: 1, events: 2, skipped: [] })
    expect(await to.importDatabase(file)).toMatchObject({ created: 1, events: 2, refused: [] })
    expect(await to.readSession({ sessionId: 'talk' })).toMatchObject({ events: talk.events })
  })

  it.each([undefined, '', '  ', 5])('refuses the workspace %j', (workspace) => {
    expect(() => corpusFor(env.CORPORA, workspace as string)).toThrow('workspace')
  })

  it('refuses the binding of another class', async () => {
    await expect(corpusFor(env.OBJECTS, 'w').listSessions()).rejects.toMatchObject({
      code: 'SESSION_QUERY_INVALID_CONFIG',
      message: expect.stringMatching(/^namespace is the binding of another class/),
    })
  })

  it('refuses what is no binding', () => {
    expect(() => corpusFor(undefined as never, 'w')).toThrow('namespace')
  })
})

describe('an object that is a corpus', () => {
  it('can be called by itself', async () => {
    const stub = stubOf('called')
    await stub.putSession(talk)
    expect(await stub.listSessions()).toMatchObject([{ header: { id: 'talk' } }])
    expect(await stub.readEvent({ sessionId: 'talk', seq: 1 })).toMatchObject({ startSeq: 1 })
    expect((await stub.searchEvents({ query: 'shop' })).items).toHaveLength(1)
    await expect(async () => stub.readSession({ sessionId: 'none' })).rejects.toThrow('"none"')
    const file = await stub.exportDatabase()
    expect(await stubOf('called 2').importDatabase(file)).toMatchObject({ created: 1 })
  })

  it('leaves to its heirs what the runtime gives an object', async () => {
    expect(await stubOf('heir').isNamed('heir')).toBe(true)
    expect(await stubOf('heir').isNamed('other')).toBe(false)
  })

  it('does not let a caller at more than its calls', async () => {
    const outcome = await stubOf('more').hosted('constructor' as never, {})
    expect(outcome).toMatchObject({ ok: false })
    const shown = { header: talk.header, from: 0, events: talk.events }
    expect(await stubOf('more').hosted('showLive', { json: JSON.stringify(shown) })).toMatchObject({
      ok: false,
    })
  })

  it('indexes by alarm what was stored', async () => {
    const stub = stubOf('alarm')
    await stub.putSession(talk)
    expect((await stub.status()).index.state).not.toBe('ready')
    expect(await runDurableObjectAlarm(stub)).toBe(true)
    expect((await stub.status()).index).toEqual({ state: 'ready', documents: 2 })
    expect(await runDurableObjectAlarm(stub)).toBe(false)
    await stub.appendEvents({
      sessionId: 'talk',
      events: logOf([{}, {}, userMessage('more')]).slice(2),
    })
    expect(await runDurableObjectAlarm(stub)).toBe(true)
    expect((await stub.status()).index).toEqual({ state: 'ready', documents: 3 })
  })

  it('has the alarm ring again that something else deleted', async () => {
    const stub = stubOf('deleted alarm')
    await stub.putSession(talk)
    await runInDurableObject(stub, async (_object, { storage }) => storage.deleteAlarm())
    const more = logOf(Array.from({ length: 40 }, () => userMessage('more')))
    let stored = 2
    await expect
      .poll(
        async () => {
          stored += 1
          await stub.appendEvents({ sessionId: 'talk', events: more.slice(stored - 1, stored) })
          return runDurableObjectAlarm(stub)
        },
        { timeout: 5000, interval: 250 },
      )
      .toBe(true)
    expect((await stub.status()).index).toEqual({ state: 'ready', documents: stored })
  })

  it('rings again until all is indexed', async () => {
    const stub = stubOf('many')
    const many = session(
      'many',
      Array.from({ length: 6000 }, (_, at) => userMessage(`word ${at}`)),
    )
    await stub.putSession(many)
    let rings = 0
    while (await runDurableObjectAlarm(stub)) rings += 1
    expect(rings).toBe(2)
    expect((await stub.status()).index).toEqual({ state: 'ready', documents: 6000 })
  })

  it('goes on after it was put out of memory', async () => {
    const stub = stubOf('kept')
    await stub.putSession(talk)
    await abortAllDurableObjects()
    const again = stubOf('kept')
    expect(await again.listSessions()).toHaveLength(1)
    expect(await runDurableObjectAlarm(again)).toBe(true)
    expect((await again.status()).index).toEqual({ state: 'ready', documents: 2 })
    await abortAllDurableObjects()
    expect((await stubOf('kept').searchEvents({ query: 'shop' })).items).toHaveLength(1)
  })
})
