import { expect } from 'vitest'
import { userMessage } from '../fixtures/logs.ts'
import type { Contract } from './contract.ts'
import { append } from './logs.ts'

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resume) => {
    setTimeout(resume, milliseconds)
  })

/** flush and write-behind. */
export function durabilityCases(contract: Contract): void {
  contract.topic('durability', () => {
    contract.case('flush stores all that was appended', async (corpus) => {
      const live = await corpus.sessions.create({ id: 'live' })
      for (let at = 0; at < 1500; at += 1) append(live, 'step/start', { at })
      await live.flush()
      expect(await corpus.status()).toMatchObject({ sessions: 1, events: 1500, live: 1 })
      await live.flush()
      append(live, 'step/end', {})
      await Promise.all([live.flush(), live.flush()])
      expect(await corpus.status()).toMatchObject({ sessions: 1, events: 1501 })
      expect(await corpus.listSessions()).toMatchObject([{ live: true, persisted: true }])
    })

    contract.case('appends are stored within the time that was set, without a flush', async () => {
      const corpus = await contract.open({ writeBatchMs: 50 })
      const live = await corpus.sessions.create({ id: 'live' })
      append(live, 'turn/start', {})
      await stored(1)
      append(live, 'turn/end', {})
      append(live, 'turn/start', {})
      await stored(3)

      async function stored(events: number): Promise<void> {
        await expect
          .poll(async () => (await corpus.status()).events, { timeout: 2000, interval: 20 })
          .toBe(events)
      }
    })

    contract.case('a session is stored also when nothing was appended', async () => {
      const corpus = await contract.open({ writeBatchMs: 20 })
      await corpus.sessions.create({ id: 'live' })
      await expect
        .poll(async () => (await corpus.status()).sessions, { timeout: 2000, interval: 20 })
        .toBe(1)
    })

    contract.case('a search sees what was appended before it', async (corpus) => {
      const live = await corpus.sessions.create({ id: 'live' })
      append(live, 'user/message', userMessage('quicksilver').data ?? null, { surfaceOp: 'append' })
      expect((await corpus.searchEvents({ query: 'quicksilver' })).items).toHaveLength(1)
      expect((await corpus.searchSessions({ query: 'quicksilver' })).items).toMatchObject([
        { live: true, persisted: true },
      ])
    })

    contract.case('a session that is not persisted is never stored', async () => {
      const corpus = await contract.open({ writeBatchMs: 0 })
      const live = await corpus.sessions.create({ id: 'live' }, { persist: false })
      append(live, 'turn/start', {})
      await live.flush()
      await pause(50)
      expect(await corpus.status()).toMatchObject({ sessions: 0, events: 0, live: 1 })
      expect(await corpus.listSessions()).toMatchObject([{ live: true, persisted: false }])
    })
  })
}
