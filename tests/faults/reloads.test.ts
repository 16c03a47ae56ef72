import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { inBrowser, serveTestPage, type ServedTestPage } from '../fixtures/pages.ts'
import { hashOf, randomOf } from './random.ts'

declare module 'vitest' {
  interface ProvidedContext {
    reloads: number
  }
}

const { FAULTS_SEED: seedGiven } = process.env
const seed = seedGiven === undefined ? hashOf(String(performance.timeOrigin)) : Number(seedGiven)
const random = randomOf(seed)
const reloads = inject('reloads')

/** By id, how many events each session has: so many that an import is never done before the last reload. */
const lengths = Object.fromEntries(
  Array.from({ length: 30 + 12 * reloads }, (_, at) => [`log-${at}`, 1 + random.below(400)]),
)

let served: ServedTestPage

beforeAll(async () => {
  console.log(`FAULTS_SEED=${seed} repeats these reloads.`)
  served = await serveTestPage(resolve(import.meta.dirname, 'reload-page'))
}, 60_000)

afterAll(async () => {
  await served?.close()
})

it(`an import that is interrupted by ${reloads} reloads loses nothing, and gets to its end`, async () => {
  const acknowledged: Record<string, number> = {}
  await inBrowser({ url: served.url, profile: join(served.scratch, 'profile') }, async (page) => {
    await page.exposeFunction('acknowledge', (id: string, length: number) => {
      acknowledged[id] = Math.max(acknowledged[id] ?? 0, length)
    })
    let interrupted = 0
    for (let at = 0; at < reloads; at += 1) {
      await page.evaluate(`begin('reloaded')`)
      const known = { ...acknowledged }
      expect(await page.evaluate<string[]>(`problems(${JSON.stringify(known)})`)).toEqual([])
      await page.evaluate(`importAll(${JSON.stringify(lengths)})`)
      await new Promise((resume) => setTimeout(resume, 20 + random.below(500)))
      interrupted += (await page.evaluate('finished()')) === true ? 0 : 1
      await page.reload()
    }
    console.log(
      `${interrupted} of ${reloads} reloads came in the middle; ${Object.keys(acknowledged).length} of ${Object.keys(lengths).length} sessions were begun.`,
    )
    expect(interrupted).toBeGreaterThan(reloads / 2)
    await page.evaluate(`begin('reloaded')`)
    await page.evaluate(`importAll(${JSON.stringify(lengths)})`)
    await expect.poll(() => page.evaluate('finished()'), { timeout: 60_000 }).toBe(true)
    expect(await page.evaluate<string[]>(`problems(${JSON.stringify(lengths)})`)).toEqual([])
    expect(acknowledged).toEqual(lengths)
  })
}, 240_000)
