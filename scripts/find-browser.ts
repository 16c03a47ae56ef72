import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findBrowser } from './browser-launch.ts'

/** Makes sure that there is a browser for the tests, and says what it does to get one. */
function main(): void {
  const found = findBrowser()
  if (found !== undefined) {
    console.log(`Browser for the tests: ${found}`)
    return
  }
  console.log('No Chrome or Chromium here. Downloading the one that Playwright brings …')
  if (succeeds('npx', ['playwright', 'install', 'chromium']) && findBrowser() !== undefined) return
  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    console.log('That did not work. Installing Debian’s chromium with apt-get …')
    const installed =
      succeeds('apt-get', ['update']) &&
      succeeds('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'])
    if (installed && findBrowser() !== undefined) {
      console.log(`Browser for the tests: ${findBrowser()}`)
      return
    }
  }
  console.error(
    'The tests need Chrome or Chromium: install one, or set CHROME_PATH to its program file.',
  )
  process.exitCode = 1
}

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'inherit', timeout: 300_000 }).status === 0
}

main()
