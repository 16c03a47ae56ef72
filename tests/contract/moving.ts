import { expect } from 'vitest'
import type { SessionCorpus } from '../../src/core/corpus.ts'
import type { ExportedDatabase, WorkProgress } from '../../src/core/moving.ts'
import type { SessionLog } from '../../src/core/session.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { refused, type Contract } from './contract.ts'
import { append, compacted, talk } from './logs.ts'

/** exportDatabase and importDatabase. */
export function movingCases(contract: Contract): void {
  contract.topic('moving', () => {
    contract.case('gives what came in, to the last unit', async (corpus) => {
      const odd = session(
        'odd\u0000\ud800',
        [{ type: 'x/\u0000', data: ['\udfff\ud83d', '\u0000', { z: 1, 10: 2 }, 1e300] }],
        { cwd: '\ud83d', parentSession: '\u0000', zeta: ['\udc00'] },
      )
      const logs = [talk, compacted, odd, session('empty', [])]
      for (const log of logs) await corpus.putSession(log)
      const exported = await corpus.exportDatabase()
      expect(exported).toMatchObject({ sessions: 4, events: eventsIn(logs), skipped: [] })
      const file = await bytesOf(exported)
      expect(file.length).toBe(exported.size)
      const other = await contract.open()
      expect(await other.importDatabase(file)).toEqual({
        sessions: 4,
        created: 4,
        continued: 0,
        unchanged: 0,
        events: eventsIn(logs),
        refused: [],
      })
      await expectSame(other, logs)
      const [hit] = (await other.searchEvents({ query: 'please' })).items
      expect(hit).toMatchObject({ sessionId: 'talk', seq: 1 })
      expect(await other.importDatabase(file)).toMatchObject({ created: 0, unchanged: 4, events: 0 })
    })

    contract.case('takes a Blob, a stream, an ArrayBuffer and bytes', async (corpus) => {
      await corpus.putSession(talk)
      const file = await bytesOf(await corpus.exportDatabase())
      const [other, third] = [await contract.open(), await contract.open()]
      expect(await third.importDatabase(await corpus.exportDatabase())).toMatchObject({ created: 1 })
      expect(await other.importDatabase(new Blob([file]))).toMatchObject({ created: 1 })
      expect(await other.importDatabase(file.slice().buffer)).toMatchObject({ unchanged: 1 })
      expect(await other.importDatabase(inPieces(file, 7001))).toMatchObject({ unchanged: 1 })
      expect(await other.importDatabase(new Blob([file]).stream())).toMatchObject({ unchanged: 1 })
    })

    contract.case('merges: continues, keeps, adds and refuses', async (corpus) => {
      const longer = session('longer', [userMessage('a'), userMessage('b'), userMessage('c')])
      const shorter = session('shorter', [userMessage('a')])
      const other = session('other', [userMessage('here')])
      const bent = session('bent', [userMessage('here')], { cwd: '/here' })
      const same = session('same', [userMessage('same')])
      for (const log of [longer, shorter, other, bent, same]) await corpus.putSession(log)
      const file = await bytesOf(await corpus.exportDatabase())

      const into = await contract.open()
      const [first] = longer.events
      const ahead = session('shorter', [userMessage('a'), userMessage('more')])
      await into.putSession({ ...longer, events: first === undefined ? [] : [first] })
      await into.putSession(ahead)
      await into.putSession(session('other', [userMessage('there')]))
      await into.putSession(session('bent', [userMessage('here')], { cwd: '/there' }))
      const heard: string[] = []
      const stop = into.subscribe(({ kind, sessionId }) => {
        if (sessionId !== undefined) heard.push(`${kind} ${sessionId}`)
      })
      const result = await into.importDatabase(file)
      stop()
      expect(result).toMatchObject({ sessions: 5, created: 1, continued: 1, unchanged: 1, events: 3 })
      expect(result.refused.map(({ sessionId, code }) => [sessionId, code])).toEqual([
        ['other', 'SESSION_QUERY_SOURCE_CONFLICT'],
        ['bent', 'SESSION_QUERY_SOURCE_CONFLICT'],
      ])
      expect(result.refused[0]?.message).toMatch(/"other" was left as it is: .*seq 0/)
      expect(heard.toSorted()).toEqual(['added same', 'appended longer'])
      await expectSame(into, [longer, ahead, same])
      expect((await into.readSession({ sessionId: 'other' })).events).toMatchObject([
        { data: { content: [{ text: 'there' }] } },
      ])
    })

    contract.case('leaves sessions alone that are open here', async (corpus) => {
      await corpus.putSession(talk)
      await corpus.putSession(session('s', [userMessage('one'), userMessage('two')]))
      const file = await bytesOf(await corpus.exportDatabase())
      const into = await contract.open()
      await into.putSession(session('s', [userMessage('one')]))
      const live = await into.sessions.resume('s')
      const result = await into.importDatabase(file)
      expect(result).toMatchObject({ created: 1, continued: 0 })
      expect(result.refused).toMatchObject([
        {
          sessionId: 's',
          code: 'SESSION_QUERY_SOURCE_CONFLICT',
          message: expect.stringMatching(/open/),
        },
      ])
      await live.close()
      expect(await into.importDatabase(file)).toMatchObject({ continued: 1, unchanged: 1, refused: [] })
    })

    contract.case('an export has what open sessions have appended', async (corpus) => {
      const live = await corpus.sessions.create({ id: 'live' })
      append(live, 'turn/start', { turn: 1 })
      await corpus.sessions.create({ id: 'fleeting' }, { persist: false })
      const exported = await corpus.exportDatabase()
      expect(exported).toMatchObject({ sessions: 1, events: 1, skipped: [] })
      await exported.cancel()
    })

    contract.case('answers reads and searches meanwhile, and tells how it goes', async (corpus) => {
      const logs = many()
      for (const log of logs) await corpus.putSession(log)
      const told: WorkProgress<string>[] = []
      const answered: boolean[] = []
      const exporting = corpus.exportDatabase({
        onProgress: (progress) => {
          told.push(progress)
          if (answered.length > 0) return
          answered.push(false)
          void corpus.searchEvents({ query: 'shop', limit: 1 }).then(() => {
            answered[0] = told.at(-1)?.phase === 'copying' && done < 1
            return undefined
          })
        },
      })
      let done = 0
      const exported = await exporting
      done = 1
      const file = await bytesOf(exported)
      expect(answered).toEqual([true])
      expect(phases(told)).toEqual(['copying', 'reading'])
      expect(told.findLast(({ phase }) => phase === 'copying')).toMatchObject({
        done: eventsIn(logs),
        total: eventsIn(logs),
      })
      expect(told.at(-1)).toMatchObject({ done: file.length, total: file.length })
      expectRising(told)

      const into = await contract.open()
      const heard: WorkProgress<string>[] = []
      let read = 0
      await into.importDatabase(file, {
        onProgress: (progress) => {
          heard.push(progress)
          if (progress.phase === 'merging') void into.listSessions().then(() => (read += 1))
        },
      })
      expect(read).toBeGreaterThan(1)
      expect(phases(heard)).toEqual(['reading', 'merging'])
      expectRising(heard)
      await expectSame(into, logs.slice(-3))
    })

    contract.case('what is deleted while it is copied is not in the file', async (corpus) => {
      const logs = many()
      for (const log of logs) await corpus.putSession(log)
      const canary = 'zyxwvutqux'
      await corpus.putSession(session('gone', [userMessage(canary)]))
      const deleted: Promise<void>[] = []
      const exported = await corpus.exportDatabase({
        onProgress: () => {
          if (deleted.length === 0) deleted.push(corpus.deleteSession({ sessionId: 'gone' }))
        },
      })
      await Promise.all(deleted)
      expect(exported.sessions).toBe(60)
      expect(textOf(await bytesOf(exported)).includes(canary)).toBe(false)
    })

    contract.case('a deletion while the file is read ends the reading', async (corpus) => {
      await corpus.putSession(talk)
      await corpus.putSession(session('other', []))
      const exported = await corpus.exportDatabase()
      await corpus.putSession(session('later', []))
      await corpus.deleteSession({ sessionId: 'later' })
      await corpus.deleteSession({ sessionId: 'talk' })
      await refused(bytesOf(exported), 'SOURCE_CONFLICT', /"talk" was deleted/)
      expect(await corpus.exportDatabase()).toMatchObject({ sessions: 1 })
    })

    contract.case('ends where its signal says, and can be done again', async (corpus) => {
      const logs = many()
      for (const log of logs) await corpus.putSession(log)
      const reason = new Error('enough')
      const first = new AbortController()
      const aborting = corpus.exportDatabase(
        { onProgress: ({ done }) => (done > 0 ? first.abort(reason) : undefined) },
        { signal: first.signal },
      )
      await expect(aborting).rejects.toBe(reason)

      const second = new AbortController()
      const { signal } = second
      const reader = (await corpus.exportDatabase({}, { signal })).getReader()
      second.abort(reason)
      await expect(reader.read()).rejects.toBe(reason)
      const stream = await corpus.exportDatabase()
      await stream.cancel()

      const file = await bytesOf(await corpus.exportDatabase())
      const into = await contract.open()
      const third = new AbortController()
      const importing = into.importDatabase(
        file,
        {
          onProgress: ({ phase, done }) =>
            phase === 'merging' && done > 0 ? third.abort(reason) : undefined,
        },
        { signal: third.signal },
      )
      await expect(importing).rejects.toBe(reason)
      const { sessions } = await into.status()
      expect(sessions).toBeGreaterThan(0)
      expect(sessions).toBeLessThan(60)
      const again = await into.importDatabase(file)
      expect(again.created + again.continued).toBeLessThan(60)
      expect(again).toMatchObject({ sessions: 60, refused: [] })
      await expectSame(into, logs)
    })

    contract.case('a source that fails is not taken in', async (corpus) => {
      await corpus.putSession(talk)
      const file = await bytesOf(await corpus.exportDatabase())
      const failure = new Error('the line is cut')
      const cut = new ReadableStream<Uint8Array>({
        pull(controller) {
          controller.enqueue(file.slice(0, 5000))
          controller.error(failure)
        },
      })
      const into = await contract.open()
      await expect(into.importDatabase(cut)).rejects.toBe(failure)
      expect(await into.status()).toMatchObject({ sessions: 0 })
    })

    for (const [name, bytes, reason, message] of [
      ['no database', new TextEncoder().encode('no database '.repeat(100)), 'corrupt', /not an SQLite/],
      ['nothing', new Uint8Array(), 'failed', /not a session log/],
      ['a part of a header', new TextEncoder().encode('SQLite format 3\0'), 'corrupt', /SQLite/],
    ] as const) {
      contract.case(`${name} is refused`, async (corpus) => {
        await corpus.putSession(talk)
        await refused(corpus.importDatabase(bytes), 'PERSISTENCE_FAILED', message)
        await expect(corpus.importDatabase(bytes)).rejects.toMatchObject({ reason })
        await expectSame(corpus, [talk])
        const { sessions, storage } = await corpus.status()
        expect(sessions).toBe(1)
        // The file is, the corpus is not.
        expect(storage.damaged).toBeUndefined()
      })
    }

    contract.case('what is no source is refused', async (corpus) => {
      for (const source of [undefined, null, 5, 'file', {}, [1]]) {
        await refused(corpus.importDatabase(source as never), 'INVALID_CONFIG', /source is/)
      }
      await refused(corpus.importDatabase({ stream: () => 5 as never }), 'INVALID_CONFIG')
      await refused(corpus.exportDatabase(5 as never), 'INVALID_CONFIG')
    })

    contract.case('more than a few exports at once end those that nobody reads', async (corpus) => {
      await corpus.putSession(talk)
      const exports: ExportedDatabase[] = []
      for (let at = 0; at < 6; at += 1) exports.push(await corpus.exportDatabase())
      const last = exports.pop()
      expect(last === undefined ? 0 : (await bytesOf(last)).length).toBeGreaterThan(0)
      await refused(bytesOf(exports[0] as ExportedDatabase), 'WORKER_FAILED', /Begin it again/)
    })
  })
}

/** Enough for many slices. */
function many(): SessionLog[] {
  return Array.from({ length: 60 }, (_session, number) =>
    session(
      `s${number}`,
      Array.from({ length: 50 }, (_event, at) => userMessage(`the shop ${number} ${at}`)),
    ),
  )
}

/** Everything that a stream gives. */
async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: BlobPart[] = []
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer())
    parts.push(value.slice())
  }
}

function inPieces(file: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= file.length) return controller.close()
      controller.enqueue(file.slice(at, at + size))
      at += size
    },
  })
}

/** One character a byte. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes)
}

function eventsIn(logs: readonly SessionLog[]): number {
  return logs.reduce((sum, { events }) => sum + events.length, 0)
}

async function expectSame(corpus: SessionCorpus, logs: readonly SessionLog[]): Promise<void> {
  for (const { header, events } of logs) {
    const read = await corpus.readSession({ sessionId: header.id })
    expect(JSON.stringify(read)).toBe(JSON.stringify({ session: header, events }))
  }
}

/** Which phases there were, each run of one once. */
function phases(told: readonly WorkProgress<string>[]): string[] {
  return told.map(({ phase }) => phase).filter((phase, at, all) => phase !== all[at - 1])
}

function expectRising(told: readonly WorkProgress<string>[]): void {
  for (const [at, { phase, done, total = Infinity }] of told.entries()) {
    const before = told[at - 1]
    if (before?.phase === phase) expect(done).toBeGreaterThanOrEqual(before.done)
    expect(done).toBeLessThanOrEqual(total)
  }
}
