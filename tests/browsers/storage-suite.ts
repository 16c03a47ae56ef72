import { expect, it } from 'vitest'
import type { ServedTestPage } from '../fixtures/pages.ts'
import type { Tab } from './driver.ts'
import { beginIn, describeIn, statusOf, type Lane } from './lane.ts'

/** What has to work where a browser has OPFS. */
export function runStorageSuite(lane: Lane, served: () => ServedTestPage): void {
  describeIn(lane, served, ({ open, restart }) => {
    it('keeps what is appended and imported in OPFS, through a reload and a new browser', async () => {
      const tab = await open()
      await beginIn(tab, 'opfs')
      expect((await statusOf(tab)).storage.kind).toBe('opfs')
      expect(await tab.evaluate(`append('live', 'a corncrake')`)).toBe(1)
      expect(await tab.evaluate(`append('live', 'another corncrake')`)).toBe(2)
      expect(await tab.evaluate(`importMany('log', 1500, 'crake')`)).toBe(1500)
      const texts = await tab.evaluate<string[]>(`texts('log')`)
      const kept = async (page: Tab): Promise<void> => {
        await beginIn(page, 'opfs')
        expect(await page.evaluate(`found('corncrake')`)).toEqual(['live'])
        expect(await page.evaluate(`found('crake')`)).toEqual(['log'])
        expect(await page.evaluate(`texts('log')`)).toEqual(texts)
      }
      await tab.reload()
      await kept(tab)
      expect(await tab.evaluate(`append('live', 'a third corncrake')`)).toBe(3)
      await restart()
      const again = await open()
      await kept(again)
      expect(await again.evaluate('exported()')).toBe(true)
      await again.evaluate(`remove('log')`)
      expect(await again.evaluate(`found('crake')`)).toEqual([])
      await again.close()
    }, 60_000)

    it('is shared between tabs, one of which takes over', async () => {
      const owner = await open()
      await beginIn(owner, 'opfs')
      const follower = await open()
      await beginIn(follower, 'opfs')
      expect((await statusOf(owner)).role).toBe('owner')
      expect((await statusOf(follower)).role).toBe('follower')
      await owner.evaluate(`append('one', 'a wagtail')`)
      await follower.evaluate(`append('two', 'a wagtail')`)
      for (const tab of [owner, follower])
        expect(await tab.evaluate(`found('wagtail')`)).toEqual(['one', 'two'])
      expect(await follower.evaluate(`tryAppend('one', 'a wagtail')`)).toMatchObject({
        code: 'SESSION_QUERY_SOURCE_CONFLICT',
      })
      await owner.close()
      expect(await follower.evaluate(`append('one', 'a wagtail')`)).toBe(2)
      expect((await statusOf(follower)).role).toBe('owner')
      await follower.close()
    }, 60_000)

    it('goes on after its worker was ended: every event once, in order, and stored', async () => {
      const tab = await open()
      await beginIn(tab, 'opfs', 'beginEndable')
      expect(await tab.evaluate(`append('ended', 'a first dunnock')`)).toBe(1)
      await tab.evaluate('endWorker()')
      expect(await tab.evaluate(`tryAppend('ended', 'a second dunnock')`)).toMatchObject({
        code: 'SESSION_QUERY_PERSISTENCE_FAILED',
        reason: 'unavailable',
      })
      expect(await tab.evaluate(`tryFind('dunnock')`)).toMatchObject({
        code: 'SESSION_QUERY_WORKER_FAILED',
      })
      await tab.evaluate('reopen()')
      expect((await statusOf(tab)).storage.kind).toBe('opfs')
      expect(await tab.evaluate(`append('ended', 'a third dunnock')`)).toBe(3)
      await tab.reload()
      await beginIn(tab, 'opfs')
      expect(await tab.evaluate(`found('dunnock')`)).toEqual(['ended'])
      expect(await tab.evaluate(`texts('ended')`)).toEqual(
        ['first', 'second', 'third'].map((which) => expect.stringContaining(`a ${which} dunnock`)),
      )
      await tab.close()
    }, 60_000)

    it('is in memory where that is asked for', async () => {
      const tab = await open()
      await beginIn(tab, 'memory')
      expect(await tab.evaluate(`append('fleeting', 'a linnet')`)).toBe(1)
      expect(await tab.evaluate(`found('linnet')`)).toEqual(['fleeting'])
      expect((await statusOf(tab)).storage.kind).toBe('memory')
      await tab.reload()
      await beginIn(tab, 'memory')
      expect(await tab.evaluate(`found('linnet')`)).toEqual([])
      await tab.close()
    }, 60_000)
  })
}
