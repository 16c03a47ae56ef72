import { expect } from 'vitest'
import { session } from '../fixtures/logs.ts'
import { refused, type Contract } from './contract.ts'
import { append, talk } from './logs.ts'

/** Options of a corpus, and reopen. */
export function optionCases(contract: Contract): void {
  contract.topic('options', () => {
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [{ readWindowMax: -1 }, /readWindowMax is -1; it has to be a whole number from 0/],
      [{ readWindowMax: '5' }, /readWindowMax is "5"/],
      [{ writeBatchMs: 0.5 }, /writeBatchMs is 0\.5/],
      [{ writeBatchMs: Number.NaN }, /writeBatchMs is/],
      [{ snippetChars: 0 }, /snippetChars is 0/],
      [{ defaultLimit: 0 }, /defaultLimit is 0/],
      [{ maxLimit: null }, /maxLimit is null/],
      [{ defaultLimit: 5, maxLimit: 4 }, /defaultLimit is 5; .*maxLimit, which is 4/],
      [{ windowMax: 5 }, /windowMax/],
      [5, /options are 5/],
      [null, /options are null/],
    ]
    for (const [options, message] of wrong) {
      contract.case(`that cannot be used are refused: ${JSON.stringify(options)}`, async () => {
        await refused(contract.open(options as never), 'INVALID_CONFIG', message)
      })
    }

    contract.case('that are undefined count as absent', async () => {
      const corpus = await contract.open({ readWindowMax: undefined as never })
      await corpus.putSession(session('s', [{}]))
      expect(await corpus.readEvent({ sessionId: 's', seq: 0, before: 50 })).toMatchObject({
        endSeq: 0,
      })
    })
  })

  contract.topic('reopening', () => {
    contract.case('is refused once the corpus is closed', async () => {
      const corpus = await contract.open()
      await corpus.close()
      await refused(corpus.reopen(), 'WORKER_FAILED', /closed/)
    })

    contract.case('keeps what is stored', async () => {
      const corpus = await contract.open()
      await corpus.putSession(talk)
      await corpus.reopen()
      expect((await corpus.readSession({ sessionId: 'talk' })).events).toEqual(talk.events)
    })

    contract.case('keeps what is open, and stores it', async () => {
      const corpus = await contract.open()
      const live = await corpus.sessions.create({ id: 'live' })
      append(live, 'of/test', { at: 0 })
      await live.flush()
      await corpus.reopen()
      append(live, 'of/test', { at: 1 })
      await live.close()
      expect((await corpus.readSession({ sessionId: 'live' })).events).toHaveLength(2)
    })

    contract.case('happens once when it is asked for twice', async () => {
      const corpus = await contract.open()
      await Promise.all([corpus.reopen(), corpus.reopen()])
      expect(await corpus.putSession(talk)).toMatchObject({ created: true })
    })
  })
}
