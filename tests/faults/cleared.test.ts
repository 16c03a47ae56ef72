import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inBrowser, servePage, type ServedPage } from '../fixtures/pages.ts'
import type { TabReport, TabView } from './tabs-plan.ts'

const scratch = mkdtempSync(join(tmpdir(), 'session-query-cleared-'))
let served: ServedPage

beforeAll(async () => {
  served = await servePage({
    root: resolve(import.meta.dirname, 'tabs-page'),
    configFile: false,
    worker: { format: 'es' },
    build: { outDir: join(scratch, 'page'), emptyOutDir: true, target: 'es2022' },
  })
}, 60_000)

afterAll(async () => {
  await served?.close()
  rmSync(scratch, { recursive: true, force: true })
})

it('what is open is stored anew when the data of the site is cleared under it', async () => {
  await inBrowser({ url: served.url, profile: join(scratch, 'profile') }, async (page) => {
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
