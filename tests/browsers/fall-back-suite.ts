import { expect, it } from 'vitest'
import type { ServedTestPage } from '../fixtures/pages.ts'
import { beginIn, describeIn, statusOf, type Lane } from './lane.ts'

/** What has to work where a browser gives the page no OPFS. */
export function runFallBackSuite(lane: Lane, served: () => ServedTestPage): void {
  describeIn(lane, served, ({ open }) => {
    it('keeps the corpus in memory under auto, and says so', async () => {
      const tab = await open()
      await beginIn(tab, 'auto')
      const { storage, role } = await statusOf(tab)
      expect(storage).toMatchObject({ kind: 'memory', persistent: false })
      expect(storage.because).toMatch(/no private file system \(OPFS\)/)
      expect(role).toBe('owner')
      const { kind, because } = storage
      await expect.poll(() => tab.evaluate('told()')).toEqual([{ kind, because }])
      expect(await tab.evaluate(`append('live', 'a siskin')`)).toBe(1)
      expect(await tab.evaluate(`importMany('log', 500, 'siskin')`)).toBe(500)
      expect(await tab.evaluate(`found('siskin')`)).toEqual(['live', 'log'])
      expect(await tab.evaluate('exported()')).toBe(true)
      await tab.evaluate(`remove('log')`)
      expect(await tab.evaluate(`found('siskin')`)).toEqual(['live'])
      await tab.reload()
      await beginIn(tab, 'auto')
      expect(await tab.evaluate(`found('siskin')`)).toEqual([])
      await tab.close()
    }, 60_000)

    it('answers the tools of a model from memory', async () => {
      const tab = await open()
      await beginIn(tab, 'auto')
      await tab.evaluate(`append('earlier', 'a hawfinch in the garden')`)
      await tab.evaluate(`append('now', 'was there a bird?')`)
      const ask = (tool: string, args: object): Promise<string> =>
        tab.evaluate(`ask('now', '${tool}', ${JSON.stringify(args)})`)
      expect(await ask('session_search', { query: 'hawfinch' })).toContain('earlier')
      expect(await ask('session_event_read', { session_id: 'earlier', seq: 0 })).toContain(
        'a hawfinch in the garden',
      )
      await tab.close()
    }, 60_000)

    it('gives each tab a corpus of its own', async () => {
      const [one, other] = [await open(), await open()]
      for (const tab of [one, other]) await beginIn(tab, 'auto')
      await one.evaluate(`append('mine', 'a brambling')`)
      expect(await one.evaluate(`found('brambling')`)).toEqual(['mine'])
      expect(await other.evaluate(`found('brambling')`)).toEqual([])
      for (const tab of [one, other]) await tab.close()
    }, 60_000)

    it('fails clearly under opfs', async () => {
      const tab = await open()
      expect(await tab.evaluate(`begin('opfs')`)).toMatchObject({
        code: 'SESSION_QUERY_PERSISTENCE_FAILED',
        reason: 'unavailable',
        message: expect.stringMatching(/gives the page no private file system/),
      })
      await tab.close()
    }, 60_000)
  })
}
