import { createRequire } from 'node:module'
import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Printed } from '../fixtures/pages.ts'
import { serveDemo, type Axe, type ServedDemo } from './served-demo.ts'

let served: ServedDemo

beforeAll(async () => {
  served = await serveDemo()
  await served.visit(async (page) => {
    await page
      .getByRole('button', { name: /sample/i })
      .first()
      .click()
    await page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').nth(11).waitFor()
    await page.getByText('12 sessions added').first().waitFor()
  })
}, 60_000)

afterAll(async () => {
  await served?.close()
})

describe('what a model gets', () => {
  it('is asked for by keyboard, on behalf of the session that is open, and shows its workspace alone', async () => {
    await visit(async (page, printed) => {
      await openDialog(page, 'session=parquet-schema-drift&q=time zone')
      expect(await dialog(page).getByLabel('On behalf of').inputValue()).toBe('parquet-schema-drift')
      expect(await dialog(page).innerText()).toContain(
        '/home/mira/projects/metro-pipeline; nothing else',
      )
      const query = dialog(page).getByRole('textbox', { name: /^query/ })
      expect(await query.inputValue()).toBe('time zone')
      expect(await query.evaluate((input) => input === document.activeElement)).toBe(true)
      await page.keyboard.press('Enter')
      await expect.poll(() => answer(page).innerText()).toMatch(/^\d sessions?, best first\.\n1\. /)
      const text = await answer(page).innerText()
      expect(text).toContain('nightly-rollup-late-trips')
      // The page finds it there as well, in the sessions of other workspaces.
      expect(text).not.toMatch(/checkout-double-discount|coupon-as-constraint|kyushu/)
      expect(await outcome(page).innerText()).toMatch(/^\d+ characters, /)
      expect(printed).toEqual([])
    })
  })

  it('goes on from the first hit, and keeps what was filled in', async () => {
    await visit(async (page) => {
      await openDialog(page, 'session=parquet-schema-drift&q=time zone')
      await page.keyboard.press('Enter')
      await dialog(page).getByRole('button', { name: 'session_event_read' }).press('Enter')
      await expect.poll(() => answer(page).innerText()).toContain('```json\n{"type":')
      const sessionId = await dialog(page)
        .getByRole('textbox', { name: /^session_id/ })
        .inputValue()
      expect(await answer(page).innerText()).toContain(`Session ${sessionId}, seq `)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Enter')
      expect(await dialog(page).getByRole('radio', { name: 'session_event_read' }).isChecked()).toBe(
        true,
      )
      expect(await dialog(page).getByLabel('session_id').inputValue()).toBe(sessionId)
    })
  })

  it('takes every kind of argument, and leaves out what is not filled in', async () => {
    await visit(async (page) => {
      await openDialog(page, 'session=parquet-schema-drift&q=time zone')
      await dialog(page)
        .getByText(/that may be left out/)
        .click()
      await dialog(page).getByLabel('event_types').fill('user/message\n\ntool/result')
      await dialog(page).getByLabel('include_root_sessions').selectOption('true')
      await dialog(page).getByLabel('event_seq_from').fill('3')
      await dialog(page).getByLabel('log-only').check()
      await dialog(page).getByLabel('event_types').press('Control+Enter')
      const sent = {
        query: 'time zone',
        include_root_sessions: true,
        event_seq_from: 3,
        event_types: ['user/message', 'tool/result'],
        event_surfaces: ['log-only'],
      }
      await expect
        .poll(() => dialog(page).getByRole('group', { name: 'The model calls' }).innerText())
        .toBe(`session_search ${JSON.stringify(sent)}`)
    })
  })

  it('shows an error as the model is told it, in a word as well', async () => {
    await visit(async (page) => {
      await openDialog(page, 'session=parquet-schema-drift')
      await page.keyboard.press('Enter')
      await expect.poll(() => outcome(page).innerText()).toMatch(/^An error · /)
      expect(await answer(page).innerText()).toMatch(/^SESSION_QUERY_INVALID_QUERY: query is missing/)
      await dialog(page).getByText('session_trace', { exact: true }).click()
      await dialog(page).getByLabel('session_id').fill('kyushu-ten-days')
      await page.keyboard.press('Enter')
      await expect.poll(() => answer(page).innerText()).toMatch(/not visible to you/)
    })
  })

  it('shows nothing of what one session got to another', async () => {
    await visit(async (page) => {
      await openDialog(page, 'session=parquet-schema-drift&q=time zone')
      await page.keyboard.press('Enter')
      await expect.poll(() => answer(page).innerText()).toContain('nightly-rollup-late-trips')
      await dialog(page).getByLabel('On behalf of').selectOption('scratch-2026-11-26')
      expect(await answer(page).innerText()).toBe('')
      expect(await dialog(page).innerText()).toContain('It has no workspace.')
    })
  })

  it('lets go of a call that takes long, then closes; the focus is where it was', async () => {
    await visit(async (page) => {
      await openDialog(page, 'session=parquet-schema-drift&q=time zone')
      await page.evaluate(() => {
        // The worker hears nothing any more.
        Worker.prototype.postMessage = () => undefined
      })
      await page.keyboard.press('Enter')
      await dialog(page).getByRole('button', { name: 'Cancel' }).waitFor()
      await expect.poll(() => outcome(page).innerText()).toBe('Running…')
      await page.keyboard.press('Escape')
      await expect.poll(() => outcome(page).innerText()).toBe('Cancelled')
      expect(await dialog(page).getByRole('button', { name: 'Cancel' }).isVisible()).toBe(false)
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'hidden' })
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('ask-as-agent')
      expect(page.url()).toContain('session=parquet-schema-drift')
    })
  })

  it('has no accessibility violations that axe knows, in light and dark, wide and narrow', async () => {
    const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
    await visit(async (page) => {
      await openDialog(page, 'session=parquet-schema-drift&q=time zone')
      await page.addScriptTag({ path: axe })
      await dialog(page)
        .getByText(/that may be left out/)
        .click()
      for (const query of ['time zone', '']) {
        await dialog(page)
          .getByRole('textbox', { name: /^query/ })
          .fill(query)
        await page.keyboard.press('Enter')
        await expect.poll(() => outcome(page).innerText()).toMatch(query === '' ? /^An error/ : /^\d/)
        for (const [colorScheme, width] of [['light', 1280] as const, ['dark', 400] as const]) {
          await page.setViewportSize({ width, height: 800 })
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          const { violations } = await page.evaluate(async () => {
            const { axe: tool } = globalThis as unknown as Axe
            return tool.run()
          })
          expect(violations.map(({ id, nodes }) => [colorScheme, id, nodes[0]?.html])).toEqual([])
          const wide = await dialog(page).evaluate(({ scrollWidth }) => scrollWidth)
          expect(wide).toBeLessThanOrEqual(width)
        }
      }
    }, true)
  }, 60_000)
})

function visit(use: (page: Page, printed: Printed) => Promise<void>, bypassCSP = false): Promise<void> {
  return served.visit(use, bypassCSP)
}

async function openDialog(page: Page, address: string): Promise<void> {
  await page.goto(`${served.url}#${address}`)
  await page.getByRole('button', { name: 'Ask as an agent' }).press('Enter')
  await dialog(page).waitFor()
}

function dialog(page: Page): Locator {
  return page.getByRole('dialog', { name: 'What a model gets' })
}

function answer(page: Page): Locator {
  return dialog(page).getByRole('group', { name: 'The model gets' })
}

function outcome(page: Page): Locator {
  return dialog(page).locator('#agent-outcome')
}
