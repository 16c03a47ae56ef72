import {
  isSessionQueryError,
  openCorpus,
  type CorpusChange,
  type CorpusStatus,
  type EventDataOf,
  type LiveSession,
  type SessionCorpus,
} from 'session-query'
import { importLogs } from 'session-query/ingest'
import { madeHeader, madeTime, wordOf } from '../made-logs.ts'
import type { Outcome, SessionView, TabFailure } from '../quota-plan.ts'

let corpus: SessionCorpus
const sessions = new Map<string, LiveSession>()
const failures: CorpusChange[] = []

/** Some 20 kB: a few hundred events are more than there is room for. */
const filler = ' avocets and stilts in the shallows'.repeat(600)

function said(id: string, seq: number): EventDataOf<'user/message'> {
  return {
    id: `${id}/${seq}`,
    role: 'user',
    content: [{ type: 'text', text: wordOf(id, seq) + filler }],
    source: { kind: 'user' },
  }
}

function session(id: string): LiveSession {
  const open = sessions.get(id)
  if (open === undefined) throw new Error(`Session ${id} is not open.`)
  return open
}

async function outcome(call: () => Promise<unknown>): Promise<Outcome> {
  try {
    await call()
    return { done: true }
  } catch (error) {
    if (!isSessionQueryError(error)) throw error
    const { code, reason, message } = error
    return { code, ...(reason === undefined ? {} : { reason }), message }
  }
}

async function found(id: string, seq: number): Promise<SessionView['found'][number]> {
  const { items } = await corpus.searchEvents({ query: wordOf(id, seq) })
  return { seq, at: items.filter((hit) => hit.header.id === id).map((hit) => hit.seq) }
}

async function read(id: string): Promise<Pick<SessionView, 'length' | 'wrong'>> {
  const { events } = await corpus.readSession({ sessionId: id })
  const wrong = events.filter(
    ({ seq, data }, at) => seq !== at || JSON.stringify(data) !== JSON.stringify(said(id, at)),
  )
  return { length: events.length, wrong: wrong.length }
}

async function view(id: string): Promise<SessionView> {
  const { length, wrong } = await read(id)
  return { length, wrong, found: [await found(id, 0), await found(id, length - 1)] }
}

function madeLog(id: string, length: number): File {
  const events = Array.from({ length }, (_, seq) => ({
    type: 'user/message',
    seq,
    time: madeTime,
    data: said(id, seq),
    surfaceOp: 'append',
  }))
  const lines = [{ type: 'session', ...madeHeader(id) }, ...events]
  return new File([lines.map((line) => `${JSON.stringify(line)}\n`).join('')], `${id}.jsonl`)
}

/** What the test can have this tab do. */
const tab = {
  open: (name: string): Promise<Outcome> =>
    outcome(async () => {
      corpus = await openCorpus({ name, storage: 'opfs' })
      corpus.subscribe((change) => {
        if (change.kind === 'storage') failures.push(change)
      })
    }),
  create: async (id: string): Promise<void> => {
    sessions.set(id, await corpus.sessions.create(madeHeader(id)))
  },
  append(id: string, count: number): void {
    const open = session(id)
    for (let left = count; left > 0; left -= 1) {
      open.append('user/message', said(id, open.length), { surfaceOp: 'append' })
    }
  },
  flush: (id: string): Promise<Outcome> => outcome(() => session(id).flush()),
  importLogs: (lengths: Readonly<Record<string, number>>): Promise<Outcome> =>
    outcome(() =>
      importLogs(
        corpus,
        Object.entries(lengths).map((log) => madeLog(...log)),
      ),
    ),
  read,
  view,
  found,
  stored: async (): Promise<string[]> => (await corpus.listSessions()).map(({ header }) => header.id),
  failures: (): TabFailure[] =>
    failures.map(({ sessionId, error }) => ({
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(error?.reason === undefined ? {} : { reason: error.reason }),
    })),
  status: (): Promise<CorpusStatus> => corpus.status(),
  close: (): Promise<Outcome> => outcome(() => corpus.close()),
}

Object.assign(globalThis, { tab })
