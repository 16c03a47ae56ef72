import { existsSync } from 'node:fs'
import { chromium } from 'playwright'

/** How tests start Chromium. */
export interface BrowserLaunch {
  readonly executablePath?: string
  readonly args: string[]
}

/** Where distributions and installers put Chrome and Chromium. */
const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * The browser to use: `CHROME_PATH`, the one that Playwright brought, or the system's.
 *
 * @returns its path, or undefined when there is none
 */
export function findBrowser(): string | undefined {
  const { CHROME_PATH: named } = process.env
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named
    throw new Error(`CHROME_PATH is ${named}, where there is no file.`)
  }
  return [chromium.executablePath(), ...systemBrowsers].find((path) => existsSync(path))
}

/** Starts that browser without a sandbox where it runs as root, and without traffic of its own. */
export function browserLaunch(): BrowserLaunch {
  const executablePath = findBrowser()
  const asRoot = process.getuid?.() === 0
  return {
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      ...(asRoot ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
    ],
  }
}
