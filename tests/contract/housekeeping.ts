import { expect } from 'vitest'
import type { WorkProgress } from '../../src/core/moving.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { refused, type Contract } from './contract.ts'
import { append, compacted, talk } from './logs.ts'

/** clear and compact. */
export function housekeepingCases(contract: Contract): void {
  contract.topic('housekeeping', () => {
    contract.case('clearing removes everything, and the corpus goes on', async (corpus) => {
      for (const log of many()) await corpus.putSession(log)
      await corpus.putSession(talk)
      expect((await corpus.searchEvents({ query: 'deploy' })).items).not.toEqual([])
      const heard: string[] = []
      const told: WorkProgress<string>[] = []
      const stop = corpus.subscribe(({ kind, sessionId }) => {
        if (sessionId !== undefined) heard.push(`${kind} ${sessionId}`)
      })
      await corpus.clear({ onProgress: (progress) => told.push(progress) })
      stop()
      expect(heard.toSorted()).toEqual(
        ['talk', ...many().map(({ header }) => header.id)].map((id) => `removed ${id}`).toSorted(),
      )
      expect(told.at(-1)).toMatchObject({ phase: 'removing', done: told.at(-1)?.total })
      expect(told.length).toBeGreaterThan(1)
      expect(await corpus.listSessions()).toEqual([])
      expect(await corpus.status()).toMatchObject({ sessions: 0, events: 0, index: { documents: 0 } })
      expect((await corpus.searchEvents({ query: 'shop' })).items).toEqual([])
      await refused(corpus.readSession({ sessionId: 'talk' }), 'SESSION_NOT_FOUND')

      // The same ids and numbers, with other logs.
      await corpus.putSession(session('talk', [userMessage('quite another talk')]))
      const { items } = await corpus.searchEvents({ query: 'talk' })
      expect(items).toMatchObject([{ sessionId: 'talk', seq: 0 }])
      expect((await corpus.searchEvents({ query: 'deploy' })).items).toEqual([])
      await corpus.clear()
      await corpus.clear()
      expect(await corpus.listSessions()).toEqual([])
    })

    contract.case('clearing is refused while sessions are open', async (corpus) => {
      await corpus.putSession(compacted)
      const live = await corpus.sessions.create({ id: 'live' })
      const fleeting = await corpus.sessions.create({ id: 'fleeting' }, { persist: false })
      await refused(corpus.clear(), 'SOURCE_CONFLICT', /"live", "fleeting"/)
      await live.close()
      await refused(corpus.clear(), 'SOURCE_CONFLICT', /"fleeting"/)
      await fleeting.close()
      expect(await corpus.listSessions()).toHaveLength(2)
      await corpus.clear()
      expect(await corpus.listSessions()).toEqual([])
    })

    contract.case('clearing outdates the cursors and ends the exports of before', async (corpus) => {
      for (const log of many().slice(0, 5)) await corpus.putSession(log)
      const query = { query: 'shop', limit: 2 }
      const { nextCursor } = await corpus.searchEvents(query)
      const reader = (await corpus.exportDatabase()).getReader()
      await corpus.clear()
      await refused(reader.read(), 'WORKER_FAILED', /cleared/)
      await refused(corpus.searchEvents({ ...query, cursor: nextCursor }), 'STALE_CURSOR')
    })

    contract.case('what is appended while it is cleared stays', async (corpus) => {
      for (const log of many()) await corpus.putSession(log)
      const begun: Promise<void>[] = []
      await corpus.clear({
        onProgress: () => {
          if (begun.length > 0) return
          begun.push(
            corpus.sessions.create({ id: 'new' }).then(async (live) => {
              append(live, 'turn/start', {})
              return live.close()
            }),
          )
        },
      })
      await Promise.all(begun)
      expect((await corpus.readSession({ sessionId: 'new' })).events).toHaveLength(1)
      expect(await corpus.status()).toMatchObject({ sessions: 1, events: 1 })
    })

    contract.case('clearing that was aborted is done with the next time', async (corpus) => {
      for (const log of many()) await corpus.putSession(log)
      const reason = new Error('enough')
      const controller = new AbortController()
      const clearing = corpus.clear(
        { onProgress: () => controller.abort(reason) },
        { signal: controller.signal },
      )
      await expect(clearing).rejects.toBe(reason)
      expect(await corpus.listSessions()).toEqual([])
      await corpus.putSession(talk)
      await corpus.clear()
      await corpus.compact()
      expect(await corpus.status()).toMatchObject({ sessions: 0 })
    })

    contract.case('compacting gives back what was deleted, and keeps what was not', async () => {
      const corpus = await contract.open()
      await corpus.putSession(talk)
      for (const log of many()) await corpus.putSession(log)
      await corpus.searchEvents({ query: 'shop' })
      for (const { header } of many()) await corpus.deleteSession({ sessionId: header.id })
      const told: WorkProgress<string>[] = []
      const answered: number[] = []
      const { before, after } = await corpus.compact({
        onProgress: (progress) => {
          told.push(progress)
          void corpus
            .readSession({ sessionId: 'talk' })
            .then(({ events }) => answered.push(events.length))
        },
      })
      expect(after).toBeLessThan(before / 2)
      const { storage } = await corpus.status()
      expect(storage.logBytes + storage.indexBytes).toBe(after)
      expect(told.map(({ phase }) => phase)).toContain('log')
      expect(told.at(-1)).toEqual({ phase: 'index', done: before - after })
      expect(answered.length).toBeGreaterThan(0)
      expect((await corpus.readSession({ sessionId: 'talk' })).events).toEqual(talk.events)
      expect((await corpus.searchEvents({ query: 'please' })).items).toHaveLength(1)
      expect(await corpus.compact()).toEqual({ before: after, after })
    })
  })
}

function many(): ReturnType<typeof session>[] {
  return Array.from({ length: 30 }, (_session, number) =>
    session(
      `s${number}`,
      Array.from({ length: 50 }, (_event, at) =>
        userMessage(`the shop ${number} ${at} word${number * 50 + at} ${'and more '.repeat(20)}`),
      ),
    ),
  )
}
