import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { SessionCorpus, SessionStore } from '../../src/core/corpus.ts'
import { resolveOptions } from '../../src/core/options.ts'
import type { SessionLog } from '../../src/core/session.ts'
import { createLogicalCorpus } from '../../src/live/logical-corpus.ts'
import { createStore } from '../../src/sql/create-store.ts'
import type { SqlDatabase } from '../../src/sql/database.ts'
import { logSchema, openSchema } from '../../src/sql/schema.ts'
import { openMemoryCorpus, processEnvironment } from '../../worker/in-process.ts'
import { loadSqlite, openMemoryDatabase } from '../../worker/sqlite.ts'
import { storeThread } from '../../worker/store-thread.ts'
import { storeAsItIs } from '../conformance/store-as-it-is.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { databaseOfBytes } from './database-of-bytes.ts'
import { formerShapes, logs as formerLogs, makeFormer } from './former-logs.ts'
import { lasting } from './lasting.ts'
import { refusedFiles } from './refused-files.ts'

const sqlite = await loadSqlite()
const options = resolveOptions({})

/** A database of which every byte can be looked at, and one that is made of bytes. */
function fileOf(given?: Uint8Array): { readonly db: SqlDatabase; readonly bytes: () => Buffer } {
  const { db, bytes } = databaseOfBytes(given)
  db.query('PRAGMA secure_delete = on')
  return { db: lasting(db), bytes: () => Buffer.from(bytes()) }
}

function storeOver(log: SqlDatabase, index: SqlDatabase = openMemoryDatabase(sqlite)): SessionStore {
  const storage = { kind: 'memory' } as const
  return createStore({ log, index, storage, options, thread: storeThread(sqlite) })
}

function corpusOver(log: SqlDatabase, index?: SqlDatabase): SessionCorpus {
  const store = storeOver(log, index)
  return createLogicalCorpus({ store, environment: processEnvironment, options }).corpus
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.from(await new Response(stream).arrayBuffer())
}

const canary = 'zyxwvutqux'
const talk = session('talk', [userMessage('deploy the shop'), userMessage('now')], { cwd: '/shop' })

async function exportedFile(): Promise<Buffer> {
  const { db } = fileOf()
  const corpus = corpusOver(db)
  await corpus.putSession(session('gone', [userMessage(canary)]))
  await corpus.putSession(talk)
  await corpus.deleteSession({ sessionId: 'gone' })
  return bytesOf(await corpus.exportDatabase())
}

const wordy = (word: string): SessionLog =>
  session(word, [
    userMessage('first'),
    ...Array.from({ length: 40 }, () => userMessage(word.repeat(1000))),
  ])

describe('an exported file', () => {
  it('is one SQLite database that is complete by itself, marked as ours', async () => {
    const file = await exportedFile()
    expect(file.toString('latin1', 0, 15)).toBe('SQLite format 3')
    expect([file[18], file[19]]).toEqual([1, 1])
    const { db } = fileOf(file)
    expect(db.query('PRAGMA integrity_check')).toEqual([['ok']])
    expect(db.query('PRAGMA application_id')).toEqual([[logSchema.applicationId]])
    expect(db.query('PRAGMA user_version')).toEqual([[logSchema.version]])
    expect(db.query('PRAGMA page_count')).toEqual([[file.length / 8192]])
    expect(db.query('SELECT application, version FROM session_query')).toEqual([
      [logSchema.application, logSchema.version],
    ])
    expect(db.query('SELECT id, length, cwd FROM sessions')).toEqual([['talk', 2, '/shop']])
    expect(file.includes(canary)).toBe(false)
  })

  const program = found('sqlite3')
  it.skipIf(program === undefined)(
    'opens with the program of SQLite (skipped where there is none)',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'session-query-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const path = join(folder, 'log.sqlite3')
      writeFileSync(path, await exportedFile())
      const asked = (sql: string): string =>
        execFileSync(program ?? '', ['-readonly', path, sql], { encoding: 'utf8' }).trim()
      expect(asked('PRAGMA journal_mode; PRAGMA integrity_check; SELECT count(*) FROM events')).toBe(
        'delete\nok\n2',
      )
    },
  )

  it('becomes a corpus where it is put in the place of a log', async () => {
    const store = storeOver(fileOf(await exportedFile()).db)
    expect((await store.searchEvents({ query: 'shop' })).items).toMatchObject([{ sessionId: 'talk' }])
    expect(await store.putSession(session('new', []))).toMatchObject({ created: true })
  })
})

describe('a damaged log', () => {
  it('gives what can be read, names the rest, and is not changed', async () => {
    const { db, bytes } = fileOf()
    const intact = corpusOver(db)
    for (const word of ['one', 'two', 'three']) await intact.putSession(wordy(word))
    const damaged = bytes()
    // The page itself, not only what stands on it.
    const at = damaged.indexOf('two'.repeat(100), damaged.length / 2)
    damaged.fill(0xff, at - (at % 8192), at - (at % 8192) + 8192)
    const broken = fileOf(damaged)
    const corpus = corpusOver(broken.db)
    await expect(corpus.readSession({ sessionId: 'two' })).rejects.toMatchObject({ reason: 'corrupt' })
    const before = broken.bytes()
    const exported = await corpus.exportDatabase()
    expect(exported.skipped).toMatchObject([
      {
        sessionId: 'two',
        code: 'SESSION_QUERY_CORRUPT_SESSION',
        message: expect.stringMatching(/"two": only \d+ of its 41 events can be read/),
      },
    ])
    const file = await bytesOf(exported)
    expect(broken.bytes().equals(before)).toBe(true)

    await using into = await openMemoryCorpus()
    const result = await into.importDatabase(file)
    expect(result).toMatchObject({ sessions: 3, created: 3, events: exported.events, refused: [] })
    expect(exported.events).toBeLessThan(123)
    for (const word of ['one', 'three']) {
      expect((await into.readSession({ sessionId: word })).events).toEqual(wordy(word).events)
    }
    expect((await into.readEvent({ sessionId: 'two', seq: 0 })).target).toEqual(wordy('two').events[0])
    expect(await into.importDatabase(file)).toMatchObject({ unchanged: 3, refused: [] })
  })

  it('whose headers cannot be read names the sessions by their index', async () => {
    const { db, bytes } = fileOf()
    const intact = corpusOver(db)
    for (let at = 0; at < 20; at += 1) {
      await intact.putSession(session(`s${at}`, [userMessage('x')], { origin: 'o'.repeat(3000) }))
    }
    const damaged = bytes()
    const at = damaged.lastIndexOf('"s9"')
    damaged.fill(0xff, at - (at % 8192), at - (at % 8192) + 8192)
    const corpus = corpusOver(fileOf(damaged).db)
    expect((await corpus.status()).storage.damaged).toBe(true)
    await expect(corpus.listSessions()).rejects.toMatchObject({ reason: 'corrupt' })
    expect((await corpus.readSession({ sessionId: 's19' })).events).toHaveLength(1)
    const exported = await corpus.exportDatabase()
    const lost = exported.skipped.map(({ sessionId }) => sessionId)
    expect(lost).toContain('s9')
    expect(exported.sessions).toBe(20 - lost.length)
    expect(exported.skipped[0]?.message).toMatch(/its header cannot be read/)
    expect(await (await openMemoryCorpus()).importDatabase(exported)).toMatchObject({
      created: exported.sessions,
    })
  })
})

describe('an imported file', () => {
  it.each(formerShapes)('may be a log of %s', async (...shape) => {
    const raw = fileOf()
    makeFormer(raw.db, shape)
    await using corpus = await openMemoryCorpus()
    expect(await corpus.importDatabase(raw.bytes())).toMatchObject({
      created: formerLogs.length,
      refused: [],
    })
    for (const { header, events } of formerLogs) {
      const read = await corpus.readSession({ sessionId: header.id })
      expect(JSON.stringify(read)).toBe(JSON.stringify({ session: header, events }))
    }
  })

  it('may be the copy of a log in WAL mode', async () => {
    const { db, bytes } = fileOf()
    await storeOver(db).putSession(talk)
    const file = bytes()
    file.fill(2, 18, 20)
    await using corpus = await openMemoryCorpus()
    expect(await corpus.importDatabase(file)).toMatchObject({ created: 1 })
  })

  it.each(refusedFiles)(
    'is refused when it is %s, and nothing is changed',
    async (_name, statement, reason, message) => {
      const { db, bytes } = fileOf()
      await storeOver(db).putSession(talk)
      db.query(statement)
      const target = fileOf()
      const corpus = corpusOver(target.db)
      const before = target.bytes()
      await expect(corpus.importDatabase(bytes())).rejects.toMatchObject({
        code: 'SESSION_QUERY_PERSISTENCE_FAILED',
        reason,
        message: expect.stringMatching(message),
      })
      expect(target.bytes().equals(before)).toBe(true)
    },
  )

  it('brings logs as they are that do not fold, once', async () => {
    const { db, bytes } = fileOf()
    openSchema(db, logSchema)
    const bent = session('bent', [
      ...Array.from({ length: 700 }, (_, at) => userMessage(`shop ${at}`)),
      { ...userMessage('shop'), seq: 7 },
      { ...userMessage('shop'), seq: 7 },
    ])
    storeAsItIs(db, bent)
    storeAsItIs(db, talk)
    storeAsItIs(db, session('torn', [userMessage('a'), userMessage('b')]))
    db.query(`UPDATE events SET event = '{broken' WHERE session = 3 AND seq = 1`)
    storeAsItIs(db, session('headless', [userMessage('a')], { cwd: '/here' }))
    db.query(`UPDATE sessions SET header = 'broken' WHERE session = 4`)
    const file = bytes()
    const store = storeOver(fileOf().db)
    const corpus = createLogicalCorpus({ store, environment: processEnvironment, options }).corpus
    expect(await corpus.importDatabase(file)).toMatchObject({ created: 4, refused: [] })
    expect((await store.readLog({ sessionId: 'bent' })).events).toEqual(bent.events)
    expect((await corpus.readEvent({ sessionId: 'torn', seq: 0 })).target.seq).toBe(0)
    const [headless] = await corpus.filterSessions({ filters: [{ kind: 'cwd', values: ['/here'] }] })
    expect(headless?.header).toEqual({ version: 0, id: 'headless', createdAt: 1000, cwd: '/here' })
    await corpus.searchEvents({ query: 'deploy' })
    expect((await corpus.status()).issues.map(({ sessionId }) => sessionId).toSorted()).toEqual([
      'bent',
      'headless',
      'torn',
    ])
    expect(await corpus.importDatabase(file)).toMatchObject({ unchanged: 4, events: 0, refused: [] })
    const again = await bytesOf(await corpus.exportDatabase())
    await using third = await openMemoryCorpus()
    expect(await third.importDatabase(again)).toMatchObject({ created: 4 })
  })

  it('does not go on with a log that would not fold then', async () => {
    const { db, bytes } = fileOf()
    openSchema(db, logSchema)
    storeAsItIs(db, session('s', [userMessage('a'), { ...userMessage('b'), seq: 7 }]))
    await using corpus = await openMemoryCorpus()
    await corpus.putSession(session('s', [userMessage('a')]))
    expect((await corpus.importDatabase(bytes())).refused).toMatchObject([
      { sessionId: 's', code: 'SESSION_QUERY_INVALID_SURFACE' },
    ])
    expect((await corpus.readSession({ sessionId: 's' })).events).toHaveLength(1)
  })

  it('that was half taken in when everything ended is gone on with', async () => {
    await using from = await openMemoryCorpus()
    const long = session(
      'long',
      Array.from({ length: 3000 }, (_, at) => userMessage(`shop ${at}`)),
    )
    await from.putSession(long)
    const file = await bytesOf(await from.exportDatabase())
    const log = fileOf().db
    const first = storeOver(log)
    await first.beginImport({ work: 'w' })
    await first.writeImport({ work: 'w', offset: 0, bytes: file })
    for (let step = 0; step < 4; step += 1) await first.mergeImport({ work: 'w', open: [] })
    for (let events = 0; events === 0; events = (await first.status()).events) {
      await first.mergeImport({ work: 'w', open: [] })
    }
    await first.close()
    const corpus = corpusOver(log)
    expect((await corpus.status()).events).toBeLessThan(3000)
    expect(await corpus.importDatabase(file)).toMatchObject({ continued: 1, refused: [] })
    expect((await corpus.readSession({ sessionId: 'long' })).events).toEqual(long.events)
    expect((await corpus.searchEvents({ query: '2999' })).items).toHaveLength(1)
  })
})

describe('what is cleared', () => {
  it('is nowhere in the files', async () => {
    const [log, index] = [fileOf(), fileOf()]
    const corpus = corpusOver(log.db, index.db)
    await corpus.putSession(session(canary, [userMessage(canary)], { cwd: canary }))
    await corpus.putSession(talk)
    await corpus.searchEvents({ query: canary })
    const identity = log.db.query('SELECT identity FROM session_query')
    expect([log, index].map(({ bytes }) => bytes().includes(canary.slice(2)))).toEqual([true, true])
    await corpus.clear()
    expect([log, index].map(({ bytes }) => bytes().includes(canary.slice(2)))).toEqual([false, false])
    expect(log.db.query('SELECT identity FROM session_query')).not.toEqual(identity)
    expect(log.db.query('PRAGMA freelist_count')).toEqual([[0]])
    expect(log.db.query('PRAGMA integrity_check')).toEqual([['ok']])
  })

  it('is gone on with when everything ended in the midst of it', async () => {
    const log = fileOf()
    const first = storeOver(log.db)
    for (let at = 0; at < 3; at += 1) {
      await first.putSession(
        session(
          `s${at}`,
          Array.from({ length: 600 }, () => userMessage(canary)),
        ),
      )
    }
    expect(await first.clearStep({ goOn: false })).toMatchObject({ finished: false })
    await first.putSession(talk)
    expect(await first.clearStep({ goOn: false })).toMatchObject({ removed: ['talk'] })
    await first.putSession(talk)
    await first.close()
    expect(log.bytes().includes(canary)).toBe(true)
    const second = storeOver(log.db)
    await expect.poll(() => log.bytes().includes(canary)).toBe(false)
    expect(await second.listSessions()).toMatchObject([{ header: talk.header }])
    expect(log.db.query(`SELECT name FROM sqlite_schema WHERE name LIKE 'removed%'`)).toEqual([])
  })
})

it('a log from before free pages could be given back is written anew by compacting', async () => {
  const log = fileOf()
  makeFormer(log.db, formerShapes[1])
  expect(log.db.query('PRAGMA auto_vacuum')).toEqual([[0]])
  const corpus = corpusOver(log.db)
  await corpus.putSession(session('large', [userMessage('x'.repeat(1_000_000))]))
  await corpus.deleteSession({ sessionId: 'large' })
  expect(log.bytes().length).toBeGreaterThan(1_000_000)
  await corpus.compact()
  expect(log.bytes().length).toBeLessThan(200_000)
  expect(log.db.query('PRAGMA auto_vacuum')).toEqual([[2]])
  expect((await corpus.listSessions()).length).toBe(formerLogs.length)
})

/** Where a program is; undefined where it is not. */
function found(program: string): string | undefined {
  try {
    return execFileSync('which', [program], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}
