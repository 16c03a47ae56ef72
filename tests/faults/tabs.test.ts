import { join, resolve } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { browserLaunch } from '../../scripts/browser-launch.ts'
import { serveTestPage, type ServedTestPage } from '../fixtures/pages.ts'
import type { TabReport, TabView } from './tabs-plan.ts'

/** Five tabs, whose owner goes so many times, closed and crashed in turn. */
const sessions = ['one', 'two', 'three', 'four', 'five']
const eventsEach = 500
const departures = ['close', 'crash', 'close', 'crash', 'close', 'crash'] as const

const takeOvers: string[] = []
let served: ServedTestPage
let context: BrowserContext
/** By the session that they write. */
const tabs = new Map<string, Page>()

beforeAll(async () => {
  served = await serveTestPage(resolve(import.meta.dirname, 'tabs-page'))
  context = await chromium.launchPersistentContext(join(served.scratch, 'profile'), {
    headless: true,
    ...browserLaunch(),
  })
}, 60_000)

afterAll(async () => {
  await context?.close()
  await served?.close()
  console.log(`From the end of the owner to the next one: ${takeOvers.join(', ')}`)
})

it('five tabs lose nothing while the one that has the databases open goes again and again', async () => {
  for (const id of sessions) await openTab(id)
  const failures: string[] = []
  for (const departure of departures) {
    await new Promise((resume) => setTimeout(resume, 700))
    const id = await ownerOf()
    const reports = await leave(id, departure)
    failures.push(...reports.flatMap((report) => report.failures))
    await openTab(id)
  }
  await expect.poll(unfinished, { timeout: 60_000, interval: 200 }).toEqual([])
  for (const page of tabs.values()) {
    const view = await page.evaluate<TabView>(`view(${JSON.stringify(sessions)})`)
    expect(view).toEqual(
      Object.fromEntries(
        sessions.map((id) => [id, { length: eventsEach, wrong: 0, found: eventsEach - 1 }]),
      ),
    )
  }
  const reports = await Promise.all(Array.from(tabs.values(), reportOf))
  expect([...failures, ...reports.flatMap((report) => report.failures)]).toEqual([])
  expect(Math.min(...reports.map(({ searches }) => searches))).toBeGreaterThan(0)
}, 180_000)

async function openTab(id: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(served.url)
  await page.evaluate(`begin('tabs')`)
  const others = sessions.filter((other) => other !== id)
  await page.evaluate(`work('${id}', ${eventsEach}, ${JSON.stringify(others)})`)
  tabs.set(id, page)
}

async function ownerOf(): Promise<string> {
  for (const [id, page] of tabs) if ((await page.evaluate('role()')) === 'owner') return id
  throw new Error('No tab says that it has the databases open.')
}

/** @returns how those got on that are gone, up to that moment */
async function leave(id: string, departure: 'close' | 'crash'): Promise<TabReport[]> {
  const page = tabs.get(id)
  if (page === undefined) throw new Error(`There is no tab of session ${id}.`)
  const report = await reportOf(page)
  tabs.delete(id)
  const left = Date.now()
  if (departure === 'close') await page.close()
  else {
    const crashed = page.waitForEvent('crash')
    const session = await context.newCDPSession(page)
    // Nobody is left to answer.
    session.send('Page.crash').catch(() => undefined)
    await crashed
    await page.close()
  }
  const successor = tabs.get(await ownerOf())
  const regained = successor === undefined ? [] : (await reportOf(successor)).regained
  const took = regained.find((time) => time >= left)
  expect(took).toBeDefined()
  takeOvers.push(`${departure} ${(took ?? 0) - left} ms`)
  return [report]
}

/** The tabs that still have something to do. */
async function unfinished(): Promise<TabReport[]> {
  const reports = await Promise.all(Array.from(tabs.values(), reportOf))
  const roles = await Promise.all(Array.from(tabs.values(), (page) => page.evaluate('role()')))
  expect(roles.filter((role) => role === 'owner')).toHaveLength(1)
  return reports.filter(({ appended }) => appended < eventsEach)
}

function reportOf(page: Page): Promise<TabReport> {
  return page.evaluate<TabReport>('report()')
}
