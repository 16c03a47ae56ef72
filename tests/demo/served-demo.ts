import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { AxeResults, ElementContext, RunOptions } from 'axe-core'
import type { Page } from 'playwright'
import { inBrowser, servePage, type Printed } from '../fixtures/pages.ts'

/** The demo as it is built, and a browser profile for it. */
export interface ServedDemo {
  readonly url: string
  /**
   * Opens it in a browser of its own, always with the same profile.
   *
   * @param bypassCSP for scripts that the test brings along
   */
  visit(use: (page: Page, printed: Printed) => Promise<void>, bypassCSP?: boolean): Promise<void>
  close(): Promise<void>
}

/** What axe-core puts into a page. */
export interface Axe {
  readonly axe: { run(context?: ElementContext, options?: RunOptions): Promise<AxeResults> }
}

/** Builds and serves the demo. */
export async function serveDemo(): Promise<ServedDemo> {
  const scratch = mkdtempSync(join(tmpdir(), 'session-query-demo-'))
  const profile = join(scratch, 'profile')
  const root = resolve(import.meta.dirname, '../../demo')
  const page = await servePage({
    root,
    configFile: join(root, 'vite.config.ts'),
    build: { outDir: join(scratch, 'page'), emptyOutDir: true },
  })
  return {
    url: page.url,
    visit: (use, bypassCSP = false) => inBrowser({ url: page.url, profile, bypassCSP }, use),
    async close() {
      await page.close()
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}
