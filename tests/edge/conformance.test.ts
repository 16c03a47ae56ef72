import { env } from 'cloudflare:test'
import { expect, inject, it } from 'vitest'
import { DurableDatabase } from '../../src/edge/durable-database.ts'
import { createDurableEngine } from '../../src/edge/durable-engine.ts'
import { objectEnvironment } from '../../src/edge/open-durable-corpus.ts'
import { runCases, type ConformanceFiles } from '../conformance/case-files.ts'
import { logSchema, openSchema } from '../../src/sql/schema.ts'
import { driverOver, optionsOf, type CaseSetting, type Driver } from '../conformance/operations.ts'
import { storeAsItIs } from '../conformance/store-as-it-is.ts'
import { decode, runCase } from './case-runner.ts'
import { inObject, testStorage } from './in-object.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly conformance: boolean
  }
}

it.runIf(inject('conformance'))(
  'reads, searches and tools in a Durable Object answer as the recorded cases do (skipped unless SESSION_QUERY_FIXTURES names a folder with cases)',
  async () => {
    const answer = await env.FIXTURES.fetch('http://fixtures/conformance')
    const files: ConformanceFiles = await answer.json()
    const { ran, problems } = await inObject('conformance', () =>
      runCases(files, { decode, runCase }, openDriver),
    )
    expect(problems).toEqual([])
    expect(ran).toBeGreaterThan(3000)
  },
)

/** Opens the corpus in an empty object over a log that holds the sessions just as they are given. */
async function openDriver(setting: CaseSetting): Promise<Driver> {
  const storage = testStorage()
  await storage.deleteAll()
  const options = optionsOf(setting.config)
  const log = new DurableDatabase(storage, 'session_query_cases_log_')
  openSchema(log, logSchema)
  for (const session of setting.sessions) if (session.persisted) storeAsItIs(log, session)
  const engine = createDurableEngine(storage, 'cases', { options })
  return driverOver(engine.view(options), setting, objectEnvironment)
}
