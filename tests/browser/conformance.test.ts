import { proxy, wrap } from 'comlink'
import { expect, inject, it, onTestFinished } from 'vitest'
import { commands } from 'vitest/browser'
import { Calls } from '../../src/client/calls.ts'
import { hostCall } from '../../src/client/host-call.ts'
import { remoteStore } from '../../src/live/remote-store.ts'
import { driverOver, optionsOf, type CaseSetting, type Driver } from '../conformance/operations.ts'
import { runCases, type CaseRunner, type ConformanceFiles } from '../conformance/case-files.ts'
import type { SeamHost } from './seam-worker.ts'

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** The conformance cases of SESSION_QUERY_FIXTURES. */
    conformanceFiles(): Promise<ConformanceFiles>
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly conformance: boolean
  }
}

it.runIf(inject('conformance'))(
  'reads, searches and tools over the worker answer as the recorded cases do (skipped unless SESSION_QUERY_FIXTURES names a folder with cases)',
  async () => {
    const files = await commands.conformanceFiles()
    const check = await moduleOf(files.check)
    const openDriver = driverInWorker()
    const { ran, problems } = await runCases(files, check, openDriver)
    expect(problems).toEqual([])
    expect(ran).toBeGreaterThan(3000)
  },
)

async function moduleOf(text: string): Promise<CaseRunner> {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
  try {
    return (await import(/* @vite-ignore */ url)) as CaseRunner
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Opens one corpus after the other in one worker. */
function driverInWorker(): (setting: CaseSetting) => Promise<Driver> {
  const worker = new Worker(new URL('./seam-worker.ts', import.meta.url), { type: 'module' })
  onTestFinished(() => worker.terminate())
  const host = wrap<SeamHost>(worker)
  const environment = {
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    later: (milliseconds: number, run: () => void) => void setTimeout(run, milliseconds),
  }
  return async (setting) => {
    const calls = new Calls()
    await host.begin(JSON.stringify(setting.sessions.filter(({ persisted }) => persisted)))
    const options = optionsOf(setting.config)
    await calls.outcome(
      host.open(
        { options, name: 'conformance', storage: 'memory', tab: 'none' },
        proxy(() => undefined),
      ),
    )
    const hosted = hostCall(host, calls, () => undefined)
    return driverOver(
      remoteStore(
        (method, prepare, call) => hosted(method, prepare(), call?.signal),
        async () => undefined,
      ),
      setting,
      environment,
    )
  }
}
