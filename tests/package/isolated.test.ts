import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inBrowser, servePage, type ServedPage } from '../fixtures/pages.ts'
import type { EndedSearches } from './ended-searches.ts'

const scratch = mkdtempSync(join(tmpdir(), 'session-query-isolated-'))
let served: ServedPage

beforeAll(async () => {
  served = await servePage({
    root: resolve(import.meta.dirname, 'isolated-page'),
    configFile: false,
    build: { outDir: join(scratch, 'page'), emptyOutDir: true, target: 'es2022' },
    preview: {
      headers: {
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cross-Origin-Embedder-Policy': 'require-corp',
      },
    },
  })
}, 60_000)

afterAll(async () => {
  await served?.close()
  rmSync(scratch, { recursive: true, force: true })
})

it('an abort reaches into a running search where the page is isolated', async () => {
  await inBrowser({ url: served.url, profile: join(scratch, 'profile') }, async (page) => {
    await page.waitForFunction(() => 'endSearches' in globalThis)
    const ended = await page.evaluate<EndedSearches>('endSearches()')
    expect(ended).toMatchObject({
      isolated: true,
      abortedWith: 'enough',
      timedOutWith: expect.stringContaining('timeoutMs, which is 30'),
      hitsBefore: 100,
      hitsAfter: 100,
    })
    expect(ended.abortedMs / ended.wholeMs).toBeLessThan(0.7)
    expect(ended.timedOutMs / ended.wholeMs).toBeLessThan(0.7)
  })
}, 60_000)
