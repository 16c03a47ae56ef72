import { join, resolve } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { findFirefox, findWebKit } from '../../scripts/other-browsers.ts'
import { serveTestPage, type ServedTestPage } from '../fixtures/pages.ts'
import { runFallBackSuite } from './fall-back-suite.ts'
import { firefoxDriver } from './firefox.ts'
import type { Lane } from './lane.ts'
import { runStorageSuite } from './storage-suite.ts'
import { webKitDriver } from './webkit.ts'

let page: ServedTestPage

beforeAll(async () => {
  page = await serveTestPage(resolve(import.meta.dirname, 'page'))
}, 60_000)

afterAll(async () => {
  await page?.close()
})

const served = (): ServedTestPage => page

runStorageSuite(firefoxLane('Firefox', { isPrivate: false }), served)
runFallBackSuite(
  firefoxLane('Firefox in private windows, which have no OPFS', { isPrivate: true }),
  served,
)
runFallBackSuite(webKitLane('WebKitGTK, which has no OPFS'), served)

function firefoxLane(name: string, { isPrivate }: { isPrivate: boolean }): Lane {
  const executablePath = findFirefox()
  return {
    name,
    missing: executablePath === undefined ? 'it is not installed; FIREFOX_PATH names it' : undefined,
    start: (folder) =>
      firefoxDriver({
        executablePath: executablePath ?? '',
        profile: join(folder, isPrivate ? 'private-firefox' : 'firefox'),
        isPrivate,
      }),
  }
}

function webKitLane(name: string): Lane {
  const webKit = findWebKit()
  return {
    name,
    missing:
      webKit === undefined
        ? 'not all of it is installed; WEBKIT_DRIVER_PATH, WEBKIT_BROWSER_PATH and XVFB_PATH name it'
        : undefined,
    async start(folder) {
      if (webKit === undefined) throw new Error('There is no WebKitGTK.')
      return webKitDriver(webKit, folder)
    },
  }
}
