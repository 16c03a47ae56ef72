import { expect, it } from 'vitest'
import { persistenceFailed } from '../../src/core/errors.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { sceneOver, unsteadyStore } from './unsteady-store.ts'

/** A gate that is shut until it is opened. */
function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  const waiting: (() => void)[] = []
  const passed = new Promise<void>((resolve) => {
    waiting.push(resolve)
  })
  return { passed, open: () => waiting[0]?.() }
}

it('titles of a session that closes meanwhile are given', async () => {
  const store = unsteadyStore()
  const { corpus } = sceneOver(store)
  await corpus.putSession(session('other', []))
  const live = await corpus.sessions.create({ id: 'live' })
  await live.flush()
  const { passed, open } = gate()
  store.before((method) => (method === 'readTitles' ? passed : undefined))
  const reading = corpus.readTitles({ sessionIds: ['live', 'other'] })
  await live.close()
  open()
  expect((await reading).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
})

it('a search is aborted while open sessions are being stored', { timeout: 500 }, async () => {
  const store = unsteadyStore()
  const { corpus } = sceneOver(store)
  const live = await corpus.sessions.create({ id: 'live' })
  live.append('of/test', {})
  store.before((method) => (method === 'putSession' ? gate().passed : undefined))
  const controller = new AbortController()
  const searching = corpus.searchEvents({ query: 'shop' }, { signal: controller.signal })
  controller.abort(new Error('enough'))
  await expect(searching).rejects.toThrow('enough')
})

it('a search sees what cannot be stored', async () => {
  const store = unsteadyStore()
  const { corpus } = sceneOver(store)
  const live = await corpus.sessions.create({ id: 'live' })
  store.before((method) => {
    if (method === 'putSession') throw persistenceFailed('full', 'There is no room left.')
  })
  const { data } = userMessage('quicksilver')
  live.append('user/message', data as never, { surfaceOp: 'append' })
  expect((await corpus.searchEvents({ query: 'quicksilver' })).items).toHaveLength(1)
})

it('a search sees sessions that are not persisted', async () => {
  const { corpus } = sceneOver(unsteadyStore())
  const live = await corpus.sessions.create({ id: 'live' }, { persist: false })
  const { data } = userMessage('quicksilver')
  live.append('user/message', data as never, { surfaceOp: 'append' })
  expect((await corpus.searchEvents({ query: 'quicksilver' })).items).toHaveLength(1)
})

it('a search that waits for open sessions asks the store once they are stored', async () => {
  const store = unsteadyStore()
  const { corpus } = sceneOver(store)
  const live = await corpus.sessions.create({ id: 'live' })
  live.append('of/test', {})
  const { passed, open } = gate()
  store.before((method) => (method === 'putSession' ? passed : undefined))
  const searching = corpus.searchEvents({ query: 'shop' })
  await new Promise((resume) => setImmediate(resume))
  expect(store.calls).not.toContain('searchEvents')
  open()
  expect((await searching).items).toEqual([])
})
