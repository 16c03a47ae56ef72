import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inBrowser, serveTestPage, type ServedTestPage } from '../fixtures/pages.ts'
import type { TabReport, TabView } from './tabs-plan.ts'

let served: ServedTestPage

beforeAll(async () => {
  served = await serveTestPage(resolve(import.meta.dirname, 'tabs-page'))
}, 60_000)

afterAll(async () => {
  await served?.close()
})

it('what is open is stored anew when the data of the site is cleared under it', async () => {
  await inBrowser({ url: served.url, profile: join(served.scratch, 'profile') }, async (page) => {
    await page.evaluate(`begin('cleared')`)
    await page.evaluate(`append('one')`)
    const session = await page.context().newCDPSession(page)
    const { origin } = new URL(served.url)
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
    // Nothing fails: it is written into files that are no longer there.
    await page.evaluate(`append('one')`)
    const failures = async (): Promise<string> => {
      const report = await page.evaluate<TabReport>('report()')
      return report.failures.join()
    }
    await expect.poll(failures, { timeout: 10_000 }).toMatch(/removed what was stored here/)
    await page.evaluate(`append('one')`)
    await page.reload()
    await page.evaluate(`begin('cleared')`)
    expect(await page.evaluate<TabView>(`view(['one'])`)).toEqual({
      one: { length: 3, wrong: 0, found: 2 },
    })
  })
}, 60_000)
