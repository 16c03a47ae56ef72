import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { ready, type Driver, type Tab } from './driver.ts'

/** Without traffic of its own. */
const preferences = {
  'app.update.enabled': false,
  'browser.region.network.url': '',
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.getAddons.cache.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
}

/** How Firefox is started. */
export interface FirefoxLaunch {
  readonly executablePath: string
  /** Folder of the profile. */
  readonly profile: string
  /** Whether its windows are private ones. */
  readonly isPrivate: boolean
}

/** Firefox by WebDriver BiDi. */
export async function firefoxDriver({
  executablePath,
  profile,
  isPrivate,
}: FirefoxLaunch): Promise<Driver> {
  const launch = (): Promise<Browser> =>
    puppeteer.launch({
      browser: 'firefox',
      executablePath,
      headless: true,
      userDataDir: profile,
      extraPrefsFirefox: { ...preferences, 'browser.privatebrowsing.autostart': isPrivate },
    })
  let browser = await launch()
  return {
    async open(url) {
      const page = await browser.newPage()
      await page.goto(url)
      return ready(tabOf(page))
    },
    async restart() {
      await browser.close()
      browser = await launch()
    },
    close: () => browser.close(),
  }
}

function tabOf(page: Page): Tab {
  const tab: Tab = {
    evaluate: async <Result>(code: string) => (await page.evaluate(code)) as Result,
    async reload() {
      await page.reload()
      await ready(tab)
    },
    close: () => page.close(),
  }
  return tab
}
