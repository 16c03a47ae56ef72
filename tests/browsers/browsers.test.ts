import { join, resolve } from 'node:path'
import type { CorpusStatus } from 'session-query'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFirefox, findWebKit } from '../../scripts/other-browsers.ts'
import { serveTestPage, type ServedTestPage } from '../fixtures/pages.ts'
import type { Driver, Failed, Tab } from './driver.ts'
import { firefoxDriver } from './firefox.ts'
import { webKitDriver } from './webkit.ts'

const [firefox, webKit] = [findFirefox(), findWebKit()]
let served: ServedTestPage

beforeAll(async () => {
  served = await serveTestPage(resolve(import.meta.dirname, 'page'))
}, 60_000)

afterAll(async () => {
  await served?.close()
})

async function statusOf(tab: Tab): Promise<CorpusStatus> {
  return tab.evaluate('corpusStatus()')
}

async function beginIn(tab: Tab, storage = 'opfs'): Promise<void> {
  expect((await tab.evaluate<Failed | undefined>(`begin('${storage}')`)) ?? 'opened').toBe('opened')
}

describe.skipIf(firefox === undefined)(
  `Firefox${firefox === undefined ? ' (skipped: it is not installed; FIREFOX_PATH names it)' : ''}`,
  () => {
    let driver: Driver

    beforeAll(async () => {
      driver = await firefoxDriver(firefox ?? '', join(served.scratch, 'firefox'))
    }, 60_000)

    afterAll(async () => {
      await driver?.close()
    })

    it('keeps what is appended and imported in OPFS, through a reload and a new browser', async () => {
      const tab = await driver.open(served.url)
      await beginIn(tab)
      expect((await statusOf(tab)).storage.kind).toBe('opfs')
      expect(await tab.evaluate(`append('live', 'a corncrake')`)).toBe(1)
      expect(await tab.evaluate(`append('live', 'another corncrake')`)).toBe(2)
      expect(await tab.evaluate(`importMany('log', 1500, 'crake')`)).toBe(1500)
      const texts = await tab.evaluate<string[]>(`texts('log')`)
      const kept = async (page: Tab): Promise<void> => {
        await beginIn(page)
        expect(await page.evaluate(`found('corncrake')`)).toEqual(['live'])
        expect(await page.evaluate(`found('crake')`)).toEqual(['log'])
        expect(await page.evaluate(`texts('log')`)).toEqual(texts)
      }
      await tab.reload()
      await kept(tab)
      expect(await tab.evaluate(`append('live', 'a third corncrake')`)).toBe(3)
      await driver.restart()
      const again = await driver.open(served.url)
      await kept(again)
      expect(await again.evaluate('exported()')).toBe(true)
      await again.evaluate(`remove('log')`)
      expect(await again.evaluate(`found('crake')`)).toEqual([])
      await again.close()
    }, 60_000)

    it('is shared between tabs, one of which takes over', async () => {
      const owner = await driver.open(served.url)
      await beginIn(owner)
      const follower = await driver.open(served.url)
      await beginIn(follower)
      expect((await statusOf(owner)).role).toBe('owner')
      expect((await statusOf(follower)).role).toBe('follower')
      await owner.evaluate(`append('one', 'a wagtail')`)
      await follower.evaluate(`append('two', 'a wagtail')`)
      for (const tab of [owner, follower])
        expect(await tab.evaluate(`found('wagtail')`)).toEqual(['one', 'two'])
      expect(await follower.evaluate(`tryAppend('one', 'a wagtail')`)).toMatchObject({
        code: 'SESSION_QUERY_SOURCE_CONFLICT',
      })
      await owner.close()
      expect(await follower.evaluate(`append('one', 'a wagtail')`)).toBe(2)
      expect((await statusOf(follower)).role).toBe('owner')
      await follower.close()
    }, 60_000)

    it('is in memory where that is asked for', async () => {
      const tab = await driver.open(served.url)
      await beginIn(tab, 'memory')
      expect(await tab.evaluate(`append('fleeting', 'a linnet')`)).toBe(1)
      expect(await tab.evaluate(`found('linnet')`)).toEqual(['fleeting'])
      expect((await statusOf(tab)).storage.kind).toBe('memory')
      await tab.close()
    }, 60_000)
  },
)

describe.skipIf(webKit === undefined)(
  `WebKitGTK, which has no OPFS${webKit === undefined ? ' (skipped: its driver or Xvfb is not installed)' : ''}`,
  () => {
    let driver: Driver

    beforeAll(async () => {
      if (webKit !== undefined) driver = await webKitDriver(webKit, served.scratch)
    }, 60_000)

    afterAll(async () => {
      await driver?.close()
    })

    it('keeps the corpus in memory under auto, and says so', async () => {
      const tab = await driver.open(served.url)
      await beginIn(tab, 'auto')
      const { storage, role } = await statusOf(tab)
      expect(storage).toMatchObject({ kind: 'memory', persistent: false })
      expect(storage.because).toMatch(/no private file system \(OPFS\)/)
      expect(role).toBe('owner')
      const { kind, because } = storage
      await expect.poll(() => tab.evaluate('told()')).toEqual([{ kind, because }])
      expect(await tab.evaluate(`append('live', 'a siskin')`)).toBe(1)
      expect(await tab.evaluate(`importMany('log', 500, 'siskin')`)).toBe(500)
      expect(await tab.evaluate(`found('siskin')`)).toEqual(['live', 'log'])
      expect(await tab.evaluate('exported()')).toBe(true)
      await tab.reload()
      await beginIn(tab, 'auto')
      expect(await tab.evaluate(`found('siskin')`)).toEqual([])
    }, 60_000)

    it('fails clearly under opfs', async () => {
      const tab = await driver.open(served.url)
      expect(await tab.evaluate(`begin('opfs')`)).toMatchObject({
        code: 'SESSION_QUERY_PERSISTENCE_FAILED',
        reason: 'unavailable',
        message: expect.stringMatching(/gives the page no private file system/),
      })
    }, 60_000)
  },
)
