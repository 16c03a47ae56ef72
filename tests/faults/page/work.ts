import { openCorpus, type LiveSession, type SessionCorpus } from 'session-query'
import { importLogs, type LogSource } from 'session-query/ingest'
import { madeEvent, madeEvents, madeHeader, wholeLength } from '../made-logs.ts'
import type { PageWork } from '../plan.ts'
import { randomOf, type Random } from '../random.ts'
import { outdatingWorker, packagedWorker } from './workers.ts'

declare global {
  /** Tells the test that the first `length` events of a session are durable. */
  var acknowledge: (sessionId: string, length: number) => Promise<void>
  /** Tells the test that the work ended by itself. */
  var gaveUp: (why: string) => Promise<void>
}

/** Begins what the plan says and goes on with it until it is ended; returns once it has begun. */
export async function beginWork({ corpus: name, plan, resume }: PageWork): Promise<void> {
  const random = randomOf(plan.seed)
  if (plan.work === 'rebuild') await outdateIndex(name, plan.number)
  const corpus = await openCorpus({ name, storage: 'opfs', worker: packagedWorker })
  const going = {
    append: () => append(corpus, plan.number, resume, random),
    import: () => importing(corpus, plan.number, random),
    // Opening has begun it.
    rebuild: () => Promise.resolve(),
  }[plan.work]()
  going.catch((error: unknown) => gaveUp(String(error)))
}

/** Live sessions, old ones and new ones, which are flushed again and again. */
async function append(
  corpus: SessionCorpus,
  kill: number,
  resume: readonly string[],
  random: Random,
): Promise<void> {
  const sessions: LiveSession[] = []
  for (const id of resume) sessions.push(await corpus.sessions.resume(id))
  for (let at = 0; at < 2; at += 1) {
    sessions.push(await corpus.sessions.create(madeHeader(`live-${kill}-${at}`)))
  }
  await Promise.all(sessions.map((session) => appendTo(session, random)))
}

async function appendTo(session: LiveSession, random: Random): Promise<never> {
  for (;;) {
    for (let left = 1 + random.below(12); left > 0; left -= 1) {
      const { type, data, surfaceOp } = madeEvent(session.id, session.length)
      session.append(type, data, { surfaceOp })
    }
    const { length } = session
    await session.flush()
    void acknowledge(session.id, length)
    // Not always: flushes that follow each other at once and writes of their own accord both occur.
    if (random.below(3) === 0) await new Promise((resume) => setTimeout(resume, random.below(20)))
  }
}

/** Logs as files and as objects in turn, each a session of its own. */
async function importing(corpus: SessionCorpus, kill: number, random: Random): Promise<never> {
  const target = {
    putSession: (async (log, options) => {
      const result = await corpus.putSession(log, options)
      void acknowledge(log.header.id, log.events.length)
      return result
    }) satisfies SessionCorpus['putSession'],
    appendEvents: (async (request, options) => {
      const result = await corpus.appendEvents(request, options)
      void acknowledge(request.sessionId, (request.events.at(-1)?.seq ?? -1) + 1)
      return result
    }) satisfies SessionCorpus['appendEvents'],
  }
  for (let at = 0; ; at += 1) {
    await importLogs(target, [madeSource(`log-${kill}-${at}`, 1 + random.below(1500))])
    await putWhole(corpus, `whole-${kill}-${at}`)
  }
}

/** Stores a session in one call: all of it has to be there, or nothing. */
async function putWhole(corpus: SessionCorpus, id: string): Promise<void> {
  const length = wholeLength(id) ?? 0
  await corpus.putSession({ header: madeHeader(id), events: madeEvents(id, 0, length) })
  void acknowledge(id, length)
}

function madeSource(id: string, length: number): LogSource {
  const lines = [{ type: 'session', ...madeHeader(id) }, ...madeEvents(id, 0, length)]
  return new File([lines.map((line) => `${JSON.stringify(line)}\n`).join('')], `${id}.jsonl`)
}

/** Events that an index has to be built over, so that building it takes a while. */
const enoughEvents = 8000

/** Leaves a corpus of some size whose index the next one to open it builds anew. */
async function outdateIndex(name: string, kill: number): Promise<void> {
  // An index there has to be, before it can be an old one.
  await (await openCorpus({ name, storage: 'opfs', worker: packagedWorker })).close()
  const corpus = await openCorpus({
    name,
    storage: 'opfs',
    worker: outdatingWorker,
    openIndexAt: 'never',
  })
  for (let at = 0; (await corpus.status()).events < enoughEvents; at += 1) {
    await putWhole(corpus, `whole-${kill}-${at}`)
  }
  await corpus.close()
}
