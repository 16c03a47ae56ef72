import { createRequire } from 'node:module'
import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Printed } from '../fixtures/pages.ts'
import { serveDemo, type Axe, type ServedDemo } from './served-demo.ts'

let served: ServedDemo

beforeAll(async () => {
  served = await serveDemo()
}, 60_000)

afterAll(async () => {
  await served?.close()
})

function visit(use: (page: Page, printed: Printed) => Promise<void>, bypassCSP = false): Promise<void> {
  return served.visit(use, bypassCSP)
}

/** Types a query, and waits until its words are marked in a hit. */
async function search(page: Page, query: string): Promise<void> {
  await page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type(query)
  const marks = page.getByRole('list', { name: 'Sessions that match' }).locator('mark')
  // What was typed before is shown until then.
  await expect
    .poll(async () => (await marks.allTextContents()).join('\n').toLowerCase())
    .toContain(query)
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
      await search(page, '预算')
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
      await search(page, 'time zone')
      expect(await page.getByRole('contentinfo').innerText()).toMatch(/stored on this device/i)
      expect(printed).toEqual([])
    })
  }, 60_000)

  it('is open in two tabs at once, and goes on in one when the other is closed', async () => {
    await visit(async (page) => {
      const other = await page.context().newPage()
      await other.goto(served.url)
      await other.getByText('shared with another tab').waitFor()
      await page.close()
      await search(other, 'time zone')
      await expect.poll(() => other.getByText('shared with another tab').count()).toBe(0)
    })
  }, 60_000)

  it('opens a hit of the query that Enter was pressed on', async () => {
    await visit(async (page) => {
      await search(page, 'kyushu')
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('parquet')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.url()).toMatch(/q=parquet.*session=(?!kyushu).*seq=/)
    })
  })

  it('keeps the focus on the page, whatever opens, steps and goes', async () => {
    await visit(async (page) => {
      await page.setViewportSize(narrow)
      await press(page, page.getByRole('list', { name: 'Sessions' }).getByRole('button').nth(2))
      expect(await focused(page)).toBe('session-title')
      await press(page, page.getByRole('list', { name: 'Events' }).getByRole('button').nth(2))
      await page.getByText('Copy JSON').waitFor()
      expect(await focused(page)).toBe('event-title')
      await press(page, page.getByRole('list', { name: 'After' }).getByRole('button').first())
      await expect.poll(() => page.url()).toContain('seq=3')
      await expect.poll(() => focused(page)).toBe('event-title')
      for (const seq of [4, 5]) {
        await page.keyboard.press('ArrowRight')
        await expect.poll(() => page.locator('#event-title').innerText()).toContain(`#${seq}`)
      }
      for (const seq of [4, 3, 2, 1, 0]) {
        await press(page, page.getByRole('button', { name: 'Previous event' }))
        await expect.poll(() => page.locator('#event-title').innerText()).toContain(`#${seq}`)
      }
      expect(await focused(page)).toBe('event-previous')
      await page.getByRole('button', { name: 'Events' }).click()
      await press(page, page.getByRole('button', { name: 'Delete session' }))
      await press(page, page.getByRole('button', { name: 'Delete', exact: true }))
      await expect.poll(() => page.locator('#announcement').innerText()).toMatch(/was deleted/)
      expect(await focused(page)).toBe('list-heading')
    })
  })

  it('shows on a narrow page what a search finds, also while an event is open', async () => {
    await visit(async (page) => {
      await page.setViewportSize(narrow)
      await page.goto(`${served.url}#session=kyushu-ten-days&seq=1`)
      await page.getByText('Copy JSON').waitFor()
      await page.getByLabel('Search the sessions').fill('time zone')
      await page.getByRole('list', { name: 'Sessions that match' }).waitFor()
      await page.getByLabel('Search the sessions').fill('train')
      await page.getByText('This session', { exact: true }).click()
      await page.getByRole('list', { name: 'Events that match' }).waitFor()
      await page.getByRole('list', { name: 'Events that match' }).getByRole('button').first().click()
      await page.getByText('Copy JSON').waitFor()
    })
  })

  it('keeps place and focus when an import ends', async () => {
    await visit(async (page) => {
      await page.setViewportSize({ width: 1280, height: 600 })
      await page.goto(`${served.url}#session=checkout-double-discount&seq=120`)
      const row = page.locator('#sessions [aria-current]')
      const run = page.getByRole('button', { name: /streamed chunks/ }).first()
      await page.locator('#events [aria-current]').waitFor()
      await page.locator('#events').evaluate((list) => list.parentElement?.scrollTo(0, 200))
      await run.click()
      await row.focus()
      const place = (): Promise<unknown> =>
        page.evaluate(() => [
          document.querySelector('#events')?.parentElement?.scrollTop,
          document.querySelectorAll('#events .run[aria-expanded="true"]').length,
          document.activeElement?.getAttribute('data-key'),
        ])
      const before = await place()
      await importLog(page, [header('another')])
      await page.getByText('1 session added').first().waitFor()
      expect(await place()).toEqual(before)
      expect(before).toEqual([expect.any(Number), expect.any(Number), 'checkout-double-discount'])
    })
  })

  it('holds a long title and a long folder name within the page', async () => {
    await visit(async (page) => {
      const title = { title: 'long '.repeat(400), messageSeqs: [], source: { kind: 'user' } }
      await importLog(page, [
        header('long', { cwd: `/home/${'x'.repeat(70)}` }),
        JSON.stringify({ type: 'session/title', seq: 0, time: 0, data: title }),
      ])
      await page.getByRole('button', { name: /^long long/ }).click()
      for (const viewport of [narrow, { width: 1280, height: 800 }]) {
        await page.setViewportSize(viewport)
        expect(await sizes(page)).toEqual({ wide: viewport.width, outside: [] })
        expect(await page.locator('#events .row').first().isVisible()).toBe(true)
        expect((await page.locator('#events .row').first().boundingBox())?.y).toBeLessThan(500)
      }
    })
  })

  it('renders a window of a long log, and gets to either end of it', async () => {
    await visit(async (page) => {
      const events = Array.from({ length: 5_000 }, (_, seq) =>
        JSON.stringify({ type: 'note', seq, time: seq, data: { seq } }),
      )
      await importLog(page, [header('many'), ...events])
      await page.getByText('5,000 new events').first().waitFor()
      await page.goto(`${served.url}#session=many&seq=4000`)
      const rows = page.getByRole('list', { name: 'Events', exact: true }).getByRole('button')
      await page.locator('#events [data-key="4000"][aria-current]').waitFor()
      expect(await rows.count()).toBeLessThanOrEqual(400)
      await page.locator('#events [data-key="4000"]').focus()
      await page.keyboard.press('End')
      expect(await focusedKey(page)).toBe('4999')
      await page.keyboard.press('Home')
      expect(await focusedKey(page)).toBe('0')
    })
  })

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

const narrow = { width: 360, height: 700 }

async function press(page: Page, target: Locator): Promise<void> {
  await target.focus()
  await page.keyboard.press('Enter')
  // What opens may come a frame later.
  await page.evaluate(() => new Promise(requestAnimationFrame))
}

/** The id of what has the focus, or what it is where it has none. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.id || (document.activeElement?.tagName ?? ''))
}

function focusedKey(page: Page): Promise<string | null> {
  return page.evaluate(() => document.activeElement?.getAttribute('data-key') ?? null)
}

/** How wide the page is laid out, and which parts of rows stand outside of it. */
function sizes(page: Page): Promise<{ wide: number; outside: string[] }> {
  return page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    outside: [...document.querySelectorAll('.row .meta > *, .facts > *, h2')]
      .filter((part) => {
        const { left, right } = part.getBoundingClientRect()
        const pane = part.closest('.pane')?.getBoundingClientRect()
        return pane !== undefined && (left < pane.left || right > pane.right)
      })
      .map((part) => part.textContent),
  }))
}

function header(id: string, more: Readonly<Record<string, string>> = {}): string {
  return JSON.stringify({ type: 'session', version: 0, id, createdAt: 1_790_000_000_000, ...more })
}

async function importLog(page: Page, lines: readonly string[]): Promise<void> {
  await page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').first().waitFor()
  await page
    .getByLabel('Session log files')
    .setInputFiles({ name: 'log.jsonl', mimeType: '', buffer: Buffer.from(lines.join('\n')) })
}
