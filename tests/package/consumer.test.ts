import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { session, userMessage } from '../fixtures/logs.ts'
import { inBrowser, servePage, type ServedPage } from '../fixtures/pages.ts'

const root = resolve(import.meta.dirname, '../..')
const app = mkdtempSync(join(tmpdir(), 'session-query-app-'))
const profile = mkdtempSync(join(tmpdir(), 'session-query-profile-'))

const { header, events } = session('shop', [
  userMessage('Hello'),
  userMessage('Did we deploy the shop?'),
])
const logFile = {
  name: 'shop.jsonl',
  mimeType: 'application/jsonl',
  buffer: Buffer.from(
    [{ type: 'session', ...header }, ...events].map((line) => JSON.stringify(line)).join('\n'),
  ),
}

/** The example of the README, as it stands there. */
function readmeExample(): string {
  const [, code] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  if (code === undefined) throw new Error('README.md has no TypeScript example.')
  return code
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: app, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

let served: ServedPage

/** A blank app on the packed tarball, built and served. */
beforeAll(async () => {
  const [packed] = JSON.parse(run('npm', 'pack', root, '--json', '--ignore-scripts')) as [
    { filename: string },
  ]
  writeFileSync(
    join(app, 'package.json'),
    JSON.stringify({
      name: 'app',
      private: true,
      type: 'module',
      dependencies: { 'session-query': `file:${packed.filename}` },
    }),
  )
  run('npm', 'install', '--no-audit', '--no-fund', '--prefer-offline')
  writeFileSync(join(app, 'main.ts'), readmeExample())
  writeFileSync(
    join(app, 'index.html'),
    '<!doctype html><title>app</title><link rel="icon" href="data:,"><input type="file"><script type="module" src="main.ts"></script>',
  )
  served = await servePage({ root: app, configFile: false, build: { target: 'es2022' } })
}, 180_000)

afterAll(async () => {
  await served?.close()
  for (const folder of [app, profile]) rmSync(folder, { recursive: true, force: true })
})

/** Chooses a file once the page listens: its corpus is open by then. */
async function choose(page: Page, file: typeof logFile): Promise<void> {
  await page.waitForFunction(() => document.querySelector('input')?.onchange)
  await page.setInputFiles('input', file)
}

describe('a blank Vite app on the packed tarball', () => {
  it('checks against the types, strictly', () => {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
    }
    writeFileSync(
      join(app, 'all.ts'),
      `import { openCorpus, type EventData, type SessionCorpus, type SessionEvent } from 'session-query'
       import { importLogs } from 'session-query/ingest'
       import { openMemoryCorpus } from 'session-query/in-process'
       const one: SessionCorpus = await openMemoryCorpus({ snippetChars: 80 })
       await importLogs(one, [new File([''], 'a.jsonl')])
       const toolCall: EventData['tool/call'] = { turn: 1, step: 1, callId: 'c', name: 'read', arguments: '{}' }
       const event: SessionEvent = { type: 'tool/call', seq: 0, time: 0, data: toolCall }
       await one.putSession({ header: { version: 0, id: 'a', createdAt: 0 }, events: [event] })
       interface Mine { readonly note: string }
       const mine: Mine = { note: 'mine' }
       const session = await one.sessions.create()
       session.append('tool/call', toolCall)
       session.append('app/mine', mine)
       // @ts-expect-error a tool call has a name
       session.append('tool/call', { turn: 1 })
       export const two = await openCorpus({ storage: 'auto' })
       // @ts-expect-error a name is text
       await openCorpus({ name: 5 })
       // @ts-expect-error results are read-only
       ;(await one.listSessions()).push()`,
    )
    for (const [module, moduleResolution] of [
      ['esnext', 'bundler'],
      ['nodenext', 'nodenext'],
    ]) {
      const config = {
        compilerOptions: { ...compilerOptions, module, moduleResolution },
        files: ['main.ts', 'all.ts'],
      }
      writeFileSync(join(app, 'tsconfig.json'), JSON.stringify(config))
      expect(run('node', join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json')).toBe('')
    }
  })

  it('runs the example of the README: imports a log, finds an event, reads it', async () => {
    await inBrowser({ url: served.url, profile }, async (page, printed) => {
      await choose(page, logFile)
      await expect
        .poll(() => printed.join('\n'), { timeout: 20_000 })
        .toContain('Did we deploy the shop?')
      expect(printed.join('\n')).not.toContain('error')
    })
  }, 60_000)

  it('finds it again after a reload and in a new browser on the same profile', async () => {
    await inBrowser({ url: served.url, profile }, async (page, printed) => {
      for (const visit of ['new browser', 'reload']) {
        printed.length = 0
        if (visit === 'reload') await page.reload()
        // Choosing an empty file imports nothing: what is found was there before.
        await choose(page, { ...logFile, name: 'empty.jsonl', buffer: Buffer.alloc(0) })
        await expect
          .poll(() => printed.join('\n'), { timeout: 20_000 })
          .toContain('Did we deploy the shop?')
      }
    })
  }, 60_000)

  it('imports in Node without touching the browser', () => {
    const script = `
      const { SessionQueryError, isSessionQueryError } = await import('session-query')
      const { openMemoryCorpus } = await import('session-query/in-process')
      await import('session-query/ingest')
      const corpus = await openMemoryCorpus()
      await corpus.putSession(${JSON.stringify({ header, events })})
      const { items } = await corpus.searchSessions({ query: 'deploy' })
      const error = await corpus.readTitle({ sessionId: 'none' }).catch((reason) => reason)
      console.log(items[0].header.id, error instanceof SessionQueryError, isSessionQueryError(error), error.code)`
    expect(run('node', '--input-type=module', '-e', script).trim()).toBe(
      'shop true true SESSION_QUERY_SESSION_NOT_FOUND',
    )
  })
})
