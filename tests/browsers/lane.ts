import type { CorpusStatus, StorageChoice } from 'session-query'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { ServedTestPage } from '../fixtures/pages.ts'
import type { Driver, Failed, Tab } from './driver.ts'

/** A browser as a suite uses it. */
export interface Lane {
  readonly name: string
  /** Why the suite cannot run in it here; undefined when it can. */
  readonly missing: string | undefined
  /** @param folder for a profile of its own, and for what else it leaves behind */
  readonly start: (folder: string) => Promise<Driver>
}

/** What cases do with it. */
export interface RunningBrowser {
  /** Opens another tab with the page of the tests. */
  readonly open: () => Promise<Tab>
  /** Starts the browser anew, with the same profile. */
  readonly restart: () => Promise<void>
}

/** Runs cases in a browser that they share, or skips them and says why in their title. */
export function describeIn(
  { name, missing, start }: Lane,
  served: () => ServedTestPage,
  cases: (browser: RunningBrowser) => void,
): void {
  describe.skipIf(missing !== undefined)(
    missing === undefined ? name : `${name} (skipped: ${missing})`,
    () => {
      let driver: Driver

      beforeAll(async () => {
        driver = await start(served().scratch)
      }, 60_000)

      afterAll(async () => {
        await driver?.close()
      })

      cases({ open: () => driver.open(served().url), restart: () => driver.restart() })
    },
  )
}

/** Opens the corpus of a page. */
export async function beginIn(
  tab: Tab,
  storage: StorageChoice,
  how: 'begin' | 'beginEndable' = 'begin',
): Promise<void> {
  expect((await tab.evaluate<Failed | undefined>(`${how}('${storage}')`)) ?? 'opened').toBe('opened')
}

export async function statusOf(tab: Tab): Promise<CorpusStatus> {
  return tab.evaluate('corpusStatus()')
}
