import { join, resolve } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { browserLaunch } from '../../scripts/browser-launch.ts'
import { serveTestPage, type ServedTestPage } from '../fixtures/pages.ts'
import { hashOf } from './random.ts'
import { logsFor, reloadsOf, type ReloadCheck, type ReloadPlan } from './reloads-plan.ts'

declare module 'vitest' {
  interface ProvidedContext {
    reloads: number
  }
}

const { FAULTS_RELOADS: count, FAULTS_SEED: seedGiven } = process.env
const seed = seedGiven === undefined ? hashOf(String(performance.timeOrigin)) : Number(seedGiven)
const plans = reloadsOf(count === undefined ? inject('reloads') : Number(count), seed)
const logs = logsFor(plans.length, seed)

/** What pages have said to be durable, up to now. */
const acknowledged: Record<string, number> = {}
let progress = 0
let ended: string | undefined
let served: ServedTestPage
let context: BrowserContext

beforeAll(async () => {
  console.log(`FAULTS_SEED=${seed} FAULTS_RELOADS=${plans.length} repeats these reloads.`)
  served = await serveTestPage(resolve(import.meta.dirname, 'reloads-page'))
  context = await chromium.launchPersistentContext(join(served.scratch, 'profile'), {
    headless: true,
    ...browserLaunch(),
  })
  await context.exposeFunction('acknowledge', (id: string, length: number) => {
    acknowledged[id] = Math.max(acknowledged[id] ?? 0, length)
  })
  await context.exposeFunction('progressed', (events: number) => {
    progress = Math.max(progress, events)
  })
  await context.exposeFunction('ended', (how: string) => {
    ended = how
  })
}, 60_000)

afterAll(async () => {
  await context?.close()
  await served?.close()
})

it('an import goes on where it was, whenever its page is reloaded', { timeout: 240_000 }, async () => {
  const page = await context.newPage()
  await page.goto(served.url)
  const stored: number[] = []
  for (const plan of plans) {
    if (plan.during === 'importing') stored.push(await checked(page))
    await untilMoment(page, plan)
    // A reload after the end would show nothing.
    expect(ended, `before reload ${plan.number + 1}`).toBeUndefined()
    await page.reload({ waitUntil: 'commit' })
  }
  stored.push(await checked(page))
  await page.evaluate(`begin(${JSON.stringify(logs)})`)
  await expect.poll(() => ended, { timeout: 120_000 }).toBe('done')
  expect(acknowledged).toEqual(logs)
  const all = Object.values(logs).reduce((sum, length) => sum + length, 0)
  expect(await checked(page)).toBe(all)
  console.log(`Events stored after each reload: ${stored.join(', ')}; in the end ${all}.`)
})

/** @returns how many events are stored, once the page has opened the corpus and found nothing wrong in it */
async function checked(page: Page): Promise<number> {
  await page.waitForLoadState()
  const { problems, events } = await page.evaluate<ReloadCheck>(
    `check(${JSON.stringify(acknowledged)})`,
  )
  expect(problems).toEqual([])
  // Sessions that are told of one by one, and the sum that the import tells.
  expect(events).toBeGreaterThanOrEqual(progress)
  return events
}

/** Has the page work until the moment of the reload. */
async function untilMoment(page: Page, { during, events, delay }: ReloadPlan): Promise<void> {
  if (during === 'importing') {
    const before = total()
    await page.evaluate(`begin(${JSON.stringify(logs)})`)
    await expect
      .poll(() => ended !== undefined || total() - before >= events, { timeout: 30_000, interval: 2 })
      .toBe(true)
  }
  await new Promise((resume) => setTimeout(resume, delay))
}

function total(): number {
  return Object.values(acknowledged).reduce((sum, length) => sum + length, 0)
}
