import {
  isSessionQueryError,
  openCorpus,
  SessionQueryError,
  type JsonValue,
  type SessionCorpus,
} from 'session-query'
import { afterEach, describe, expect, it } from 'vitest'
import { greeting, log, userMessage } from './logs.ts'

const opened: SessionCorpus[] = []

async function open(...args: Parameters<typeof openCorpus>): Promise<SessionCorpus> {
  const corpus = await openCorpus(...args)
  opened.push(corpus)
  return corpus
}

afterEach(async () => {
  for (const corpus of opened.splice(0)) await corpus.close()
  const root = await navigator.storage.getDirectory()
  await root.removeEntry('session-query', { recursive: true }).catch(() => undefined)
})

describe('openCorpus', () => {
  it('stores, reads and finds in memory', async () => {
    const corpus = await open({ storage: 'memory' })
    expect(await corpus.putSession(greeting)).toEqual({
      sessionId: 'greeting',
      created: true,
      appended: 3,
      length: 3,
    })
    const { items } = await corpus.searchSessions({ query: 'deployed' })
    expect(items.map((item) => [item.header.id, item.bestMatch.seq])).toEqual([['greeting', 2]])
    expect((await corpus.status()).storage.kind).toBe('memory')
  })

  it('keeps the corpus in OPFS from one worker to the next', async () => {
    const first = await open({ name: 'kept' })
    await first.putSession(greeting)
    await first.close()
    const second = await open({ name: 'kept' })
    expect(await second.readSession({ sessionId: 'greeting' })).toEqual({
      session: greeting.header,
      events: greeting.events,
    })
    expect((await second.searchEvents({ query: 'deployed' })).items).toHaveLength(1)
    const status = await second.status()
    expect(status).toMatchObject({
      storage: { kind: 'opfs' },
      sessions: 1,
      events: 3,
      index: { documents: 2 },
    })
    expect(status.storage).not.toHaveProperty('because')
  })

  it('closes at the end of a scope', async () => {
    let kept: SessionCorpus | undefined
    {
      await using corpus = await open({ storage: 'memory' })
      kept = corpus
      expect(await corpus.listSessions()).toEqual([])
    }
    await expect(kept.listSessions()).rejects.toMatchObject({ code: 'SESSION_QUERY_WORKER_FAILED' })
  })

  it('leaves nothing of a deleted session in any file', async () => {
    const canary = 'zyxwvutqux'
    const corpus = await open({ name: 'deleted' })
    await corpus.putSession(greeting)
    await corpus.putSession(log('gone', [userMessage(`${canary} was said`)]))
    expect((await corpus.searchSessions({ query: canary })).items).toHaveLength(1)
    await corpus.deleteSession({ sessionId: 'gone' })
    expect((await corpus.searchSessions({ query: canary })).items).toEqual([])
    await corpus.close()
    const files = await filesIn('session-query')
    expect(files.some((text) => text.includes('deployed'))).toBe(true)
    expect(files.filter((text) => text.includes(canary.slice(2)))).toEqual([])
  })

  it.each([
    [{ name: '../up' }, /name is "\.\.\/up"; it has to be/],
    [{ storage: 'disk' as 'opfs' }, /storage is "disk"; allowed are/],
    [{ readWindowMax: -1 }, /readWindowMax is -1/],
    [{ worker: 5 as unknown as Worker }, /worker is 5/],
  ])('refuses %o', async (options, message) => {
    const error: unknown = await openCorpus(options).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SessionQueryError)
    expect(error).toMatchObject({
      code: 'SESSION_QUERY_INVALID_CONFIG',
      message: expect.stringMatching(message),
    })
  })

  it('gives errors of the worker their class, code and cause', async () => {
    const corpus = await open({ storage: 'memory' })
    const error: unknown = await corpus
      .readEvent({ sessionId: 'none', seq: 0 })
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SessionQueryError)
    expect(isSessionQueryError(error)).toBe(true)
    expect(error).toMatchObject({ code: 'SESSION_QUERY_SESSION_NOT_FOUND', message: /"none"/ })
  })

  it('judges in the worker also what cannot be cloned', async () => {
    const corpus = await open({ storage: 'memory' })
    const query = (() => 'x') as unknown as string
    await expect(corpus.searchSessions({ query })).rejects.toMatchObject({
      code: 'SESSION_QUERY_INVALID_QUERY',
    })
  })

  it('carries and keeps logs exactly: a million characters, half surrogates, NULs, the order of keys, deep nesting', async () => {
    const corpus = await open({ name: 'exact' })
    let deep: JsonValue = 'end'
    for (let level = 0; level < 900; level += 1) deep = [deep]
    const long = 'a\u0000\ud83d"\\'.repeat(250_000)
    const data = { z: '\ud83d', a: 'a\u0000b', 10: 1, 2: 2, deep, long }
    const odd = log('odd\u0000\ud800', [{ type: 'odd/one', data }])
    await corpus.putSession(odd)
    const { target } = await corpus.readEvent({ sessionId: 'odd\u0000\ud800', seq: 0 })
    expect(JSON.stringify(target)).toBe(JSON.stringify(odd.events[0]))
    await corpus.close()
    const again = await open({ name: 'exact', storage: 'opfs' })
    const { events } = await again.readSession({ sessionId: 'odd\u0000\ud800' })
    expect(JSON.stringify(events)).toBe(JSON.stringify(odd.events))
  })
})

/** What the files of a folder hold, and of the folders in it. */
async function filesIn(name: string, parent?: FileSystemDirectoryHandle): Promise<string[]> {
  const folder = await (parent ?? (await navigator.storage.getDirectory())).getDirectoryHandle(name)
  const texts: string[] = []
  for await (const [inner, handle] of folder.entries()) {
    if (handle.kind === 'directory') texts.push(...(await filesIn(inner, folder)))
    else texts.push(await (await handle.getFile()).text())
  }
  return texts
}
