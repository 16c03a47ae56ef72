import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { openDriver } from './driver.ts'

/** Runs conformance cases over the in-process corpus and exits with 1 when one of them differs. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      ops: { type: 'string' },
      stored: { type: 'boolean', default: false },
    },
  })
  const dir = caseDirectory(positionals[0])
  if (!existsSync(join(dir, 'run.mjs'))) {
    console.error(
      dir === ''
        ? 'Name the folder of the cases, or set SESSION_QUERY_FIXTURES to the folder that holds conformance.'
        : `There is no run.mjs in ${dir}.`,
    )
    process.exitCode = 1
    return
  }
  const runner = (await import(pathToFileURL(join(dir, 'run.mjs')).href)) as Runner
  const { passed, failed, byCategory } = await runner.runAll(openDriver, {
    dir: join(dir, 'cases'),
    ...list('only', values.only),
    ...list('ops', values.ops),
    stored: values.stored,
    log: (difference) => console.log(difference),
  })
  for (const [category, counts] of byCategory) {
    console.log(`${category}: ${counts.passed} passed, ${counts.failed} failed`)
  }
  console.log(`${passed} passed, ${failed} failed`)
  if (failed > 0 || passed === 0) process.exitCode = 1
}

interface Runner {
  runAll(
    open: typeof openDriver,
    options: {
      readonly dir: string
      readonly only?: readonly string[]
      readonly ops?: readonly string[]
      readonly stored: boolean
      readonly log: (difference: string) => void
    },
  ): Promise<{
    readonly passed: number
    readonly failed: number
    readonly byCategory: ReadonlyMap<string, { readonly passed: number; readonly failed: number }>
  }>
}

/** The folder that was named, or that of the fixtures; empty where there is neither. */
function caseDirectory(named: string | undefined): string {
  if (named !== undefined) return resolve(named)
  const fixtures = process.env['SESSION_QUERY_FIXTURES'] ?? ''
  return fixtures === '' ? '' : resolve(fixtures, 'conformance')
}

function list(name: 'only' | 'ops', value: string | undefined): { only?: string[]; ops?: string[] } {
  return value === undefined ? {} : { [name]: value.split(',').map((item) => item.trim()) }
}

await main()
