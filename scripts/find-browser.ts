import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findBrowser } from './browser-launch.ts'
import { findFirefox, findWebKit } from './other-browsers.ts'

/** Makes sure that there is a browser for the tests, and says what it does to get one. */
function main(): void {
  const found = findBrowser()
  if (found !== undefined) {
    console.log(`Browser for the tests: ${found}`)
    return
  }
  console.log('No Chrome or Chromium here. Downloading the one that Playwright brings …')
  if (succeeds('npx', ['playwright', 'install', 'chromium']) && findBrowser() !== undefined) return
  console.log('That did not work.')
  if (installsByApt(['chromium']) && findBrowser() !== undefined) {
    console.log(`Browser for the tests: ${findBrowser()}`)
    return
  }
  console.error(
    'The tests need Chrome or Chromium: install one, or set CHROME_PATH to its program file.',
  )
  process.exitCode = 1
}

/** Gets the browsers of `npm run test:browsers` where that is easy; those that are missing are skipped. */
function findOthers(): void {
  if (findFirefox() === undefined) installsByApt(['firefox-esr'])
  if (findWebKit() === undefined) installsByApt(['webkit2gtk-driver', 'xvfb'])
  console.log(`Firefox: ${findFirefox() ?? 'none'}`)
  console.log(`WebKitGTK: ${findWebKit()?.browser ?? 'none'}`)
}

/** On Debian, as root. */
function installsByApt(names: readonly string[]): boolean {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return false
  console.log(`Installing Debian’s ${names.join(' and ')} with apt-get …`)
  return (
    succeeds('apt-get', ['update']) &&
    succeeds('apt-get', ['install', '-y', '--no-install-recommends', ...names])
  )
}

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'inherit', timeout: 300_000 }).status === 0
}

if (process.argv.includes('others')) findOthers()
else main()
