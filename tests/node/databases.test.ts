import { describe, expect, it } from 'vitest'
import type { SessionStore } from '../../src/core/corpus.ts'
import { resolveOptions } from '../../src/core/options.ts'
import { createStore } from '../../src/sql/create-store.ts'
import type { SqlDatabase } from '../../src/sql/database.ts'
import { logSchema, openSchema } from '../../src/sql/schema.ts'
import { loadSqlite, openMemoryDatabase } from '../../worker/sqlite.ts'
import { storeThread } from '../../worker/store-thread.ts'
import { storeAsItIs } from '../conformance/store-as-it-is.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { lasting as lastingDatabase } from './lasting.ts'

const sqlite = await loadSqlite()

const lasting = (): SqlDatabase => lastingDatabase(openMemoryDatabase(sqlite))

function corpusOver(log: SqlDatabase, index: SqlDatabase): SessionStore {
  return createStore({
    log,
    index,
    storage: { kind: 'memory' },
    options: resolveOptions({}),
    thread: storeThread(sqlite),
  })
}

async function findings(corpus: SessionStore): Promise<string[]> {
  return (await corpus.searchEvents({ query: 'shop' })).items.map(
    (item) => `${item.sessionId}#${item.seq}`,
  )
}

const first = session('first', [userMessage('the shop')])
const second = session('second', [userMessage('a shop'), userMessage('another')])

describe('the log database', () => {
  it('is marked as ours, with its version', async () => {
    const log = lasting()
    await corpusOver(log, lasting()).close()
    expect(log.query('PRAGMA application_id')).toEqual([[0x53514c67]])
    expect(log.query('PRAGMA user_version')).toEqual([[2]])
    expect(log.query('SELECT application, version FROM session_query')).toEqual([
      ['session-query/log', 2],
    ])
  })

  it.each([
    ['another application by its tables', 'CREATE TABLE notes (text)', /another application.*notes/],
    ['another application by its mark', 'PRAGMA application_id = 77', /another application \(id 77/],
    [
      'another table of our name',
      'CREATE TABLE session_query (application, version)',
      /another application/,
    ],
  ])('is refused and not touched when it belongs to %s', (_name, statement, message) => {
    const log = lasting()
    log.query(statement)
    const before = log.query('SELECT * FROM sqlite_schema')
    expect(() => corpusOver(log, lasting())).toThrow(
      expect.objectContaining({
        code: 'SESSION_QUERY_PERSISTENCE_FAILED',
        message: expect.stringMatching(message),
      }),
    )
    expect(log.query('SELECT * FROM sqlite_schema')).toEqual(before)
  })

  it('is refused when it is of a newer version', async () => {
    const log = lasting()
    await corpusOver(log, lasting()).close()
    log.query('UPDATE session_query SET version = 3')
    expect(() => corpusOver(log, lasting())).toThrow(
      /has format 3; this version of session-query reads format 2 and older ones. It was left as it is/,
    )
  })
})

describe('the search index', () => {
  it('catches up with what was written while it was away', async () => {
    const [log, index] = [lasting(), lasting()]
    const before = corpusOver(log, index)
    await before.putSession(first)
    await before.putSession(second)
    await before.close()
    const without = corpusOver(log, lasting())
    await without.deleteSession({ sessionId: 'first' })
    await without.appendEvents({
      sessionId: 'second',
      events: [{ type: 'user/message', seq: 2, time: 9, ...userMessage('shop, later') } as never],
    })
    await without.close()
    const after = corpusOver(log, index)
    expect((await findings(after)).toSorted()).toEqual(['second#0', 'second#2'])
    expect((await after.status()).index).toEqual({ state: 'ready', documents: 3 })
  })

  it.each([
    ['of another log', "UPDATE session_query SET identity = 'other'"],
    ['of another version', 'UPDATE session_query SET version = 99'],
    ['without its documents', 'DROP TABLE documents'],
    ['without its words', 'DROP TABLE words'],
  ])('is built anew when it is %s', async (_name, damage) => {
    const [log, index] = [lasting(), lasting()]
    const before = corpusOver(log, index)
    await before.putSession(first)
    await before.close()
    index.query(damage)
    expect(await findings(corpusOver(log, index))).toEqual(['first#0'])
  })

  it('is built anew when it is found damaged at work, and writes go on meanwhile', async () => {
    const [log, index] = [lasting(), lasting()]
    const corpus = corpusOver(log, index)
    await corpus.putSession(first)
    index.query('DROP TABLE documents')
    expect(await corpus.putSession(second)).toMatchObject({ created: true })
    expect(await findings(corpus)).toEqual(['first#0', 'second#0'])
  })

  it('is not touched when it belongs to something else; reads go on', async () => {
    const index = lasting()
    index.query('CREATE TABLE notes (text)')
    const corpus = corpusOver(lasting(), index)
    await corpus.putSession(first)
    await expect(corpus.searchEvents({ query: 'shop' })).rejects.toMatchObject({
      code: 'SESSION_QUERY_INDEX_FAILED',
    })
    expect((await corpus.readSession({ sessionId: 'first' })).events).toEqual(first.events)
    expect((await corpus.status()).index.state).toBe('failed')
    expect(index.query('SELECT name FROM sqlite_schema')).toEqual([['notes']])
  })

  it('leaves out a stored log that does not fold, and status names it', async () => {
    const log = lasting()
    openSchema(log, logSchema)
    storeAsItIs(log, session('bent', [userMessage('shop'), { ...userMessage('shop'), seq: 7 }]))
    storeAsItIs(log, first)
    const corpus = corpusOver(log, lasting())
    expect(await findings(corpus)).toEqual(['first#0'])
    expect((await corpus.status()).issues).toEqual([
      { sessionId: 'bent', code: 'SESSION_QUERY_INVALID_SURFACE' },
    ])
    expect(await corpus.listSessions()).toHaveLength(2)
    expect((await corpus.readEvent({ sessionId: 'bent', seq: 7 })).target.seq).toBe(7)
    await expect(corpus.listEvents({ sessionId: 'bent' })).rejects.toMatchObject({
      code: 'SESSION_QUERY_INVALID_SURFACE',
    })
  })
})

describe('columns of numbers', () => {
  const counting = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)'

  it('come in the order of the rows, each as query gives it', () => {
    const db = lasting()
    const values = [3, -1, 0.5, 2 ** 53 - 1, 1e300]
    const sql = 'SELECT value, -value FROM json_each(?1) ORDER BY id DESC'
    const given = [JSON.stringify(values)]
    expect(db.columns(sql, given)).toEqual([
      values.toReversed(),
      values.toReversed().map((value) => -value),
    ])
    expect(db.query(sql, given)).toEqual(values.toReversed().map((value) => [value, -value]))
    expect(db.columns(sql, ['[]'])).toEqual([[], []])
  })

  it('fail as a statement fails, and can be asked for again', () => {
    const db = lasting()
    const sql = `${counting} SELECT iif(i < 3, i, json('{')) FROM n`
    expect(() => db.columns(sql, [3])).toThrow(
      expect.objectContaining({ code: 'SESSION_QUERY_PERSISTENCE_FAILED', reason: 'failed' }),
    )
    expect(db.columns(sql, [2])).toEqual([[1, 2]])
  })

  it('can be interrupted', () => {
    const db = lasting()
    const sql = `${counting} SELECT i FROM n`
    expect(() =>
      db.interruptible(
        () => true,
        () => db.columns(sql, [1e6]),
      ),
    ).toThrow(expect.objectContaining({ code: 'SESSION_QUERY_TIMEOUT' }))
    expect(db.columns(sql, [2])).toEqual([[1, 2]])
  })
})
