import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isSessionQueryError } from '../../src/core/errors.ts'
import type { SessionCorpus } from '../../src/core/corpus.ts'
import type { SessionLog } from '../../src/core/session.ts'
import { removeReceived } from '../../src/edge/received-file.ts'
import { logSchema, openSchema } from '../../src/sql/schema.ts'
import { openMemoryCorpus } from '../../worker/in-process.ts'
import { storeAsItIs } from '../conformance/store-as-it-is.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { formerShapes, makeFormer } from '../node/former-logs.ts'
import { headers, logs } from '../node/generated.ts'
import { refusedFiles } from '../node/refused-files.ts'
import { openHost, type Host } from './one-database.ts'
import { sqliteFile } from './sqlite-files.ts'

const canary = 'zyxwvutqux'
const talk = session('talk', [userMessage('deploy the shop'), userMessage('now')], { cwd: '/shop' })
const title = (text: string): object => ({
  type: 'session/title',
  data: { title: text, messageSeqs: [], source: { kind: 'user' } },
})
/** Longer than a column of the host. */
const long = session(
  'long',
  [
    userMessage('ü'.repeat(30_000)),
    userMessage('short'),
    userMessage('x😀'.repeat(20_000)),
    title('Long'),
  ],
  { origin: 'o'.repeat(12_000) },
)
const many = (count: number, name = 'many'): SessionLog =>
  session(
    name,
    Array.from({ length: count }, (_, at) => userMessage(`row ${at} `.repeat(at % 40))),
  )

const wordy = (word: string): SessionLog =>
  session(
    word,
    Array.from({ length: 40 }, () => userMessage(word.repeat(1000))),
  )

function host(): Host {
  return openHost(sqliteFile().db)
}

async function memory(): Promise<SessionCorpus> {
  const corpus = await openMemoryCorpus()
  onTestFinished(() => corpus.close())
  return corpus
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.from(await new Response(stream).arrayBuffer())
}

async function expectSame(corpus: SessionCorpus, expected: readonly SessionLog[]): Promise<void> {
  expect(await corpus.listSessions()).toHaveLength(expected.length)
  for (const { header, events } of expected) {
    const read = await corpus.readSession({ sessionId: header.id })
    expect(JSON.stringify(read)).toBe(JSON.stringify({ session: header, events }))
  }
}

function tables(of: Host): string[] {
  return of.log
    .query(`SELECT name FROM sqlite_schema WHERE name LIKE 'log\\_received%' ESCAPE '\\'`)
    .map(([name]) => String(name))
}

describe('a file from a host with one database', () => {
  it('is the one that a browser makes, table for table', async () => {
    const all = [
      talk,
      long,
      many(1500),
      session('empty', []),
      session('titled', [title('A'), title('B')]),
    ]
    const { corpus } = host()
    const other = await memory()
    for (const log of all) {
      await corpus.putSession(log)
      await other.putSession(log)
    }
    const exported = await corpus.exportDatabase()
    expect(exported).toMatchObject({ sessions: 5, events: 1508, skipped: [] })
    const bytes = await bytesOf(exported)
    expect(bytes.length).toBe(exported.size)
    const { db } = sqliteFile(bytes)
    const { db: browser } = sqliteFile(await bytesOf(await other.exportDatabase()))
    expect(db.query('PRAGMA integrity_check')).toEqual([['ok']])
    for (const sql of [
      'PRAGMA application_id',
      'PRAGMA user_version',
      'PRAGMA page_size',
      'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name',
      'SELECT application, version, length(identity) FROM session_query',
      'SELECT * FROM sessions ORDER BY session',
      'SELECT * FROM events ORDER BY id',
      'SELECT * FROM sqlite_sequence',
      `SELECT session, id FROM events INDEXED BY titles WHERE type = 'session/title' ORDER BY session, id`,
      'SELECT seq, id FROM events INDEXED BY events_by_seq WHERE session = 3 AND seq > 700 ORDER BY seq',
      `SELECT session FROM sessions WHERE id = 'long'`,
    ]) {
      expect(db.query(sql)).toEqual(browser.query(sql))
    }
    const into = await memory()
    expect(await into.importDatabase(bytes)).toMatchObject({ created: 5, refused: [] })
    await expectSame(into, all)
  })

  it('of nothing holds nothing', async () => {
    const { corpus } = host()
    const bytes = await bytesOf(await corpus.exportDatabase())
    expect(sqliteFile(bytes).db.query('PRAGMA integrity_check')).toEqual([['ok']])
    expect(await (await memory()).importDatabase(bytes)).toMatchObject({ sessions: 0, refused: [] })
    expect(await corpus.importDatabase(bytes)).toMatchObject({ sessions: 0, refused: [] })
  })

  it('holds what any log holds, out and in', async () => {
    await fc.assert(
      fc.asyncProperty(headers, logs, async (some, log) => {
        const all = [log, ...some.map((header) => ({ header, events: [] }))].filter(
          ({ header }, at) => at === 0 || header.id !== log.header.id,
        )
        const [first, second, third] = [openHost(sqliteFile().db, 40), await openMemoryCorpus(), host()]
        for (const one of all) await first.corpus.putSession(one)
        const bytes = await bytesOf(await first.corpus.exportDatabase())
        expect(sqliteFile(bytes).db.query('PRAGMA integrity_check')).toEqual([['ok']])
        expect(await second.importDatabase(bytes)).toMatchObject({ created: all.length, refused: [] })
        await expectSame(second, all)
        expect(await third.corpus.importDatabase(await second.exportDatabase())).toMatchObject({
          created: all.length,
          refused: [],
        })
        await expectSame(third.corpus, all)
        await second.close()
      }),
      { numRuns: 30 },
    )
  })

  it('has nothing of what was deleted', async () => {
    const { corpus } = host()
    await corpus.putSession(talk)
    await corpus.putSession(session(canary, [userMessage(canary), title(canary)], { cwd: canary }))
    await corpus.deleteSession({ sessionId: canary })
    await corpus.putSession(long)
    expect((await bytesOf(await corpus.exportDatabase())).includes(canary)).toBe(false)
  })

  it('has nothing of what was deleted while its pages were counted', async () => {
    const { store } = host()
    for (const log of [talk, many(3000), session('gone', [userMessage(canary)])])
      await store.putSession(log)
    await store.beginExport({ work: 'w' })
    for (let step = 0; step < 6; step += 1) await store.copyForExport({ work: 'w' })
    await store.deleteSession({ sessionId: 'gone' })
    // It takes the place of the one that is gone, and was not there when the file was begun.
    await store.putSession(session('later', [userMessage(`${canary} later`)]))
    let { done, content } = await store.copyForExport({ work: 'w' })
    while (content === undefined) {
      const step = await store.copyForExport({ work: 'w' })
      expect(step.done).toBeGreaterThanOrEqual(done)
      ;({ done, content } = step)
    }
    expect(content).toMatchObject({ sessions: 2, events: 3002, skipped: [] })
    const pieces: Uint8Array[] = []
    for (let offset = 0; offset < content.size; offset += pieces.at(-1)?.length ?? 0) {
      pieces.push((await store.readExport({ work: 'w', offset })).bytes)
    }
    const bytes = Buffer.concat(pieces)
    expect(bytes.includes(canary)).toBe(false)
    const { db } = sqliteFile(bytes)
    expect(db.query('PRAGMA integrity_check')).toEqual([['ok']])
    expect(db.query('SELECT id FROM sessions ORDER BY session')).toEqual([['talk'], ['many']])
  })

  it('is as it was when it was begun, whatever is written meanwhile', async () => {
    const { store } = host()
    await store.putSession(talk)
    await store.putSession(many(2500))
    await store.beginExport({ work: 'w' })
    const more = async (seq: number): Promise<void> => {
      const [, , event] = session('talk', [
        ...talk.events,
        userMessage(`more ${seq}`),
        title('T'),
      ]).events
      if (event !== undefined)
        await store.appendEvents({ sessionId: 'talk', events: [{ ...event, seq }] })
    }
    let content = (await store.copyForExport({ work: 'w' })).content
    for (let seq = 2; content === undefined; seq += 1) {
      await more(seq)
      content = (await store.copyForExport({ work: 'w' })).content
    }
    await store.putSession(session('new', [title('new')]))
    await store.deleteSession({ sessionId: 'new' })
    const pieces = [(await store.readExport({ work: 'w', offset: 0 })).bytes]
    await more((await store.readLog({ sessionId: 'talk' })).events.length)
    for (
      let offset = pieces[0]?.length ?? 0;
      offset < content.size;
      offset += pieces.at(-1)?.length ?? 0
    ) {
      pieces.push((await store.readExport({ work: 'w', offset })).bytes)
    }
    const { db } = sqliteFile(Buffer.concat(pieces))
    expect(db.query('PRAGMA integrity_check')).toEqual([['ok']])
    expect(db.query('SELECT id, length FROM sessions ORDER BY session')).toEqual([
      ['talk', 2],
      ['many', 2500],
    ])
    expect(db.query('SELECT count(*) FROM events')).toEqual([[2502]])
  })

  it('is read from its beginning to its end; the last piece can be had again', async () => {
    const { store } = host()
    await store.putSession(
      session(
        's',
        Array.from({ length: 30 }, () => userMessage('x'.repeat(100_000))),
      ),
    )
    await store.beginExport({ work: 'w' })
    let content = (await store.copyForExport({ work: 'w' })).content
    while (content === undefined) content = (await store.copyForExport({ work: 'w' })).content
    const read = async (offset: number): Promise<Uint8Array> =>
      (await store.readExport({ work: 'w', offset })).bytes
    await expect(read(8192)).rejects.toMatchObject({
      message: expect.stringMatching(/comes next is at 0,/),
    })
    const first = await read(0)
    expect(first.length).toBeLessThan(content.size)
    const second = await read(first.length)
    expect(await read(first.length)).toEqual(second)
    await expect(read(0)).rejects.toMatchObject({ code: 'SESSION_QUERY_PERSISTENCE_FAILED' })
    let offset = first.length + second.length
    for (let piece = await read(offset); piece.length > 0; piece = await read(offset))
      offset += piece.length
    expect(offset).toBe(content.size)
    expect(await read(offset)).toHaveLength(0)
  })

  it('that could not be read on does not seem to have ended', async () => {
    const of = host()
    await of.corpus.putSession(many(3000))
    const reader = (await of.corpus.exportDatabase()).getReader()
    const failure = new Error('the database went away')
    of.watch = () => {
      throw failure
    }
    const ending = (async () => {
      for (let step = await reader.read(); !step.done; step = await reader.read());
    })()
    await expect(ending).rejects.toBe(failure)
  })

  it('costs no row', async () => {
    const of = host()
    await of.corpus.putSession(many(1000))
    const written: string[] = []
    of.watch = (sql) => {
      if (!/^\s*SELECT/.test(sql)) written.push(sql)
    }
    await bytesOf(await of.corpus.exportDatabase())
    expect(written).toEqual([])
  })
})

describe('a host with one database', () => {
  it('takes in a file of a browser, and leaves nothing of it behind', async () => {
    const from = await memory()
    const all = [talk, long, many(1500)]
    for (const log of all) await from.putSession(log)
    // More than fits a row of the host.
    await from.putSession(
      session(
        'wide',
        Array.from({ length: 40 }, () => userMessage('y'.repeat(100_000))),
      ),
    )
    const bytes = await bytesOf(await from.exportDatabase())
    expect(bytes.length).toBeGreaterThan(4_000_000)
    const of = host()
    const rows: string[] = []
    of.watch = (sql) => {
      if (sql.startsWith('INSERT INTO {received')) rows.push(sql)
    }
    expect(await of.corpus.importDatabase(bytes)).toMatchObject({ created: 4, refused: [] })
    expect(rows).toHaveLength(Math.floor(bytes.length / 2 ** 20))
    expect(tables(of)).toEqual([])
    expect((await of.corpus.readSession({ sessionId: 'long' })).events).toEqual(long.events)
    expect(await of.corpus.importDatabase(bytes)).toMatchObject({ unchanged: 4, refused: [] })
    const back = await memory()
    expect(await back.importDatabase(await of.corpus.exportDatabase())).toMatchObject({ created: 4 })
    expect((await back.readSession({ sessionId: 'many' })).events).toEqual(many(1500).events)
  })

  it('continues sessions, also where a long event is the last that is stored', async () => {
    const from = await memory()
    await from.putSession(long)
    const of = host()
    await of.corpus.putSession({ ...long, events: long.events.slice(0, 3) })
    const bytes = await bytesOf(await from.exportDatabase())
    expect(await of.corpus.importDatabase(bytes)).toMatchObject({
      continued: 1,
      events: 1,
      refused: [],
    })
    const other = host()
    await other.corpus.putSession(
      session('long', [userMessage(`${'ü'.repeat(29_999)}!`)], { origin: 'o'.repeat(12_000) }),
    )
    expect((await other.corpus.importDatabase(bytes)).refused).toMatchObject([
      { code: 'SESSION_QUERY_SOURCE_CONFLICT', message: expect.stringMatching(/seq 0/) },
    ])
  })

  it('takes logs as they are that do not fold, however long their events', async () => {
    const { db, bytes } = sqliteFile()
    openSchema(db, logSchema)
    const bent = session('bent', [
      ...long.events,
      { ...userMessage('z'.repeat(20_000)), seq: 1 },
      { ...userMessage('shop'), seq: 1 },
    ])
    storeAsItIs(db, bent)
    const of = host()
    expect(await of.corpus.importDatabase(bytes())).toMatchObject({ created: 1, refused: [] })
    expect((await of.store.readLog({ sessionId: 'bent' })).events).toEqual(bent.events)
    expect(await of.corpus.importDatabase(bytes())).toMatchObject({ unchanged: 1, refused: [] })
    const back = await memory()
    expect(await back.importDatabase(await of.corpus.exportDatabase())).toMatchObject({ created: 1 })
  })

  it('removes what an import left behind when everything ended in the midst of it', async () => {
    const { db } = sqliteFile()
    const first = openHost(db)
    await first.store.beginImport({ work: 'w' })
    await first.store.writeImport({ work: 'w', offset: 0, bytes: new Uint8Array(3_000_000) })
    await expect(
      first.store.writeImport({ work: 'w', offset: 5, bytes: new Uint8Array(1) }),
    ).rejects.toMatchObject({ message: expect.stringMatching(/comes next is at 3000000, and 5 came/) })
    expect(tables(first)).toEqual(['log_received_1'])
    await first.corpus.putSession(talk)
    expect(tables(openHost(db))).toEqual([])
    removeReceived(first.log)
    expect(await openHost(db).corpus.listSessions()).toHaveLength(1)
  })

  it.each(formerShapes)('says what to do with a log of %s', async (...shape) => {
    const raw = sqliteFile()
    makeFormer(raw.db, shape)
    const of = host()
    await expect(of.corpus.importDatabase(raw.bytes())).rejects.toMatchObject({
      code: 'SESSION_QUERY_PERSISTENCE_FAILED',
      reason: 'failed',
      message: expect.stringMatching(/format 1; here format 2 alone is read. Have a browser import it/),
    })
    expect(tables(of)).toEqual([])
  })

  it.each([
    ...refusedFiles,
    ['with other columns', 'ALTER TABLE events ADD COLUMN more TEXT', 'corrupt', /damaged/],
  ] as const)('refuses a file %s, and changes nothing', async (_name, statement, reason, message) => {
    const { db, bytes } = sqliteFile()
    openSchema(db, logSchema)
    storeAsItIs(db, talk)
    db.query(statement)
    const { corpus } = host()
    await expect(corpus.importDatabase(bytes())).rejects.toMatchObject({
      code: 'SESSION_QUERY_PERSISTENCE_FAILED',
      reason,
      message: expect.stringMatching(message),
    })
    expect(await corpus.listSessions()).toEqual([])
  })

  it('takes what can be read of a damaged file, and names the rest', async () => {
    const from = await memory()
    for (const word of ['one', 'two', 'three']) await from.putSession(wordy(word))
    const damaged = await bytesOf(await from.exportDatabase())
    const at = damaged.indexOf('two'.repeat(100), damaged.length / 2)
    damaged.fill(0xff, at - (at % 8192), at - (at % 8192) + 8192)
    const { corpus } = host()
    const result = await corpus.importDatabase(damaged)
    expect(result).toMatchObject({ created: 2 })
    expect(result.refused).toMatchObject([{ sessionId: 'two', code: 'SESSION_QUERY_CORRUPT_SESSION' }])
    await expectSame(corpus, [wordy('one'), wordy('three')])
  })

  it('comes to an end with any file, taking in or refusing', async () => {
    const from = await memory()
    for (const log of [talk, many(60), session('titled', [title('A')])]) await from.putSession(log)
    const bytes = await bytesOf(await from.exportDatabase())
    const places = fc.oneof(
      fc.nat(bytes.length - 1),
      fc.nat(200),
      fc.nat(bytes.length / 8192 - 1).map((page) => page * 8192 + (page % 16)),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(places, fc.nat(255)), { minLength: 1, maxLength: 30 }),
        async (flips) => {
          const damaged = Uint8Array.from(bytes)
          for (const [at, value] of flips) damaged[at] = value
          const { corpus } = host()
          try {
            const { sessions, created, refused } = await corpus.importDatabase(damaged)
            expect(created + refused.length).toBe(sessions)
          } catch (error) {
            if (!isSessionQueryError(error)) throw error
            expect(error.code).toBe('SESSION_QUERY_PERSISTENCE_FAILED')
          }
        },
      ),
      { numRuns: 100 },
    )
  })
})
