import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { serveTestPage, type ServedTestPage } from '../fixtures/pages.ts'
import { isSaid } from './made-logs.ts'
import { plansOf, type Acknowledged, type Plan, type Recovery, type Wanted } from './plan.ts'
import { hashOf, randomOf, type Random } from './random.ts'
import { Victim } from './victim.ts'

declare module 'vitest' {
  interface ProvidedContext {
    kills: number
  }
}

const { FAULTS_KILLS: kills, FAULTS_SEED: seedGiven } = process.env
const seed = seedGiven === undefined ? hashOf(String(performance.timeOrigin)) : Number(seedGiven)
const plans = plansOf(kills === undefined ? inject('kills') : Number(kills), seed)

/** A corpus goes through so many kills; then the next one begins, so that none grows without end. */
const killsPerCorpus = 12

const survived: { plan: Plan; recovery: Recovery }[] = []
let served: ServedTestPage
let victim: Victim
let corpora = 0
let killsOfCorpus = 0

beforeAll(async () => {
  console.log(`FAULTS_SEED=${seed} FAULTS_KILLS=${plans.length} repeats these kills.`)
  served = await serveTestPage(resolve(import.meta.dirname, 'page'))
  victim = new Victim(served.url, join(served.scratch, 'profile'))
}, 60_000)

afterAll(async () => {
  await victim?.close()
  await served?.close()
  console.log(reportOf(survived))
})

describe('a corpus survives', () => {
  it.for(plans.map((plan) => [title(plan), plan] as const))('%s', async ([, plan]) => {
    if (killsOfCorpus === killsPerCorpus) await nextCorpus()
    killsOfCorpus += 1
    try {
      const recovery = await killed(plan)
      expect(recovery.problems).toEqual([])
      survived.push({ plan, recovery })
    } catch (error) {
      // What this kill has broken must not be counted against the next ones.
      await nextCorpus()
      throw error
    }
  })
})

/** Works, kills, opens again. */
async function killed(plan: Plan): Promise<Recovery> {
  const random = randomOf(plan.seed)
  const corpus = `faults-${corpora}`
  const live = Object.keys(victim.acknowledged).filter((id) => id.startsWith('live-'))
  const resume = live.length === 0 ? [] : [live[random.below(live.length)] ?? '']
  const gaveUp = await victim.workFor({ corpus, plan, resume }, plan.delay)
  expect(gaveUp).toBeUndefined()
  await victim.kill(plan.way)
  const wanted = someAcknowledged(victim.acknowledged, random)
  return victim.recover({ corpus, inspect: plan.inspect, wanted })
}

/** @returns none when the kill came before anything was acknowledged */
function someAcknowledged(acknowledged: Acknowledged, random: Random): Wanted | undefined {
  const said = Object.entries(acknowledged).filter(([, length]) => length > 1)
  const [sessionId, length] = said[random.below(said.length)] ?? []
  if (sessionId === undefined || length === undefined) return undefined
  const seq = random.below(length)
  if (isSaid(seq)) return { sessionId, seq }
  return { sessionId, seq: seq === 0 ? 1 : seq - 1 }
}

async function nextCorpus(): Promise<void> {
  corpora += 1
  killsOfCorpus = 0
  await victim.startAnew()
}

function title({ number, work, way, delay, inspect }: Plan): string {
  const doing = { append: 'appending', import: 'importing', rebuild: 'rebuilding the index' }[work]
  return `kill ${number + 1}: ${way}, ${delay} ms into ${doing}, inspected ${inspect} it is opened`
}

/** How long it took until the page worked again. */
function reportOf(done: typeof survived): string {
  const lines: [string, typeof survived][] = [['all', done]]
  for (const kind of ['append', 'import', 'rebuild'] as const) {
    lines.push([kind, done.filter(({ plan }) => plan.work === kind)])
  }
  for (const kind of ['renderer', 'browser', 'worker'] as const) {
    lines.push([kind, done.filter(({ plan }) => plan.way === kind)])
  }
  return [
    `${done.length} of ${plans.length} kills survived. From navigation to the first answered search, in ms:`,
    ...lines.map(([kind, of]) => {
      const times = of.map(({ recovery }) => Math.round(recovery.searchedMs)).toSorted((a, b) => a - b)
      const late = times.filter((ms) => ms > 2000).length
      return `${kind.padEnd(8)} ${of.length} kills: median ${times[times.length >> 1]}, longest ${times.at(-1)}, over 2000: ${late}`
    }),
    `largest corpus: ${Math.max(0, ...done.map(({ recovery }) => recovery.events))} events`,
  ].join('\n')
}
