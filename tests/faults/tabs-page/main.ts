import {
  openCorpus,
  type CorpusChange,
  type EventDataOf,
  type LiveSession,
  type SessionCorpus,
} from 'session-query'
import type { TabReport, TabView } from '../tabs-plan.ts'

let corpus: SessionCorpus
const failures: string[] = []
const regained: number[] = []
let appended = 0
let searches = 0
let longestCall = 0

function noted(change: CorpusChange): void {
  if (change.kind !== 'storage') return
  if (change.error === undefined) regained.push(Date.now())
  else failures.push(`${change.error.code} ${change.error.message}`)
}

/** Times a call, and notes what it failed with. */
async function timed<Result>(what: string, call: Promise<Result>): Promise<Result | undefined> {
  const began = performance.now()
  try {
    return await call
  } catch (error) {
    failures.push(`${what}: ${String(error)}`)
    return undefined
  } finally {
    longestCall = Math.max(longestCall, performance.now() - began)
  }
}

function said(id: string, seq: number): EventDataOf<'user/message'> {
  const text = `plover ${id} number${seq}`
  return {
    id: `${id}-${seq}`,
    role: 'user',
    content: [{ type: 'text', text }],
    source: { kind: 'user' },
  }
}

async function opened(id: string): Promise<LiveSession> {
  const known = await corpus.filterSessions({ filters: [{ kind: 'id', values: [id] }] })
  return known.length === 0 ? corpus.sessions.create({ id }) : corpus.sessions.resume(id)
}

/** Appends to its own session, up to so many events, and searches those of the others meanwhile. */
async function work(id: string, events: number, others: readonly string[]): Promise<void> {
  const session = await opened(id)
  appended = session.length
  while (session.length < events) {
    session.append('user/message', said(id, session.length), { surfaceOp: 'append' })
    appended = session.length
    if (session.length % 10 === 0) {
      await timed('flush', session.flush())
      const other = others[searches % others.length] ?? id
      searches += 1
      const page = await timed('search', corpus.searchSessions({ query: `plover ${other}`, limit: 5 }))
      if (page?.searchable === false) failures.push('a search was not one')
    }
    await new Promise((resume) => setTimeout(resume, 15))
  }
  await timed('close', session.close())
}

async function view(ids: readonly string[]): Promise<TabView> {
  return Object.fromEntries(
    await Promise.all(
      ids.map(async (id) => {
        const { events } = await corpus.readSession({ sessionId: id })
        const wrong = events.filter(
          ({ seq, data }, at) => seq !== at || JSON.stringify(data) !== JSON.stringify(said(id, at)),
        )
        const page = await corpus.searchEvents({ query: `number${events.length - 1}`, sessionId: id })
        return [id, { length: events.length, wrong: wrong.length, found: page.items[0]?.seq }] as const
      }),
    ),
  )
}

Object.assign(globalThis, {
  async begin(name: string) {
    corpus = await openCorpus({ name, storage: 'opfs' })
    corpus.subscribe(noted)
  },
  // Goes on by itself.
  work(id: string, events: number, others: readonly string[]) {
    work(id, events, others).catch((error: unknown) => failures.push(`work: ${String(error)}`))
  },
  view,
  async append(id: string) {
    const session = corpus.sessions.list().find((open) => open.id === id) ?? (await opened(id))
    session.append('user/message', said(id, session.length), { surfaceOp: 'append' })
    await session.flush()
  },
  role: async () => (await corpus.status()).role,
  report: (): TabReport => ({ appended, searches, longestCall, failures, regained }),
})
