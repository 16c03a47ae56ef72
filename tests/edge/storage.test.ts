import * as published from 'session-query/edge'
import { describe, expect, it } from 'vitest'
import { openDurableCorpus, type DurableStorage } from '../../src/edge/index.ts'
import { append } from '../contract/logs.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { anew, inObject } from './in-object.ts'

const talk = session('talk', [userMessage('how do we deploy?')])

function namesIn({ sql }: DurableStorage): string[] {
  return Array.from(sql.exec('SELECT name FROM sqlite_schema').raw(), ([name]) => String(name))
}

describe('the storage of an object', () => {
  it('keeps what is in it beside the corpus', async () => {
    await inObject('beside', async (storage) => {
      storage.sql.exec('CREATE TABLE sessions (mine TEXT)')
      storage.sql.exec('INSERT INTO sessions VALUES (?1)', 'stays')
      const corpus = openDurableCorpus(storage)
      await corpus.putSession(talk)
      await corpus.searchEvents({ query: 'deploy' })
      await corpus.clear()
      expect(storage.sql.exec('SELECT mine FROM sessions').toArray()).toEqual([{ mine: 'stays' }])
      const others = namesIn(storage).filter((name) => !/session_query_default_|^_cf/.test(name))
      expect(others).toEqual(['sessions', 'sqlite_sequence'])
    })
  })

  it('holds several corpora by name', async () => {
    await inObject('several', async (storage) => {
      const [one, other] = [openDurableCorpus(storage), openDurableCorpus(storage, { name: 'other' })]
      await one.putSession(talk)
      expect(await other.listSessions()).toEqual([])
      expect((await other.searchEvents({ query: 'deploy' })).items).toEqual([])
      expect((await one.searchEvents({ query: 'deploy' })).items).toHaveLength(1)
    })
  })

  it('has one corpus of a name, however often it is opened', async () => {
    await inObject('one', async (storage) => {
      const sessions = Array.from({ length: 8 }, (_, at) =>
        session(
          `s${at}`,
          Array.from({ length: 400 }, (_event, seq) => userMessage(`word${at} event${seq}`)),
        ),
      )
      // As in a handler of requests that come side by side.
      const found = await Promise.all(
        sessions.map(async (log, at) => {
          await using corpus = openDurableCorpus(storage)
          await corpus.putSession(log)
          const { items } = await corpus.searchEvents({ query: `word${at} event399`, match: 'all' })
          return items.map(({ sessionId, seq }) => `${sessionId} ${seq}`)
        }),
      )
      expect(found).toEqual(sessions.map(({ header }) => [`${header.id} 399`]))
      const first = openDurableCorpus(storage, { name: 'Default' })
      const second = openDurableCorpus(storage)
      await first.close()
      await first.close()
      expect(await second.listSessions()).toHaveLength(8)
      await second.advanceIndex()
      expect((await second.status()).index).toEqual({ state: 'ready', documents: 3200 })
      // What one writes is found by another that has searched before.
      const third = openDurableCorpus(storage)
      expect((await third.searchEvents({ query: 'deploy' })).items).toEqual([])
      await second.putSession(talk)
      expect((await second.searchEvents({ query: 'deploy' })).items).toHaveLength(1)
      await second.deleteSession({ sessionId: 'talk' })
      await second.putSession(session('talk', [userMessage('entirely different')]))
      expect((await third.searchEvents({ query: 'entirely' })).items).toHaveLength(1)
      expect((await third.searchEvents({ query: 'deploy' })).items).toEqual([])
      await third.close()
      await second.close()
      await expect(second.listSessions()).rejects.toMatchObject({ code: 'SESSION_QUERY_WORKER_FAILED' })
    })
  })

  it('refuses other options for a corpus that is open', async () => {
    await inObject('options', async (storage) => {
      const corpus = openDurableCorpus(storage, { maxLimit: 50 })
      expect(() => openDurableCorpus(storage, { maxLimit: 60 })).toThrow(
        /^maxLimit is 60, and the corpus "default" of this object is open already with 50\.$/,
      )
      await corpus.close()
      await openDurableCorpus(storage, { maxLimit: 60 }).close()
    })
  })

  it('is opened again with what was stored, and what was indexed', async () => {
    await inObject('again', async (storage) => {
      const before = openDurableCorpus(storage)
      await before.putSession(talk)
      await before.advanceIndex()
      await before.close()
      await expect(before.listSessions()).rejects.toMatchObject({
        code: 'SESSION_QUERY_WORKER_FAILED',
      })
      const after = openDurableCorpus(storage, { openIndexAt: 'startup' })
      await expect
        .poll(async () => (await after.status()).index)
        .toEqual({ state: 'ready', documents: 1 })
      expect(await after.readSession({ sessionId: 'talk' })).toMatchObject({ events: talk.events })
    })
  })

  it('gets no index where search is ruled out', async () => {
    await inObject('never', async (storage) => {
      let behind = 0
      const onIndexBehind = (): void => void (behind += 1)
      const corpus = openDurableCorpus(storage, { openIndexAt: 'never', onIndexBehind })
      await corpus.putSession(talk)
      expect(await corpus.advanceIndex()).toBe(true)
      expect(behind).toBe(0)
      expect(namesIn(storage).filter((name) => name.includes('_index_'))).toEqual([])
    })
  })

  it('is left as it is when a newer version wrote it', async () => {
    await inObject('newer', async (storage) => {
      await openDurableCorpus(storage).putSession(talk)
      storage.sql.exec('UPDATE session_query_default_log_session_query SET version = 99')
      expect(() => openDurableCorpus(anew(storage))).toThrow(/has format 99/)
      const rows = storage.sql.exec('SELECT seq FROM session_query_default_log_events')
      expect(rows.toArray()).toEqual([{ seq: 0 }])
    })
  })

  it('may take back what was indexed within a transaction around it', async () => {
    await inObject('taken back', async (storage) => {
      const corpus = openDurableCorpus(storage)
      await corpus.putSession(talk)
      const search = async (): Promise<readonly unknown[]> =>
        (await corpus.searchEvents({ query: 'again' })).items
      expect(await search()).toEqual([])
      await corpus.putSession(session('more', [userMessage('deploy again')]))
      const around = storage.transaction(async () => {
        expect(await search()).toHaveLength(1)
        throw new Error('taken back')
      })
      await expect(around).rejects.toThrow('taken back')
      expect(await search()).toHaveLength(1)
    })
  })

  it('says which values are too long for it', async () => {
    await inObject('too long', async (storage) => {
      const corpus = openDurableCorpus(storage)
      const cwd = 'x'.repeat(2_200_000)
      await expect(corpus.putSession(session('long', [], { cwd }))).rejects.toMatchObject({
        code: 'SESSION_QUERY_PERSISTENCE_FAILED',
        message: expect.stringMatching(/cwd.* is longer than a column takes, which is 2 MB/),
      })
      expect(await corpus.listSessions()).toEqual([])
    })
  })

  it('gets an index anew that was damaged', async () => {
    await inObject('damaged', async (storage) => {
      const corpus = openDurableCorpus(storage)
      await corpus.putSession(talk)
      await corpus.searchEvents({ query: 'deploy' })
      storage.sql.exec('DROP TABLE session_query_default_index_words')
      expect((await corpus.searchEvents({ query: 'deploy' })).items).toHaveLength(1)
      expect((await corpus.status()).index).toEqual({ state: 'ready', documents: 1 })
    })
  })

  it('holds what is open and not stored only as long as that is so', async () => {
    await inObject('open', async (storage) => {
      const corpus = openDurableCorpus(storage)
      const live = await corpus.sessions.create({ id: 'live' }, { persist: false })
      append(live, 'user/message', userMessage('never stored').data, { surfaceOp: 'append' })
      expect((await corpus.searchEvents({ query: 'never' })).items).toMatchObject([{ seq: 0 }])
      const liveTables = (): string[] => namesIn(storage).filter((name) => name.includes('_live_'))
      expect(liveTables()).not.toEqual([])
      await live.close()
      await expect.poll(liveTables).toEqual([])
      const other = await corpus.sessions.create({ id: 'other' }, { persist: false })
      append(other, 'user/message', userMessage('never stored').data, { surfaceOp: 'append' })
      expect((await corpus.searchEvents({ query: 'never' })).items).toHaveLength(1)
      expect(liveTables()).not.toEqual([])
      const after = openDurableCorpus(anew(storage))
      expect(liveTables()).toEqual([])
      expect((await after.searchEvents({ query: 'never' })).items).toEqual([])
      expect(await after.listSessions()).toEqual([])
      const last = await after.sessions.create({ id: 'last' }, { persist: false })
      append(last, 'user/message', userMessage('never stored').data, { surfaceOp: 'append' })
      expect((await after.searchEvents({ query: 'never' })).items).toHaveLength(1)
      await after.close()
      expect(liveTables()).toEqual([])
    })
  })

  it.each([undefined, null, {}, { sql: {} }, 'storage'])('is refused when it is %j', (storage) => {
    expect(() => openDurableCorpus(storage as never)).toThrow(
      expect.objectContaining({ code: 'SESSION_QUERY_INVALID_CONFIG' }),
    )
  })

  it.each(['', 'a_b', 'a b', 'x'.repeat(33), 5])('is refused for the corpus %j', async (name) => {
    await inObject('names', async (storage) => {
      expect(() => openDurableCorpus(storage, { name: name as string })).toThrow(/^name is/)
    })
  })
})

describe('the published entry', () => {
  it('is the same', async () => {
    expect(Object.keys(published)).toEqual([
      'SessionCorpusObject',
      'SessionQueryError',
      'corpusFor',
      'isSessionQueryError',
      'openDurableCorpus',
    ])
    await inObject('published', async (storage) => {
      const corpus = published.openDurableCorpus(storage)
      await corpus.putSession(talk)
      expect((await corpus.searchEvents({ query: 'deploy' })).items).toHaveLength(1)
    })
  })
})
