import { parseArgs } from 'node:util'
import type { SearchSessionsRequest, SessionCorpus } from '../../src/core/corpus.ts'
import { semanticText } from '../../src/core/document.ts'
import { isSessionQueryError } from '../../src/core/errors.ts'
import { resolveOptions } from '../../src/core/options.ts'
import type { SessionLog } from '../../src/core/session.ts'
import { createLogicalCorpus } from '../../src/live/logical-corpus.ts'
import { createSessionTools } from '../../src/tools/session-tools.ts'
import { createStore } from '../../src/sql/create-store.ts'
import type { SqlDatabase } from '../../src/sql/database.ts'
import { processEnvironment } from '../../worker/in-process.ts'
import { loadSqlite, openMemoryDatabase } from '../../worker/sqlite.ts'
import { storeThread } from '../../worker/store-thread.ts'
import { benchCwd, MadeUpSessions, planted } from './made-up-sessions.ts'
import {
  milliseconds,
  printBuild,
  printRows,
  type BuildFigures,
  type ExplainedRow,
  type SearchFigures,
} from './search-figures.ts'
import { miniSearchOf, oramaOf, type Combine, type Peer, type PeerDocument } from './search-peers.ts'
import { elapsed, medians, type Timed } from './timing.ts'

const seed = 20_260_101
const sessionCount = 1000
const eventsPerSession = 100
const liveEvents = 10_000
const rounds = 11
const peerRounds = 5
const oramaPatienceMs = 60_000
/** In this one `session` is measured. */
const oneSession = 'session-500'

/**
 * Builds a corpus of made-up sessions and measures searches in it, in memory and in this thread, beside what
 * SQLite takes for the bare query on the same index, and beside other search engines with the same documents.
 * With `--json` it prints figures for programs.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } })
  const made = new MadeUpSessions(seed)
  const logs = Array.from({ length: sessionCount }, (_, at) =>
    made.session(`session-${at}`, eventsPerSession),
  )
  const { corpus, index } = await openBenchCorpus()
  const build = await built(corpus, index, logs)
  if (!values.json) printBuild(build)
  // A few searches of each kind first, or the first row would pay for the compiler.
  for (let round = 0; round < 10; round += 1) {
    for (const { request } of questions) await corpus.searchSessions(request)
  }
  const rows: ExplainedRow[] = []
  for (const question of questions) rows.push(await measured(question, corpus, index))
  rows.push(await inOneSession(corpus, index))
  rows.push(await asATool(corpus))
  const more = values.json ? [] : await furtherFigures(corpus, made)
  rows.push(await afterAppend(corpus, made, true))
  const unsaved = values.json ? undefined : await afterAppend(corpus, made, false)
  await corpus.close()

  // Peers come last: the garbage collector has to look through all that they keep.
  const documents = documentsOf(logs)
  const peers = [await miniSearchOf(documents), await oramaOf(documents, oramaPatienceMs)]
  const compared = await besidePeers(rows, peers)
  if (values.json) {
    console.log(JSON.stringify(figuresOf(build, compared)))
    return
  }
  printPeers(peers, documents.length)
  const names = peers.map(({ name }) => name)
  printRows([...compared, ...(unsaved === undefined ? [] : [unsaved])], names)
  for (const line of more) console.log(line)
}

/** A search, and how it is asked of SQLite and of peers. */
interface Question {
  readonly name: string
  readonly request: SearchSessionsRequest
  /** In FTS5's query syntax. */
  readonly floor: string
  readonly combine: Combine
  readonly asked: string
}

const sentence = `what was the ${planted.medium} of the ${planted.four[0]} and how did we change its ${planted.four[1]}`

const questions: readonly Question[] = [
  word('rare', planted.rare, 'a word in 0.03 % of the events'),
  word('medium', planted.medium, 'a word in 2 %'),
  word('common', planted.common, 'a word in 99 %'),
  {
    name: 'phrase',
    request: { query: planted.pair.join(' '), match: 'phrase' },
    floor: `"${planted.pair.join(' ')}"`,
    combine: 'AND',
    asked: 'two words side by side, each in 40 % (peers: both words)',
  },
  {
    name: 'words',
    request: { query: planted.four.join(' ') },
    floor: planted.four.join(' '),
    combine: 'AND',
    asked: 'four words, each in 5 % (floor and peers: all of them; ours ranks those with some as well)',
  },
  {
    name: 'question',
    request: { query: sentence },
    floor: sentence.split(' ').join(' OR '),
    combine: 'OR',
    asked: `a question of ${sentence.split(' ').length} words (floor and peers: any of them)`,
  },
]

function word(name: string, query: string, what: string): Question {
  return { name, request: { query }, floor: query, combine: 'AND', asked: what }
}

/** The corpus as it is in process, and the database with its index. */
async function openBenchCorpus(): Promise<{ corpus: SessionCorpus; index: SqlDatabase }> {
  const sqlite = await loadSqlite()
  const options = resolveOptions({})
  const index = openMemoryDatabase(sqlite)
  const store = createStore({
    log: openMemoryDatabase(sqlite),
    index,
    storage: { kind: 'memory' },
    options,
    thread: storeThread(sqlite),
  })
  const { corpus } = createLogicalCorpus({ store, environment: processEnvironment, options })
  return { corpus, index }
}

async function built(
  corpus: SessionCorpus,
  index: SqlDatabase,
  logs: readonly SessionLog[],
): Promise<BuildFigures> {
  const taken = await elapsed(async () => {
    for (const log of logs) await corpus.putSession(log)
  })
  const events = logs.reduce((sum, log) => sum + log.events.length, 0)
  return {
    eventsPerSecond: (events / taken) * 1000,
    indexBytes: index.size(),
    ...(await bareIndexOf(logs)),
  }
}

/** A bare index of the same texts, written with as many transactions. */
async function bareIndexOf(
  logs: readonly SessionLog[],
): Promise<Pick<BuildFigures, 'bareIndexBytes' | 'textBytes'>> {
  const db = openMemoryDatabase(await loadSqlite())
  db.query(
    `CREATE VIRTUAL TABLE bare USING fts5(text, content='', contentless_delete=1, tokenize='unicode61')`,
  )
  let [rowid, textBytes] = [0, 0]
  for (const { events } of logs) {
    db.transaction(() => {
      for (const event of events) {
        const text = semanticText(event)
        textBytes += Buffer.byteLength(text)
        db.query('INSERT INTO bare (rowid, text) VALUES (?1, ?2)', [(rowid += 1), text])
      }
    })
  }
  const bareIndexBytes = db.size()
  db.close()
  return { bareIndexBytes, textBytes }
}

function documentsOf(logs: readonly SessionLog[]): PeerDocument[] {
  return logs.flatMap(({ header, events }) =>
    events.map((event) => ({ id: `${header.id}/${event.seq}`, text: semanticText(event) })),
  )
}

const bareSelect = 'SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY rank LIMIT 20'

async function measured(
  { name, request, floor, asked }: Question,
  corpus: SessionCorpus,
  index: SqlDatabase,
): Promise<ExplainedRow> {
  const page = await corpus.searchSessions(request)
  if (page.items.length === 0) throw new Error(`${name} finds nothing`)
  const times = await medians(
    {
      ours: () => corpus.searchSessions(request),
      floor: () => index.query(bareSelect, [floor]),
    },
    rounds,
  )
  return rowOf(name, times.ours, times.floor, asked, 'bare MATCH … ORDER BY rank LIMIT 20')
}

/** The rows, with what peers take for the same questions. */
async function besidePeers(
  rows: readonly ExplainedRow[],
  peers: readonly Peer[],
): Promise<ExplainedRow[]> {
  const compared: ExplainedRow[] = []
  for (const row of rows) {
    const question = questions.find(({ name }) => name === row.name)
    if (question === undefined) {
      compared.push(row)
      continue
    }
    const { request, combine } = question
    const searches = peers.map((peer) => [peer.name, () => peer.search(request.query, combine)])
    const times = await medians(Object.fromEntries(searches) as Timed, peerRounds, 1)
    compared.push({ ...row, peers: times })
  }
  return compared
}

async function inOneSession(corpus: SessionCorpus, index: SqlDatabase): Promise<ExplainedRow> {
  const request = { query: planted.medium, sessionId: oneSession }
  const [from, to] = docsOf(index, oneSession)
  const times = await medians(
    {
      ours: () => corpus.searchEvents(request),
      floor: () => index.query(narrowedSelect, [planted.medium, from, to]),
    },
    rounds,
  )
  return rowOf(
    'session',
    times.ours,
    times.floor,
    'the word in 2 %, in one session of 100',
    'the same with the rowids of the session',
  )
}

/** What a model pays: the tool walks the pages, looks for one hit more, and names every session. */
async function asATool(corpus: SessionCorpus): Promise<ExplainedRow> {
  const caller = await corpus.sessions.create({ id: 'caller', cwd: benchCwd }, { persist: false })
  const [search] = createSessionTools(corpus, { caller })
  if (search === undefined) throw new Error('there are no tools')
  const query = planted.common
  const text = await search.execute({ query })
  if (!text.includes('100 sessions')) throw new Error(`the tool gives ${text.slice(0, 200)}`)
  const times = await medians(
    {
      ours: () => search.execute({ query }),
      floor: () => corpus.searchSessions({ query, limit: 100 }),
    },
    rounds,
  )
  await caller.close()
  return rowOf(
    'tool',
    times.ours,
    times.floor,
    'session_search for the word in 99 %: 100 hits, titles, and the look beyond them',
    'searchSessions with limit 100',
  )
}

const narrowedSelect =
  'SELECT rowid FROM words WHERE words MATCH ?1 AND rowid BETWEEN ?2 AND ?3 ORDER BY rank LIMIT 20'

/** The first and the last document of a session that was written at once. */
function docsOf(index: SqlDatabase, sessionId: string): [from: number, to: number] {
  const [found] = index.query(
    'SELECT min(doc), max(doc) FROM documents JOIN sessions USING (session) WHERE id = ?1',
    [sessionId],
  )
  return [Number(found?.[0]), Number(found?.[1])]
}

/** A search right after one event came to a long session that is open. */
async function afterAppend(
  corpus: SessionCorpus,
  made: MadeUpSessions,
  persist: boolean,
): Promise<ExplainedRow> {
  const live = await corpus.sessions.create({ id: `live-${String(persist)}` }, { persist })
  for (const { type, data, surfaceOp } of made.session('live', liveEvents).events) {
    live.append(type, data, surfaceOp === undefined ? {} : { surfaceOp })
  }
  const plain = () => corpus.searchSessions({ query: planted.medium })
  const append = () => {
    const content = [{ type: 'text' as const, text: made.text() }]
    const data = { id: 'u', role: 'user' as const, content, source: { kind: 'user' } }
    live.append('user/message', data, { surfaceOp: 'append' })
  }
  await plain()
  const times = await medians(
    {
      async ours() {
        append()
        await plain()
      },
      plain,
    },
    rounds,
  )
  await live.close()
  return rowOf(
    persist ? 'append' : '(unsaved)',
    times.ours,
    times.plain,
    `one event to a live session of ${liveEvents}${persist ? '' : ' that is never stored'}, then the word in 2 %`,
    'the same search without an append',
  )
}

/** Figures that are no rows: pages behind the first, other ways of matching, and deadlines. */
async function furtherFigures(corpus: SessionCorpus, made: MadeUpSessions): Promise<string[]> {
  const request = { query: planted.common }
  const { nextCursor } = await corpus.searchSessions(request)
  const pages = await medians(
    {
      first: () => corpus.searchSessions(request),
      second: () =>
        corpus.searchSessions(nextCursor === undefined ? request : { ...request, cursor: nextCursor }),
    },
    rounds,
  )
  const others = await medians(
    {
      recent: () => corpus.searchSessions({ ...request, rank: 'recent' }),
      pair: () => corpus.searchSessions({ query: planted.pair.join(' ') }),
      all: () => corpus.searchSessions({ query: planted.four.join(' '), match: 'all' }),
    },
    5,
  )
  return [
    `common, second page: ${milliseconds(pages.second)} ms; first ${milliseconds(pages.first)} ms; ratio ${(pages.second / pages.first).toFixed(2)}`,
    `common, by rank recent: ${milliseconds(others.recent)} ms`,
    `the two words of phrase, match auto: ${milliseconds(others.pair)} ms`,
    `the four words, match all: ${milliseconds(others.all)} ms`,
    await deadlineFigure(corpus, `${planted.common} ${made.frequentWords(longestQuery)}`),
  ]
}

/** In characters; somewhat less than what a search takes. */
const longestQuery = 9900

/** @param query the worst that can be asked: as many words as fit, each of them frequent */
async function deadlineFigure(corpus: SessionCorpus, query: string): Promise<string> {
  let outcome = 'answered'
  const stopped = await elapsed(async () => {
    try {
      await corpus.searchSessions({ query, timeoutMs: 200 })
    } catch (error) {
      if (!isSessionQueryError(error)) throw error
      outcome = error.code
    }
  })
  const next = await corpus.searchSessions({ query: planted.rare })
  const whole = await elapsed(() => corpus.searchSessions({ query }))
  return `worst query, ${query.split(' ').length} words, with timeoutMs 200: ${outcome} after ${milliseconds(stopped)} ms (${milliseconds(whole)} ms without); the next search finds ${next.items.length}`
}

function rowOf(
  name: string,
  medianMs: number,
  floorMs: number,
  asked: string,
  comparedWith: string,
): ExplainedRow {
  return { name, medianMs, floorMs, ratio: medianMs / floorMs, peers: {}, asked, comparedWith }
}

function figuresOf(build: BuildFigures, rows: readonly ExplainedRow[]): SearchFigures {
  return {
    build,
    rows: rows.map(({ name, medianMs, floorMs, ratio, peers }) => ({
      name,
      medianMs,
      floorMs,
      ratio,
      peers,
    })),
  }
}

function printPeers(peers: readonly Peer[], all: number): void {
  for (const { name, documents, documentsPerSecond } of peers) {
    const part = documents < all ? ` of ${all}: more took it too long` : ''
    console.log(
      `${name.padEnd(11)}${documents} documents${part}, ${Math.round(documentsPerSecond)} documents/s`,
    )
  }
}

await main()
