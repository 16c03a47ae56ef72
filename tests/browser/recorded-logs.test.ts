import { openCorpus } from 'session-query'
import { importLogs } from 'session-query/ingest'
import { expect, inject, it, onTestFinished } from 'vitest'
import { commands } from 'vitest/browser'

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** The recorded logs of SESSION_QUERY_FIXTURES. */
    recordedLogs(): Promise<readonly { readonly name: string; readonly text: string }[]>
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly fixtures: boolean
  }
}

it.runIf(inject('fixtures'))(
  'recorded logs come out of OPFS byte for byte (skipped unless SESSION_QUERY_FIXTURES names a folder with logs)',
  async () => {
    const logs = await commands.recordedLogs()
    const name = 'recorded'
    const first = await openCorpus({ name, storage: 'opfs' })
    onTestFinished(async () => {
      const root = await navigator.storage.getDirectory()
      await root.removeEntry('session-query', { recursive: true })
    })
    const files = logs.map((log) => new File([log.text], log.name))
    const report = await importLogs(first, files)
    expect(report.sources.flatMap((source) => source.problems)).toEqual([])
    expect(await first.status()).toMatchObject({ sessions: 146, events: 14_141, issues: [] })
    await first.close()

    const second = await openCorpus({ name, storage: 'opfs' })
    onTestFinished(() => second.close())
    for (const { text } of logs) {
      const [header, ...lines] = text.split('\n').filter((line) => line !== '')
      const { id } = JSON.parse(header ?? '') as { id: string }
      const { events } = await second.readSession({ sessionId: id })
      expect(events.map((event) => JSON.stringify(event))).toEqual(lines)
    }
    const { items } = await second.searchSessions({ query: 'permission', limit: 100 })
    expect(items.length).toBeGreaterThan(0)
    for (const { bestMatch } of items) expect(bestMatch.snippet).toMatch(/permission/i)
  },
)
