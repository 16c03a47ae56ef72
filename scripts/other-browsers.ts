import { existsSync } from 'node:fs'

/** WebKitGTK with what drives it, as paths of program files. */
export interface WebKit {
  readonly driver: string
  readonly browser: string
  /** A display without a screen. */
  readonly xvfb: string
}

/** Where distributions and installers put Firefox. */
const firefoxes = [
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
]

/** Where Debian and others put WebKitGTK's small browser. */
const miniBrowsers = [
  '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
  '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.0/MiniBrowser',
  '/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
  '/usr/libexec/webkit2gtk-4.1/MiniBrowser',
]

/**
 * Firefox: `FIREFOX_PATH`, or the system's.
 *
 * @returns its path, or undefined when there is none
 */
export function findFirefox(): string | undefined {
  return programOf('FIREFOX_PATH', firefoxes)
}

/**
 * WebKitGTK: what `WEBKIT_DRIVER_PATH`, `WEBKIT_BROWSER_PATH` and `XVFB_PATH` name, or the system's.
 *
 * @returns undefined when a part of it is missing
 */
export function findWebKit(): WebKit | undefined {
  const driver = programOf('WEBKIT_DRIVER_PATH', ['/usr/bin/WebKitWebDriver'])
  const browser = programOf('WEBKIT_BROWSER_PATH', miniBrowsers)
  const xvfb = programOf('XVFB_PATH', ['/usr/bin/Xvfb'])
  if (driver === undefined || browser === undefined || xvfb === undefined) return undefined
  return { driver, browser, xvfb }
}

function programOf(variable: string, usual: readonly string[]): string | undefined {
  const named = process.env[variable]
  if (named === undefined || named === '') return usual.find((path) => existsSync(path))
  if (existsSync(named)) return named
  throw new Error(`${variable} is ${named}, where there is no file.`)
}
