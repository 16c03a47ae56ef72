import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { chromium } from 'playwright'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'
import { browserLaunch } from '../../scripts/browser-launch.ts'
import { sessionTools } from '../fixtures/tools.ts'
import type { SeenByAgent } from './webmcp-page.ts'

/** A secure context that no server is needed for: its requests are answered here. */
const url = 'http://localhost/'

const sqliteWasm = createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm')

async function script(): Promise<string> {
  const bundle = await rolldown({
    input: resolve(import.meta.dirname, 'webmcp-page.ts'),
    platform: 'browser',
    // A worker that is never started.
    onLog: () => undefined,
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  return output[0].code
}

/** What an agent sees in a Chromium that has WebMCP itself; undefined where it has not. */
async function seenByAgent(): Promise<SeenByAgent | undefined> {
  const { args, ...launch } = browserLaunch()
  const browser = await chromium.launch({ ...launch, args: [...args, '--enable-features=WebMCP'] })
  try {
    const page = await browser.newPage()
    await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: '' }))
    await page.route(`${url}sqlite3.wasm`, (route) =>
      route.fulfill({ contentType: 'application/wasm', path: sqliteWasm }),
    )
    await page.goto(url)
    await page.addScriptTag({ type: 'module', content: await script() })
    await page.waitForFunction(() => 'useAsAgent' in globalThis)
    return await page.evaluate<SeenByAgent | undefined>('useAsAgent()')
  } finally {
    await browser.close()
  }
}

it('agents of a browser that has WebMCP itself can use the tools', async ({ skip }) => {
  const seen = await seenByAgent()
  if (seen === undefined) skip('This browser has no WebMCP.')
  const names = (await sessionTools()).map(({ name }) => name).toSorted()
  expect(seen).toEqual({
    registered: names,
    annotations: expect.objectContaining({ readOnlyHint: true, untrustedContentHint: true }),
    answer: expect.stringMatching(/^\{"content":\[\{"type":"text","text":".*"\}\]\}$/),
    failure: expect.stringContaining('"isError":true'),
    replaced: names.filter((name) => name !== 'session_search'),
    refusal: expect.stringContaining('The tool session_search could not be registered'),
    afterRefusal: names,
    abortedWith: expect.stringContaining('AbortError'),
    disposed: [],
  })
})
