import { existsSync } from 'node:fs'

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

/** Firefox: `FIREFOX_PATH`, or the system's; undefined when there is none. */
export function findFirefox(): string | undefined {
  const { FIREFOX_PATH: named } = process.env
  return [named, ...firefoxes].find((path) => path !== undefined && existsSync(path))
}

/** WebKitGTK with what drives it; undefined when a part of that is missing. */
export function findWebKit(): { driver: string; browser: string; xvfb: string } | undefined {
  const [driver, xvfb] = ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb']
  const browser = miniBrowsers.find((path) => existsSync(path))
  if (browser === undefined || !existsSync(driver) || !existsSync(xvfb)) return undefined
  return { driver, browser, xvfb }
}
