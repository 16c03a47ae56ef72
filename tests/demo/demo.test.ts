import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { AxeResults, ElementContext, RunOptions } from 'axe-core'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inBrowser, servePage, type Printed, type ServedPage } from '../fixtures/pages.ts'

const scratch = mkdtempSync(join(tmpdir(), 'session-query-demo-'))
const profile = join(scratch, 'profile')
let served: ServedPage

beforeAll(async () => {
  const root = resolve(import.meta.dirname, '../../demo')
  const configFile = join(root, 'vite.config.ts')
  served = await servePage({
    root,
    configFile,
    build: { outDir: join(scratch, 'page'), emptyOutDir: true },
  })
}, 60_000)

afterAll(async () => {
  await served?.close()
  rmSync(scratch, { recursive: true, force: true })
})

function visit(use: (page: Page, printed: Printed) => Promise<void>, bypassCSP = false): Promise<void> {
  return inBrowser({ url: served.url, profile, bypassCSP }, use)
}

async function search(page: Page, query: string): Promise<string[]> {
  await page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type(query)
  const marks = page.getByRole('list', { name: 'Sessions that match' }).locator('mark')
  await marks.first().waitFor()
  return marks.allTextContents()
}

describe('the demo', () => {
  it('loads the samples, finds what was said, and shows the exact event', async () => {
    await visit(async (page, printed) => {
      await page
        .getByRole('button', { name: /sample/i })
        .first()
        .click()
      await expect
        .poll(() => page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').count())
        .toBe(12)
      expect(await search(page, '预算')).toContain('预算')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      const event = page.getByRole('region', { name: /^\w+\/\w+/ })
      await expect.poll(() => event.innerText()).toContain('"seq":')
      expect(printed).toEqual([])
    })
  }, 60_000)

  it('has kept it all in a new browser, and through a reload', async () => {
    await visit(async (page, printed) => {
      const list = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
      await expect.poll(() => list.count()).toBe(12)
      await page.reload()
      await expect.poll(() => list.count()).toBe(12)
      expect(await search(page, 'time zone')).toContain('time zone')
      expect(await page.getByRole('contentinfo').innerText()).toMatch(/stored on this device/i)
      expect(printed).toEqual([])
    })
  }, 60_000)

  it('has no accessibility violations that axe knows, in light and dark', async () => {
    const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
    await visit(async (page) => {
      await search(page, 'time zone')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByText('Copy JSON').waitFor()
      await page.addScriptTag({ path: axe })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        const { violations } = await page.evaluate(async () => {
          const { axe: tool } = globalThis as unknown as Axe
          return tool.run()
        })
        expect(violations.map(({ id, nodes }) => [colorScheme, id, nodes[0]?.html])).toEqual([])
      }
    }, true)
  }, 60_000)
})

interface Axe {
  readonly axe: { run(context?: ElementContext, options?: RunOptions): Promise<AxeResults> }
}
