import {
  isSessionQueryError,
  openCorpus,
  type LiveSession,
  type SessionCorpus,
  type StorageChoice,
  type StoragePlace,
} from 'session-query'
import { importLogs } from 'session-query/ingest'
import { createSessionTools } from 'session-query/tools'
import type { Failed } from '../driver.ts'

let corpus: SessionCorpus
let worker: Worker | undefined
const told: StoragePlace[] = []

/** What a call failed with; undefined when it did not. */
async function failure(call: Promise<unknown>): Promise<Failed | undefined> {
  try {
    await call
    return undefined
  } catch (error) {
    const { message } = error as Error
    if (!isSessionQueryError(error)) return { code: 'none of ours', message }
    const { code, reason } = error
    return { code, message, ...(reason === undefined ? {} : { reason }) }
  }
}

async function openIn(storage: StorageChoice, source?: () => Worker): Promise<void> {
  corpus = await openCorpus({
    name: 'elsewhere',
    storage,
    ...(source === undefined ? {} : { worker: source }),
  })
  corpus.subscribe(({ storage: place }) => {
    if (place !== undefined) told.push(place)
  })
}

/** The worker of the package, which `endWorker` ends. */
function endableWorker(): Worker {
  worker = new Worker(new URL('../../../dist/worker.js', import.meta.url), { type: 'module' })
  return worker
}

/** The session of this id, which is opened where it is not open. */
async function sessionOf(id: string): Promise<LiveSession> {
  const open = corpus.sessions.list().find((session) => session.id === id)
  if (open !== undefined) return open
  const known = await corpus.filterSessions({ filters: [{ kind: 'id', values: [id] }] })
  return known.length > 0
    ? corpus.sessions.resume(id)
    : corpus.sessions.create({ id, cwd: '/elsewhere' })
}

async function append(id: string, text: string): Promise<number> {
  const session = await sessionOf(id)
  session.append(
    'user/message',
    {
      id: `${id}-${session.length}`,
      role: 'user',
      content: [{ type: 'text', text }],
      source: { kind: 'user' },
    },
    { surfaceOp: 'append' },
  )
  await session.flush()
  return session.length
}

async function importMany(id: string, count: number, word: string): Promise<number> {
  const header = { type: 'session', version: 0, id, createdAt: 1_700_000_000_000 }
  const events = Array.from({ length: count }, (_, seq) => ({
    type: 'user/message',
    seq,
    time: 1_700_000_000_000 + seq,
    data: {
      id: `m${seq}`,
      role: 'user',
      content: [{ type: 'text', text: `${word} ${seq} \ud83d\u0000` }],
      source: { kind: 'user' },
    },
    surfaceOp: 'append',
  }))
  const lines = [header, ...events].map((line) => `${JSON.stringify(line)}\n`)
  const report = await importLogs(corpus, [new File(lines, `${id}.jsonl`)])
  return report.totals.appended
}

async function found(query: string): Promise<string[]> {
  const { items } = await corpus.searchSessions({ query })
  return items.map(({ header }) => header.id).toSorted()
}

Object.assign(globalThis, {
  begin: (storage: StorageChoice) => failure(openIn(storage)),
  beginEndable: (storage: StorageChoice) => failure(openIn(storage, endableWorker)),
  endWorker: () => worker?.terminate(),
  reopen: () => corpus.reopen(),
  told: () => told,
  corpusStatus: () => corpus.status(),
  append,
  tryAppend: (id: string, text: string) => failure(append(id, text)),
  importMany,
  async texts(id: string) {
    const { events } = await corpus.readSession({ sessionId: id })
    return events.map(({ data }) => JSON.stringify(data))
  },
  found,
  tryFind: (query: string) => failure(found(query)),
  /** What a model is told that calls a tool in a session that is open here. */
  async ask(caller: string, name: string, args: Record<string, unknown>) {
    const tools = createSessionTools(corpus, { caller: await sessionOf(caller) })
    return tools.find((tool) => tool.name === name)?.execute(args)
  },
  remove: (sessionId: string) => corpus.deleteSession({ sessionId }),
  async exported() {
    const file = await corpus.exportDatabase()
    return new Uint8Array(await new Response(file).arrayBuffer()).length === file.size
  },
})
