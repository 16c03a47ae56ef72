import { join, resolve } from 'node:path'
import { chromium, type BrowserContext, type CDPSession, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { browserLaunch } from '../../scripts/browser-launch.ts'
import { serveTestPage, type ServedTestPage } from '../fixtures/pages.ts'
import type { Outcome, SessionView, TabFailure } from './quota-plan.ts'

let served: ServedTestPage
let context: BrowserContext
/** A page without a corpus; the quota holds as long as it is there. */
let control: Page
let devtools: CDPSession

const megabyte = 1_000_000
const done: Outcome = { done: true }
const full = { code: 'SESSION_QUERY_PERSISTENCE_FAILED', reason: 'full' }

beforeAll(async () => {
  served = await serveTestPage(resolve(import.meta.dirname, 'quota-page'))
  context = await chromium.launchPersistentContext(join(served.scratch, 'profile'), {
    headless: true,
    ...browserLaunch(),
  })
  control = await context.newPage()
  await control.goto(served.url)
  devtools = await context.newCDPSession(control)
}, 60_000)

afterEach(async () => {
  await leaveRoom(undefined)
  for (const page of context.pages()) if (page !== control) await page.close()
})

afterAll(async () => {
  await context?.close()
  await served?.close()
})

describe('a corpus in an origin that is nearly full', () => {
  it('opens, and what was there is read and found', async () => {
    const before = await newTab('nearly')
    await begin(before, 'old', 50)
    expect(await ask(before, 'close')).toEqual(done)
    await leaveRoom(10_000)
    const tab = await newTab('nearly')
    expect(await viewOf(tab, 'old')).toEqual(whole(50))
    await ask(tab, 'create', 'new')
    await ask(tab, 'append', 'new', 200)
    expect(await ask(tab, 'flush', 'new')).toMatchObject(full)
    expect(await viewOf(tab, 'old')).toEqual(whole(50))
    await leaveRoom(undefined)
    expect(await ask(tab, 'flush', 'new')).toEqual(done)
    await expectStored('nearly', tab, { old: 50, new: 200 })
  })

  it('says so where there is no room even for an empty file, and opens later', async () => {
    const before = await newTab('no-file')
    await begin(before, 'old', 50)
    expect(await ask(before, 'close')).toEqual(done)
    await leaveRoom('none')
    const page = await context.newPage()
    await page.goto(served.url)
    expect(await ask(page, 'open', 'no-file')).toMatchObject(full)
    await leaveRoom(undefined)
    expect(await ask(page, 'open', 'no-file')).toEqual(done)
    await expectStored('no-file', page, { old: 50 })
  })

  // Chromium sets a megabyte aside for each file that is written to, so a part of the files finds room.
  it.for(['none', 0.5, 1.5, 2.5, 3.5, 6.5] as const)(
    'is refused when it is new and the room is %s MB, and opens when there is more',
    async (megabytes) => {
      const name = `new-${String(megabytes).replace('.', '-')}`
      await leaveRoom(megabytes === 'none' ? megabytes : megabytes * megabyte)
      const page = await context.newPage()
      await page.goto(served.url)
      expect(await ask(page, 'open', name)).toMatchObject(full)
      await leaveRoom(undefined)
      expect(await ask(page, 'open', name)).toEqual(done)
      await begin(page, 'new', 5)
      await expectStored(name, page, { new: 5 })
    },
  )
})

describe('a live session whose origin becomes full', () => {
  it('is read and found meanwhile, and goes on when there is room', async () => {
    const tab = await newTab('live')
    await begin(tab, 'live', 20)
    await leaveRoom(2 * megabyte)
    await fill(tab, 'live', 300)
    // What is not stored is found too.
    expect(await viewOf(tab, 'live')).toEqual(whole(320))
    await ask(tab, 'append', 'live', 5)
    expect(await ask(tab, 'flush', 'live')).toMatchObject(full)
    expect(await viewOf(tab, 'live')).toEqual(whole(325))
    expect(await failuresIn(tab)).toEqual([{ sessionId: 'live', reason: 'full' }])

    await leaveRoom(undefined)
    await ask(tab, 'append', 'live', 5)
    expect(await ask(tab, 'flush', 'live')).toEqual(done)
    expect(await viewOf(tab, 'live')).toEqual(whole(330))

    // The next failure is another one. The files have room of their own by now, so it takes more.
    await leaveRoom(2 * megabyte)
    await fill(tab, 'live', 900)
    expect(await failuresIn(tab)).toEqual([
      { sessionId: 'live', reason: 'full' },
      { sessionId: 'live', reason: 'full' },
    ])
    await leaveRoom(undefined)
    expect(await ask(tab, 'flush', 'live')).toEqual(done)
    await expectStored('live', tab, { live: 1230 })
  })

  it('is found by the other tab that has the databases open, and both have it when there is room', async () => {
    const owner = await newTab('tabs')
    const follower = await newTab('tabs')
    expect(await ask(follower, 'status')).toMatchObject({ role: 'follower' })
    await begin(owner, 'owned', 20)
    await begin(follower, 'live', 20)
    await leaveRoom(2 * megabyte)
    await fill(follower, 'live', 300)
    expect(await viewOf(follower, 'live')).toEqual(whole(320))
    expect(await failuresIn(follower)).toEqual([{ sessionId: 'live', reason: 'full' }])
    await expectFound(owner, 'live', 319)
    await ask(follower, 'append', 'live', 1)
    await expectFound(owner, 'live', 320)
    // The tab that has the databases open has no room either.
    await ask(owner, 'append', 'owned', 300)
    expect(await ask(owner, 'flush', 'owned')).toMatchObject(full)
    expect(await viewOf(owner, 'owned')).toEqual(whole(320))
    await expectFound(follower, 'owned', 319)
    expect(await failuresIn(owner)).toEqual([{ sessionId: 'owned', reason: 'full' }])

    await leaveRoom(undefined)
    expect(await ask(follower, 'flush', 'live')).toEqual(done)
    expect(await ask(owner, 'flush', 'owned')).toEqual(done)
    for (const tab of [owner, follower]) {
      expect(await viewOf(tab, 'live')).toEqual(whole(321))
      expect(await viewOf(tab, 'owned')).toEqual(whole(320))
    }
    // Without the tab that had it open, it is the stored one that is read.
    await follower.close()
    await expectStored('tabs', owner, { live: 321, owned: 320 })
  })

  it('is read while the databases cannot even be opened by the next tab, which does so when there is room', async () => {
    const owner = await newTab('left')
    const heir = await newTab('left')
    await begin(owner, 'old', 20)
    await begin(heir, 'live', 20)
    await leaveRoom('none')
    await owner.close()
    await ask(heir, 'append', 'live', 20)
    expect(await ask(heir, 'flush', 'live')).toMatchObject(full)
    expect(await ask(heir, 'read', 'live')).toEqual({ length: 40, wrong: 0 })
    expect(await failuresIn(heir)).toEqual([{ sessionId: 'live', reason: 'full' }])

    await leaveRoom(undefined)
    await expect.poll(() => ask(heir, 'flush', 'live'), { timeout: 10_000 }).toEqual(done)
    await expectStored('left', heir, { old: 20, live: 40 })
  })
})

describe('an import into an origin that becomes full', () => {
  it('says so, leaves what was stored whole, and goes on when there is room', async () => {
    const logs = { one: 60, two: 60, three: 60, four: 60 }
    const tab = await newTab('import')
    await leaveRoom(2 * megabyte)
    expect(await ask(tab, 'importLogs', logs)).toMatchObject(full)
    const stored = await ask<string[]>(tab, 'stored')
    expect(stored.length).toBeGreaterThan(0)
    for (const id of stored) expect((await viewOf(tab, id)).wrong).toBe(0)
    // Nor is anything lost that was written since.
    expect(await ask(tab, 'importLogs', logs)).toMatchObject(full)
    await leaveRoom(undefined)
    expect(await ask(tab, 'importLogs', logs)).toEqual(done)
    await expectStored('import', tab, logs)
  })
})

/** A tab that has the corpus open. */
async function newTab(corpus: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(served.url)
  expect(await ask(page, 'open', corpus)).toEqual(done)
  return page
}

/** Has a tab do something; `quota-page` says what it can do. */
function ask<Answer = Outcome>(page: Page, what: string, ...given: unknown[]): Promise<Answer> {
  return page.evaluate<Answer>(`tab.${what}(...${JSON.stringify(given)})`)
}

/** Allows the origin so many bytes more than it uses, fewer than it uses, or as many as there are. */
async function leaveRoom(bytes: number | 'none' | undefined): Promise<void> {
  const quotaSize = bytes === 'none' ? 1 : bytes === undefined ? bytes : (await usage()) + bytes
  await devtools.send('Storage.overrideQuotaForOrigin', {
    origin: new URL(served.url).origin,
    ...(quotaSize === undefined ? {} : { quotaSize }),
  })
}

/** What the origin uses, once the browser has taken back what it had set aside for files that are closed. */
async function usage(): Promise<number> {
  for (let last = -1; ; await new Promise((resume) => setTimeout(resume, 150))) {
    const now = await control.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0)
    if (now === last) return now
    last = now
  }
}

async function begin(tab: Page, id: string, count: number): Promise<void> {
  await ask(tab, 'create', id)
  await ask(tab, 'append', id, count)
  expect(await ask(tab, 'flush', id)).toEqual(done)
}

/** Appends more than there is room for, and tries to store it more than once. */
async function fill(tab: Page, id: string, count: number): Promise<void> {
  await ask(tab, 'append', id, count)
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect(await ask(tab, 'flush', id)).toMatchObject(full)
  }
}

/** All of a session, and each end of it found once. */
function whole(length: number): SessionView {
  const found = [0, length - 1].map((seq) => ({ seq, at: [seq] }))
  return { length, wrong: 0, found }
}

function viewOf(tab: Page, id: string): Promise<SessionView> {
  return ask<SessionView>(tab, 'view', id)
}

function failuresIn(tab: Page): Promise<TabFailure[]> {
  return ask<TabFailure[]>(tab, 'failures')
}

/** Expects a tab to find an event, once, that another one appended. */
async function expectFound(tab: Page, id: string, seq: number): Promise<void> {
  await expect
    .poll(() => ask(tab, 'found', id, seq), { timeout: 5000, interval: 50 })
    .toEqual({ seq, at: [seq] })
}

/** Expects a corpus to hold these sessions, with so many events each, also when its page is loaded anew. */
async function expectStored(
  corpus: string,
  tab: Page,
  lengths: Readonly<Record<string, number>>,
): Promise<void> {
  for (const when of ['as it is', 'reloaded']) {
    if (when === 'reloaded') {
      await tab.reload()
      expect(await ask(tab, 'open', corpus)).toEqual(done)
    }
    for (const [id, length] of Object.entries(lengths)) {
      expect(await viewOf(tab, id), `${id}, ${when}`).toEqual(whole(length))
    }
    const events = Object.values(lengths).reduce((sum, length) => sum + length, 0)
    expect(await ask(tab, 'status'), when).toMatchObject({
      sessions: Object.keys(lengths).length,
      events,
      index: { state: 'ready', documents: events },
      issues: [],
    })
  }
}
