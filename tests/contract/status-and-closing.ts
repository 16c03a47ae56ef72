import { expect } from 'vitest'
import { session, userMessage } from '../fixtures/logs.ts'
import { refused, type Contract } from './contract.ts'
import { append, talk } from './logs.ts'

/** status. */
export function statusCases(contract: Contract): void {
  contract.topic('status', () => {
    contract.case('counts what is stored and what is open', async (corpus) => {
      await corpus.putSession(talk)
      const live = await corpus.sessions.create({ id: 'live' }, { persist: false })
      append(live, 'turn/start', {})
      await corpus.sessions.resume('talk')
      const status = await corpus.status()
      expect(status).toMatchObject({
        sessions: 1,
        events: 4,
        live: 2,
        issues: [],
        index: { state: 'ready', documents: 3 },
      })
      expect(status.storage.kind).toMatch(/^(opfs|memory)$/)
      expect(status.storage.logBytes).toBeGreaterThan(0)
      expect(status.storage.indexBytes).toBeGreaterThan(0)
    })

    contract.case('names the open session that cannot be read in full', async (corpus) => {
      const live = await corpus.sessions.create({ id: 'live' }, { persist: false })
      append(live, 'user/message', 'no message', { surfaceOp: 'append' })
      expect((await corpus.status()).issues).toEqual([
        { sessionId: 'live', code: 'SESSION_QUERY_CORRUPT_SESSION' },
      ])
    })

    contract.case('names the stored session that cannot be read in full', async (corpus) => {
      await corpus.putSession(session('s', [{ ...userMessage(''), data: 'no message' }]))
      expect((await corpus.status()).issues).toEqual([
        { sessionId: 's', code: 'SESSION_QUERY_CORRUPT_SESSION' },
      ])
    })
  })
}

/** close. */
export function closingCases(contract: Contract): void {
  contract.topic('closing', () => {
    contract.case('ends every later call, and can be repeated', async () => {
      const corpus = await contract.open()
      await corpus.putSession(talk)
      const live = await corpus.sessions.create({ id: 'live' })
      await Promise.all([corpus.close(), corpus.close()])
      await corpus[Symbol.asyncDispose]()
      for (const call of [
        corpus.listSessions(),
        corpus.readSession({ sessionId: 'talk' }),
        corpus.readSession({ sessionId: 'live' }),
        corpus.putSession(talk),
        corpus.status(),
        corpus.searchEvents({ query: 'shop' }),
        corpus.sessions.create(),
        corpus.sessions.resume('talk'),
      ]) {
        await refused(call, 'WORKER_FAILED', /closed/)
      }
      expect(live.id).toBe('live')
    })

    contract.case('ends the sessions that were open', async () => {
      const corpus = await contract.open()
      const live = await corpus.sessions.create({ id: 'live' })
      const passing = await corpus.sessions.create({ id: 'passing' }, { persist: false })
      await corpus.close()
      for (const ended of [live, passing]) {
        expect(() => append(ended, 'turn/start', {})).toThrow(
          expect.objectContaining({ code: 'SESSION_QUERY_WORKER_FAILED' }),
        )
      }
      expect(corpus.sessions.list()).toEqual([])
    })
  })
}
