import { proxy, wrap } from 'comlink'
import {
  openCorpus,
  type CorpusChange,
  type LiveSession,
  type OpenOptions,
  type SessionCorpus,
} from 'session-query'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { resolveOptions } from '../../src/core/options.ts'
import type { CorpusHost } from '../../src/core/protocol.ts'
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

function moduleFrom(code: string): string {
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
  onTestFinished(() => URL.revokeObjectURL(url))
  return url
}

/** What makes workers that hang over `readTitle`, and that can be told to hang, or to break down in the next statement. */
function unsteady(workers: Worker[] = []): () => Worker {
  const trouble = moduleFrom(`
    let trap = false
    const { instantiateStreaming } = WebAssembly
    WebAssembly.instantiateStreaming = async (source, imports) => {
      const { module, instance } = await instantiateStreaming(source, imports)
      const { sqlite3_step: step } = instance.exports
      const sqlite3_step = (statement) => {
        if (trap) throw new WebAssembly.RuntimeError('unreachable')
        return step(statement)
      }
      return { module, instance: { exports: { ...instance.exports, sqlite3_step } } }
    }
    const hang = ({ data }) => {
      if (data?.path?.[0] !== 'readTitle') return
      for (const end = performance.now() + 60_000; performance.now() < end;);
    }
    addEventListener('message', hang)
    globalThis.BroadcastChannel = class extends BroadcastChannel {
      constructor(name) {
        super(name)
        super.addEventListener('message', hang)
      }
    }
    addEventListener('message', ({ data }) => {
      if (data === 'trap') trap = true
      if (typeof data !== 'number') return
      const end = performance.now() + data
      while (performance.now() < end);
    })`)
  const url = moduleFrom(`
    import '${trouble}'
    import '${workerUrl}'
    postMessage('loaded')`)
  return () => {
    const worker = new Worker(url, { type: 'module' })
    workers.push(worker)
    return worker
  }
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
    const kept = await owner.sessions.create({ id: 'two' }, { persist: false })
    say(kept, 'stilt')
    await vi.waitFor(async () => expect(await ids(follower)).toContain('two'))
    expect(await codeOf(follower.sessions.resume('two'))).toBe(conflict)
    expect(await codeOf(follower.sessions.create({ id: 'two' }))).toBe(conflict)
    expect((await follower.sessions.fork('two')).length).toBe(1)
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

describe('sessions in several tabs', () => {
  it('that are never stored stay for all when the owner goes and their own tab asks nothing', async () => {
    const first = await openTab()
    const [idle, third] = [await openTab(), await openTab()]
    const kept = await idle.sessions.create({ id: 'kept' }, { persist: false })
    say(kept, 'dunlin')
    await vi.waitFor(async () => expect(await ids(third)).toEqual(['kept']))
    await first.close()
    await vi.waitFor(async () => expect(await found(third, 'dunlin')).toEqual(['kept']))
  })

  it.each([true, false])('have an id of their own at once, stored (%s) or not', async (persist) => {
    const [owner, follower] = await twoTabs()
    const first = await owner.sessions.create({ id: 'dup' }, { persist })
    expect(await codeOf(follower.sessions.create({ id: 'dup' }, { persist: false }))).toBe(
      'SESSION_QUERY_SOURCE_CONFLICT',
    )
    say(first, 'knot')
    expect(await found(owner, 'knot')).toEqual(['dup'])
    await first.close()
    const second = await follower.sessions.create({ id: 'other' }, { persist: false })
    expect(second.length).toBe(0)
  })

  it('are told of once each time', async () => {
    const [owner, follower] = await twoTabs()
    const here = heard(owner)
    await follower.putSession(log('one', [userMessage('avocet')]))
    await follower.putSession(log('two', [userMessage('avocet')]))
    await vi.waitFor(() => expect(here).toContainEqual({ kind: 'added', sessionId: 'two' }))
    expect(here.filter(({ sessionId }) => sessionId === 'one')).toHaveLength(1)
  })

  it('do not wait for ever for a page that stands still while it writes one', async () => {
    const corpus = await openTab()
    await corpus.putSession(log('x', [userMessage('ruff')]))
    const lock = `session-query/${name}/session/"x"`
    const held = new Promise<() => void>((resolve) => {
      void navigator.locks.request(
        lock,
        { mode: 'shared' },
        () => new Promise<void>((free) => resolve(free)),
      )
    })
    const free = await held
    onTestFinished(free)
    await expect(corpus.sessions.resume('x')).rejects.toMatchObject({
      code: 'SESSION_QUERY_PERSISTENCE_FAILED',
      reason: 'busy',
    })
  })
})

describe('a worker that cannot go on', () => {
  it('because of one call is not given that call again and again', async () => {
    const one = await openTab({ worker: unsteady() })
    const two = await openTab({ worker: unsteady() })
    await one.putSession(log('kept', [userMessage('ruff')]))
    expect(await codeOf(two.readTitle({ sessionId: 'kept' }))).toBe('SESSION_QUERY_WORKER_FAILED')
    for (const corpus of [one, two]) expect(await found(corpus, 'ruff')).toEqual(['kept'])
  })

  it('and cannot be made again leaves the corpus to the others', async () => {
    const workers: Worker[] = []
    const make = unsteady(workers)
    const owner = await openTab({
      worker: () => {
        if (workers.length > 0) throw new Error('No more.')
        return make()
      },
    })
    const follower = await openTab()
    await owner.putSession(log('kept', [userMessage('ruff')]))
    workers[0]?.postMessage('trap')
    expect(await codeOf(owner.listSessions())).toBe('SESSION_QUERY_WORKER_FAILED')
    expect(await ids(follower)).toEqual(['kept'])
    await vi.waitFor(async () =>
      expect(await codeOf(owner.listSessions())).toBe('SESSION_QUERY_WORKER_FAILED'),
    )
  })

  it('ends what waits soon after the corpus is closed', async () => {
    const workers: Worker[] = []
    const corpus = await openTab({ worker: unsteady(workers) })
    workers[0]?.postMessage(60_000)
    const read = corpus.listSessions()
    const closing = corpus.close().then(
      () => 'closed',
      () => 'closed',
    )
    const first = await Promise.race([read.catch(() => 'read'), closing])
    expect(first).toBe('read')
    expect(await codeOf(read)).toBe('SESSION_QUERY_WORKER_FAILED')
    await closing
  })

  it('and is back does neither show a session that was closed meanwhile nor carry out what was given up', async () => {
    const worker = unsteady()()
    onTestFinished(() => worker.terminate())
    await new Promise((resolve) => worker.addEventListener('message', resolve, { once: true }))
    const host = wrap<CorpusHost>(worker)
    await host.open(
      { options: resolveOptions({}), name, storage: 'opfs', tab: 'suspended' },
      proxy(() => undefined),
    )
    const [follower, other] = [await openTab(), await openTab()]
    await follower.putSession(log('kept', [userMessage('ruff')]))
    const session = await follower.sessions.create({ id: 'ghost' }, { persist: false })
    say(session, 'whimbrel')
    await vi.waitFor(async () => expect(await ids(other)).toEqual(['ghost', 'kept']))
    worker.postMessage(14_000)
    await new Promise((resume) => setTimeout(resume, 50))
    say(session, 'whimbrel')
    expect(await codeOf(follower.deleteSession({ sessionId: 'kept' }))).toBe(
      'SESSION_QUERY_PERSISTENCE_FAILED',
    )
    await session.close()
    await vi.waitFor(async () => expect(await ids(other)).toEqual(['kept']), {
      timeout: 20_000,
      interval: 500,
    })
    expect(await found(follower, 'whimbrel')).toEqual([])
    await (await other.sessions.create({ id: 'ghost' })).close()
  })

  it('because it hangs is ended by its page, and calls of every tab are answered', async () => {
    const workers: Worker[] = []
    const owner = await openTab({ worker: unsteady(workers) })
    const follower = await openTab()
    await owner.putSession(log('kept', [userMessage('godwit')]))
    const session = await owner.sessions.create({ id: 'live' }, { persist: false })
    say(session, 'godwit')
    workers[0]?.postMessage(60_000)
    const answers = await Promise.all([
      found(owner, 'godwit'),
      follower.readSession({ sessionId: 'kept' }),
      follower.putSession(log('new', [userMessage('godwit')])),
    ])
    expect(answers[0]).toEqual(expect.arrayContaining(['kept', 'live']))
    expect(await found(follower, 'godwit')).toEqual(expect.arrayContaining(['kept', 'new']))
    expect(workers).toHaveLength(2)
  })

  it('because its engine breaks down is started again, and only that call fails', async () => {
    const workers: Worker[] = []
    const owner = await openTab({ worker: unsteady(workers) })
    const follower = await openTab()
    const changes = heard(owner)
    await owner.putSession(log('kept', [userMessage('ruff')]))
    const session = await owner.sessions.create({ id: 'live' })
    say(session, 'ruff')
    workers[0]?.postMessage('trap')
    await expect(owner.listSessions()).rejects.toMatchObject({
      code: 'SESSION_QUERY_WORKER_FAILED',
      message: expect.stringMatching(/engine broke down .* what was stored is safe/),
    })
    expect(await found(owner, 'ruff')).toEqual(['kept', 'live'])
    expect(await found(follower, 'ruff')).toEqual(['kept', 'live'])
    expect(changes).toContainEqual(
      expect.objectContaining({
        kind: 'storage',
        error: expect.objectContaining({ message: expect.stringMatching(/started again/) }),
      }),
    )
    expect(workers).toHaveLength(2)
  })

  it('and breaks down again and again is given up', async () => {
    const workers: Worker[] = []
    const corpus = await openTab({ worker: unsteady(workers) })
    for (let at = 0; at < 4; at += 1) {
      await vi.waitFor(async () => expect(await codeOf(corpus.status())).toBe('fulfilled'))
      workers.at(-1)?.postMessage('trap')
      expect(await codeOf(corpus.listSessions())).toBe('SESSION_QUERY_WORKER_FAILED')
    }
    await vi.waitFor(async () =>
      expect(await codeOf(corpus.listSessions())).toBe('SESSION_QUERY_WORKER_FAILED'),
    )
    await corpus.reopen()
    expect(await ids(corpus)).toEqual([])
  })

  it('and that nobody can end is reported as busy, and answers again when it is back', async () => {
    const [worker] = [unsteady()()]
    onTestFinished(() => worker.terminate())
    const loaded = new Promise((resolve) => worker.addEventListener('message', resolve, { once: true }))
    await loaded
    // Without a page that looks after it, as one that is suspended.
    const host = wrap<CorpusHost>(worker)
    const options = resolveOptions({})
    await host.open(
      { options, name, storage: 'opfs', tab: 'suspended' },
      proxy(() => undefined),
    )
    const follower = await openTab()
    const session = await follower.sessions.create({ id: 'live' })
    say(session, 'whimbrel')
    await session.flush()
    worker.postMessage(13_000)
    say(session, 'whimbrel')
    const busy = { code: 'SESSION_QUERY_PERSISTENCE_FAILED', reason: 'busy' }
    await Promise.all([
      expect(follower.listSessions()).rejects.toMatchObject(busy),
      expect(session.flush()).rejects.toMatchObject(busy),
    ])
    expect((await follower.readSession({ sessionId: 'live' })).events).toHaveLength(2)
    // By itself, without another append or flush.
    await vi.waitFor(
      async () =>
        expect(((await host.status(1, {})) as { value: { json: string } }).value.json).toMatch(
          /"events":2/,
        ),
      { timeout: 20_000, interval: 500 },
    )
    expect(await found(follower, 'whimbrel')).toEqual(['live'])
  })
})
