import {
  openCorpus,
  type CorpusChange,
  type LiveSession,
  type OpenOptions,
  type SessionCorpus,
} from 'session-query'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { log, userMessage } from './logs.ts'

const workerUrl = new URL('../../dist/worker.js', import.meta.url).href

/** Each corpus has a worker of its own, so two of them in one page share it as two tabs do. */
let name = ''
let count = 0

beforeEach(() => {
  count += 1
  name = `tabs-${Date.now()}-${count}`
})

async function openTab(options: OpenOptions = {}): Promise<SessionCorpus> {
  const corpus = await openCorpus({ name, storage: 'opfs', ...options })
  onTestFinished(() => corpus.close().catch(() => undefined))
  return corpus
}

async function twoTabs(): Promise<[owner: SessionCorpus, follower: SessionCorpus]> {
  const owner = await openTab()
  return [owner, await openTab()]
}

async function found(corpus: SessionCorpus, query: string): Promise<string[]> {
  const { items } = await corpus.searchSessions({ query })
  return items.map(({ header }) => header.id).toSorted()
}

async function ids(corpus: SessionCorpus): Promise<string[]> {
  return (await corpus.listSessions()).map(({ header }) => header.id).toSorted()
}

function heard(corpus: SessionCorpus): CorpusChange[] {
  const changes: CorpusChange[] = []
  corpus.subscribe((change) => changes.push(change))
  return changes
}

function say(session: LiveSession, text: string): void {
  session.append('user/message', userMessage(text).data as never, { surfaceOp: 'append' })
}

/** A worker that does what it is told before it answers. */
function unsteady(): () => Worker {
  const code = `
    import '${workerUrl}'
    addEventListener('message', ({ data }) => {
      if (data === 'hang') for (;;);
    })`
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
  onTestFinished(() => URL.revokeObjectURL(url))
  return () => new Worker(url, { type: 'module' })
}

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'fulfilled',
    (error: { code?: unknown }) => error.code,
  )

describe('two tabs', () => {
  it('share one corpus, and say which of them has it open', async () => {
    const [owner, follower] = await twoTabs()
    expect((await owner.status()).role).toBe('owner')
    expect((await follower.status()).role).toBe('follower')
    expect((await follower.status()).storage.kind).toBe('opfs')
    await follower.putSession(log('theirs', [userMessage('pelican')]))
    await owner.putSession(log('ours', [userMessage('pelican')]))
    for (const corpus of [owner, follower]) {
      expect(await found(corpus, 'pelican')).toEqual(['ours', 'theirs'])
      expect(await ids(corpus)).toEqual(['ours', 'theirs'])
    }
  })

  it('go by their own options', async () => {
    const owner = await openTab({ maxLimit: 5, openIndexAt: 'never' })
    const follower = await openTab({ maxLimit: 50 })
    await follower.putSession(log('a', [userMessage('heron')]))
    expect(await codeOf(owner.searchSessions({ query: 'heron' }))).toBe('SESSION_QUERY_SEARCH_DISABLED')
    expect((await follower.searchSessions({ query: 'heron', limit: 50 })).items).toHaveLength(1)
    expect(await codeOf(follower.searchSessions({ query: 'heron', limit: 51 }))).toBe(
      'SESSION_QUERY_INVALID_LIMIT',
    )
  })

  it('give the corpus over when the one that has it open closes', async () => {
    const [owner, follower] = await twoTabs()
    await owner.putSession(log('kept', [userMessage('curlew')]))
    await owner.close()
    expect(await found(follower, 'curlew')).toEqual(['kept'])
    expect((await follower.status()).role).toBe('owner')
  })

  it('give it over as well when its worker is killed, with calls in flight', async () => {
    const workers: Worker[] = []
    const owner = await openTab({
      worker: () => {
        const worker = new Worker(workerUrl, { type: 'module' })
        workers.push(worker)
        return worker
      },
    })
    const follower = await openTab()
    const writes = Array.from({ length: 20 }, (_, at) =>
      follower.putSession(log(`w${at}`, [userMessage('sandpiper'), userMessage('again')])),
    )
    const reads = Array.from({ length: 20 }, () => follower.listSessions())
    workers[0]?.terminate()
    await Promise.all([...writes, ...reads])
    expect((await follower.status()).role).toBe('owner')
    expect(await found(follower, 'sandpiper')).toHaveLength(20)
    expect((await follower.status()).events).toBe(40)
    expect(await codeOf(owner.listSessions())).toBe('SESSION_QUERY_WORKER_FAILED')
    await owner.reopen()
    expect((await owner.status()).role).toBe('follower')
    expect(await found(owner, 'sandpiper')).toHaveLength(20)
  })

  it.each(['owner', 'follower'])(
    'see the live sessions of the other: those of the %s',
    async (whose) => {
      const [owner, follower] = await twoTabs()
      const [one, other] = whose === 'owner' ? [owner, follower] : [follower, owner]
      const stored = await one.sessions.create({ id: 'stored' })
      const kept = await one.sessions.create({ id: 'kept' }, { persist: false })
      for (const session of [stored, kept]) {
        say(session, `the ${session.id} dunlin`)
      }
      await vi.waitFor(async () => expect(await found(other, 'dunlin')).toEqual(['kept', 'stored']))
      const records = await other.filterSessions({
        filters: [{ kind: 'availability', values: ['live'] }],
      })
      expect(records.map(({ header, live, persisted }) => [header.id, live, persisted])).toEqual(
        expect.arrayContaining([
          ['stored', true, true],
          ['kept', true, false],
        ]),
      )
      expect((await other.readSession({ sessionId: 'kept' })).events).toEqual(kept.events)
      expect((await other.searchSessions({ query: 'kept dunlin' })).items[0]).toMatchObject({
        header: { id: 'kept' },
        live: true,
        persisted: false,
      })
      await one.close()
      await vi.waitFor(async () => expect(await found(other, 'dunlin')).toEqual(['stored']))
      expect(await ids(other)).toEqual(['stored'])
      expect((await other.listSessions())[0]?.live).toBe(false)
    },
  )

  it('let a session be open for writing in one of them', async () => {
    const [owner, follower] = await twoTabs()
    const session = await owner.sessions.create({ id: 'one' })
    say(session, 'stilt')
    await session.flush()
    const conflict = 'SESSION_QUERY_SOURCE_CONFLICT'
    expect(await codeOf(follower.sessions.resume('one'))).toBe(conflict)
    expect(await codeOf(follower.sessions.create({ id: 'one' }))).toBe(conflict)
    expect(await codeOf(follower.deleteSession({ sessionId: 'one' }))).toBe(conflict)
    expect(await codeOf(follower.appendEvents({ sessionId: 'one', events: [] }))).toBe(conflict)
    await session.close()
    const again = await follower.sessions.resume('one')
    expect(again.length).toBe(1)
    expect(await codeOf(owner.sessions.resume('one'))).toBe(conflict)
  })

  it('hear of what the other changes', async () => {
    const [owner, follower] = await twoTabs()
    const [here, there] = [heard(owner), heard(follower)]
    const session = await follower.sessions.create({ id: 'live' })
    say(session, 'avocet')
    await session.flush()
    await vi.waitFor(() => expect(here).toContainEqual({ kind: 'added', sessionId: 'live' }))
    await session.close()
    await vi.waitFor(() => expect(here).toContainEqual({ kind: 'closed', sessionId: 'live' }))
    await owner.putSession(log('put', [userMessage('avocet')]))
    await owner.deleteSession({ sessionId: 'put' })
    await vi.waitFor(() => expect(there).toContainEqual({ kind: 'removed', sessionId: 'put' }))
    expect(there).toContainEqual({ kind: 'added', sessionId: 'put' })
  })
})

describe('a worker that cannot go on', () => {
  it('because it hangs is ended by its page, and calls of every tab are answered', async () => {
    const workers: Worker[] = []
    const make = unsteady()
    const owner = await openTab({
      worker: () => {
        const worker = make()
        workers.push(worker)
        return worker
      },
    })
    const follower = await openTab()
    await owner.putSession(log('kept', [userMessage('godwit')]))
    const session = await owner.sessions.create({ id: 'live' }, { persist: false })
    say(session, 'godwit')
    workers[0]?.postMessage('hang')
    const answers = await Promise.all([
      found(owner, 'godwit'),
      follower.readSession({ sessionId: 'kept' }),
      follower.putSession(log('new', [userMessage('godwit')])),
    ])
    expect(answers[0]).toEqual(expect.arrayContaining(['kept', 'live']))
    expect(await found(follower, 'godwit')).toEqual(expect.arrayContaining(['kept', 'new']))
    expect(workers).toHaveLength(2)
  })
})
