import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { SessionCorpus } from '../../src/core/corpus.ts'
import type { SessionLog } from '../../src/core/session.ts'
import { openMemoryCorpus } from '../../worker/in-process.ts'

/** How well questions find what answers them: each a mean over questions, from 0 to 1. */
interface Recall {
  readonly questions: number
  /** Share of the answering events among the best five events. */
  readonly recall5: number
  /** The same among the best ten. */
  readonly recall10: number
  /** Share of the answering sessions among the best five sessions. */
  readonly sessionRecall5: number
}

/** Sessions, and questions with the events that answer them. */
interface QuestionSet {
  readonly name: string
  readonly sessions: readonly SessionLog[]
  readonly questions: readonly {
    readonly question: string
    readonly evidence: readonly { readonly sessionId: string; readonly seq: number }[]
  }[]
}

/** Prints how well questions in plain words find what answers them, for each file of a folder and in all. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false } },
  })
  const dir = questionFolder(positionals[0])
  const files: (Recall & { readonly name: string })[] = []
  for (const name of readdirSync(dir)
    .filter((file) => file.endsWith('.json'))
    .toSorted()) {
    const set = JSON.parse(readFileSync(join(dir, name), 'utf8')) as QuestionSet
    files.push({ name: set.name, ...(await measure(set)) })
  }
  const all = mean(files)
  if (values.json) {
    console.log(JSON.stringify({ files, all }))
    return
  }
  for (const { name, ...recall } of [...files, { name: 'all', ...all }]) console.log(line(name, recall))
}

async function measure({ sessions, questions }: QuestionSet): Promise<Recall> {
  await using corpus = await openMemoryCorpus()
  for (const session of sessions) await corpus.putSession(session)
  const each: Recall[] = []
  for (const { question, evidence } of questions) {
    const events = await foundEvents(corpus, question)
    const found = (await corpus.searchSessions({ query: question, limit: 5 })).items
    const wantedEvents = distinct(evidence.map(({ sessionId, seq }) => `${sessionId}#${seq}`))
    each.push({
      questions: 1,
      recall5: share(wantedEvents, events.slice(0, 5)),
      recall10: share(wantedEvents, events),
      sessionRecall5: share(
        distinct(evidence.map(({ sessionId }) => sessionId)),
        found.map(({ header }) => header.id),
      ),
    })
  }
  return mean(each)
}

async function foundEvents(corpus: SessionCorpus, query: string): Promise<string[]> {
  const { items } = await corpus.searchEvents({ query, limit: 10 })
  return items.map(({ sessionId, seq }) => `${sessionId}#${seq}`)
}

function share(wanted: readonly string[], found: readonly string[]): number {
  return wanted.filter((one) => found.includes(one)).length / wanted.length
}

function distinct(values: readonly string[]): string[] {
  return Array.from(new Set(values))
}

/** Weighted by questions. */
function mean(parts: readonly Recall[]): Recall {
  const questions = parts.reduce((sum, part) => sum + part.questions, 0)
  const of = (name: keyof Recall): number =>
    parts.reduce((sum, part) => sum + part[name] * part.questions, 0) / questions
  return {
    questions,
    recall5: of('recall5'),
    recall10: of('recall10'),
    sessionRecall5: of('sessionRecall5'),
  }
}

function line(name: string, { questions, recall5, recall10, sessionRecall5 }: Recall): string {
  const shares = [recall5, recall10, sessionRecall5].map((value) => value.toFixed(3))
  return `${name}: ${questions} questions, recall at 5 ${shares[0]}, at 10 ${shares[1]}, sessions at 5 ${shares[2]}`
}

function questionFolder(named: string | undefined): string {
  const fixtures = process.env['SESSION_QUERY_FIXTURES']
  const dir = named ?? (fixtures === undefined ? undefined : join(fixtures, 'retrieval'))
  if (dir !== undefined && existsSync(dir)) return dir
  throw new Error(
    dir === undefined
      ? 'Name the folder of the questions, or set SESSION_QUERY_FIXTURES to the folder that holds retrieval.'
      : `There is no folder ${dir}.`,
  )
}

await main()
