import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveDemo, type ServedDemo } from './served-demo.ts'

let served: ServedDemo

beforeAll(async () => {
  served = await serveDemo()
}, 60_000)

afterAll(async () => {
  await served?.close()
})

it('takes all sessions out as one file, removes them, and takes them in again', async () => {
  await served.visit(async (page, printed) => {
    await page
      .getByRole('button', { name: /sample/i })
      .first()
      .click()
    const list = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
    await expect.poll(() => list.count()).toBe(12)

    await page.getByRole('button', { name: 'Your data' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your data' })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export' }).click(),
    ])
    await dialog.getByText(/^12 sessions with [\d,]+ events/).waitFor()
    expect(download.suggestedFilename()).toBe('sessions.sqlite3')
    const file = await download.path()

    const remove = dialog.getByRole('button', { name: 'Remove all' })
    expect(await remove.isDisabled()).toBe(true)
    await dialog.getByLabel('Remove every session').check()
    await remove.click()
    await dialog.getByText('Everything was removed.').waitFor()

    await dialog.getByLabel('Exported database').setInputFiles(file)
    await dialog.getByText(/^12 new sessions, 0 continued, 0 unchanged/).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => list.count()).toBe(12)
    expect(printed).toEqual([])
  })
}, 60_000)

it('says what is wrong with a file that is none of ours', async () => {
  await served.visit(async (page) => {
    await openDialog(page)
    const dialog = page.getByRole('dialog', { name: 'Your data' })
    const buffer = Buffer.from('These are words, and no database.')
    await dialog
      .getByLabel('Exported database')
      .setInputFiles({ name: 'words.sqlite3', mimeType: '', buffer })
    await dialog.getByText(/Importing did not work/).waitFor()
    expect(await dialog.getByRole('status').innerText()).toMatch(
      /SESSION_QUERY_PERSISTENCE_FAILED · corrupt/,
    )
  })
}, 60_000)

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your data' }).click()
}
