import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SessionQueryError } from '../../src/core/errors.ts'
import {
  importLogs,
  type ImportProgress,
  type ImportTarget,
  type LogSource,
} from '../../src/ingest/index.ts'
import { openMemoryCorpus } from '../../worker/in-process.ts'
import { hasFixtures, recordedLogPaths } from '../fixtures/recorded.ts'
import { bytesOf, logText, sourceOf } from './logs.ts'

const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve, 1))

test('progress counts over all sources, at most once a batch', async () => {
  await using corpus = await openMemoryCorpus()
  const told: ImportProgress[] = []
  const [first, second] = [logText('a', 1200), logText('b', 10)]
  await importLogs(corpus, [sourceOf(first, 1 << 16, 'one'), sourceOf(second, 1 << 16, 'two')], {
    onProgress: (progress) => told.push(progress),
  })
  const bytesTotal = bytesOf(first, second).length
  expect(told.at(-1)).toEqual({
    source: 'two',
    sourcesDone: 2,
    bytesRead: bytesTotal,
    bytesTotal,
    sessions: 2,
    events: 1210,
  })
  expect(told.map(({ events }) => events)).toEqual([500, 1000, 1200, 1200, 1210, 1210])
  expect(told.map(({ sourcesDone }) => sourcesDone)).toEqual([0, 0, 0, 1, 1, 2])
})

test('the total is left out where it is not known', async () => {
  await using corpus = await openMemoryCorpus()
  const told: ImportProgress[] = []
  const onProgress = (progress: ImportProgress) => void told.push(progress)
  const { name, size: _, ...unsized } = sourceOf(logText('a', 1))
  await importLogs(corpus, [{ name, ...unsized }], { onProgress })
  await importLogs(corpus, new Set([sourceOf(logText('b', 1))]), { onProgress })
  expect(told.length).toBeGreaterThan(1)
  expect(told.every((progress) => !('bytesTotal' in progress))).toBe(true)
})

test('a list that is emptied meanwhile is read as it was', async () => {
  await using corpus = await openMemoryCorpus()
  const files = ['a', 'b', 'c'].map((id) => new File([bytesOf(logText(id, 2))], `${id}.jsonl`))
  // As a FileList is: no array, and without its files once the input is reset.
  const list = {
    get length() {
      return files.length
    },
    [Symbol.iterator]: () => files[Symbol.iterator](),
  }
  const told: ImportProgress[] = []
  const running = importLogs(corpus, list, { onProgress: (progress) => told.push(progress) })
  const bytesTotal = files.reduce((sum, { size }) => sum + size, 0)
  files.length = 0
  expect((await running).totals).toMatchObject({ sources: 3, created: 3, appended: 6 })
  expect(told.every((progress) => progress.bytesTotal === bytesTotal)).toBe(true)
})

test('a file of many small sessions is not read long before they are stored', async () => {
  await using corpus = await openMemoryCorpus()
  const told: ImportProgress[] = []
  const text = Array.from({ length: 1000 }, (_, at) => logText(`s${at}`, 1)).join('')
  await importLogs(corpus, [sourceOf(text, text.length)], {
    onProgress: (progress) => told.push(progress),
  })
  expect(told.at(-1)).toMatchObject({ bytesRead: text.length, sessions: 1000, events: 1000 })
  for (const { bytesRead, events } of told) {
    expect(bytesRead / text.length - events / 1000).toBeLessThan(0.5)
  }
})

test('small sessions are written several at a time, each in its order', async () => {
  await using corpus = await openMemoryCorpus()
  let atOnce = 0
  let most = 0
  const writing = new Set<string>()
  const slowly = async <Result>(id: string, write: () => Promise<Result>): Promise<Result> => {
    expect(writing.has(id)).toBe(false)
    writing.add(id)
    most = Math.max(most, (atOnce += 1))
    await nextTask()
    const result = await write()
    atOnce -= 1
    writing.delete(id)
    return result
  }
  const target: ImportTarget = {
    putSession: (request, call) => slowly(request.header.id, () => corpus.putSession(request, call)),
    appendEvents: (request, call) =>
      slowly(request.sessionId, () => corpus.appendEvents(request, call)),
  }
  const text = Array.from({ length: 40 }, (_, at) => logText(`s${at}`, at)).join('')
  const report = await importLogs(target, [sourceOf(text + text + logText('s39', 1700))])
  expect(report.totals).toMatchObject({ created: 40, appended: 780 + 1661, problems: 0 })
  expect(most).toBe(8)
})

async function* oneByOne(): AsyncGenerator<LogSource> {
  yield new File([bytesOf(logText('file', 3))], 'file.jsonl')
  await nextTask()
  yield sourceOf(logText('generator', 3))
}

test('sources may come one by one, as streams of either kind', async () => {
  await using corpus = await openMemoryCorpus()
  const report = await importLogs(corpus, oneByOne())
  expect(report.totals).toMatchObject({ sources: 2, created: 2, appended: 6, problems: 0 })
  expect(report.sources[0]?.name).toBe('file.jsonl')
})

test('a file that vanished is a problem of its own', async () => {
  await using corpus = await openMemoryCorpus()
  const folder = await mkdtemp(join(tmpdir(), 'ingest-'))
  try {
    const path = join(folder, 'a.jsonl')
    await writeFile(path, logText('a', 3))
    const report = await importLogs(corpus, [
      { name: 'gone', stream: () => createReadStream(join(folder, 'gone.jsonl')) },
      { name: 'there', stream: () => createReadStream(path) },
      {
        name: 'broken',
        async *stream() {
          yield bytesOf(logText('b', 2), '{"type":')
          throw new Error('the disk is gone')
        },
      },
      { name: 'text', stream: () => ['text'] as unknown as AsyncIterable<Uint8Array> },
    ])
    expect(report.sources.map(({ problems }) => problems.map(({ kind }) => kind))).toEqual([
      ['unreadable'],
      [],
      ['unreadable'],
      ['unreadable'],
    ])
    expect(report.sources[2]).toMatchObject({
      sessions: [{ sessionId: 'b', appended: 2 }],
      problems: [{ line: 4, message: expect.stringContaining('the disk is gone') as string }],
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})

test.each([
  [undefined, 'sources is undefined'],
  [{ name: 'a' }, 'sources is {"name":"a"}'],
  [new File([], 'a.jsonl'), 'sources is a single source, "a.jsonl"; it has to be a list'],
  ['text', 'sources is "text"'],
  [[{ name: 'a' }], 'A source is {"name":"a"}'],
  [[null], 'A source is null'],
  [new Set([{ stream: 1, name: 'a' }]), 'A source is {"stream":1,"name":"a"}'],
])('%j as sources is refused', async (sources, message) => {
  await using corpus = await openMemoryCorpus()
  const failure: unknown = await importLogs(corpus, sources as unknown as readonly LogSource[]).catch(
    (error) => error,
  )
  expect(failure).toMatchObject({ code: 'SESSION_QUERY_INVALID_CONFIG' })
  expect((failure as Error).message).toContain(message)
})

describe('an aborted import', () => {
  const reason = { the: 'very reason' }

  test('does not begin', async () => {
    await using corpus = await openMemoryCorpus()
    const signal = AbortSignal.abort(reason)
    await expect(importLogs(corpus, [sourceOf(logText('a', 1))], { signal })).rejects.toBe(reason)
    expect(await corpus.listSessions()).toEqual([])
  })

  test('closes a stream that gives nothing', async () => {
    await using corpus = await openMemoryCorpus()
    const abort = new AbortController()
    let cancelled: unknown
    const stream = () =>
      new ReadableStream<Uint8Array>(
        { cancel: (why) => void (cancelled = { why }) },
        { highWaterMark: 0 },
      )
    const running = importLogs(corpus, [{ name: 'slow', stream }], { signal: abort.signal })
    await nextTask()
    abort.abort(reason)
    await expect(running).rejects.toBe(reason)
    await nextTask()
    expect(cancelled).toBeDefined()
  })

  test('stops in the middle, and the next import goes on', async () => {
    await using corpus = await openMemoryCorpus()
    const abort = new AbortController()
    let closed = false
    async function* stream(): AsyncGenerator<Uint8Array> {
      try {
        for (const line of logText('a', 5000).split(/(?<=\n)/)) {
          yield bytesOf(line)
        }
      } finally {
        closed = true
      }
    }
    const onProgress = ({ events }: ImportProgress): void => {
      if (events >= 1000) abort.abort(reason)
    }
    const { signal } = abort
    await expect(importLogs(corpus, [{ name: 'a', stream }], { onProgress, signal })).rejects.toBe(
      reason,
    )
    await nextTask()
    expect(closed).toBe(true)
    const before = (await corpus.status()).events
    await nextTask()
    expect((await corpus.status()).events).toBe(before)
    const report = await importLogs(corpus, [sourceOf(logText('a', 5000))])
    expect(report.totals).toMatchObject({ unchanged: before, appended: 5000 - before })
  })

  test('hands the signal to the corpus', async () => {
    const abort = new AbortController()
    const corpus: ImportTarget = {
      putSession: (_request, call) =>
        new Promise((_resolve, reject) => {
          call?.signal?.addEventListener('abort', () => reject(new Error('stopped')))
          abort.abort(reason)
        }),
      appendEvents: () => Promise.reject(new Error('not to be called')),
    }
    const { signal } = abort
    await expect(importLogs(corpus, [sourceOf(logText('a', 1))], { signal })).rejects.toBe(reason)
  })
})

test('a store that fails ends the import, and the next one goes on where it stopped', async () => {
  await using corpus = await openMemoryCorpus()
  const full = new SessionQueryError('SESSION_QUERY_PERSISTENCE_FAILED', 'The disk is full.', {
    reason: 'full',
  })
  let writes = 0
  const target: ImportTarget = {
    putSession: (request, call) => corpus.putSession(request, call),
    appendEvents: (request, call) => {
      writes += 1
      return writes === 2 ? Promise.reject(full) : corpus.appendEvents(request, call)
    },
  }
  await expect(importLogs(target, [sourceOf(logText('a', 3000))])).rejects.toBe(full)
  expect((await corpus.status()).events).toBe(1000)
  const report = await importLogs(target, [sourceOf(logText('a', 3000))])
  expect(report.totals).toMatchObject({ appended: 2000, unchanged: 1000, problems: 0 })
})

test('one batch is written at a time, while the next is read', async () => {
  await using corpus = await openMemoryCorpus()
  let atOnce = 0
  let most = 0
  let readWhileWriting = 0
  const slowly = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    most = Math.max(most, (atOnce += 1))
    await nextTask()
    const result = await write()
    atOnce -= 1
    return result
  }
  const target: ImportTarget = {
    putSession: (request, call) => slowly(() => corpus.putSession(request, call)),
    appendEvents: (request, call) => {
      expect(request.events.length).toBeLessThanOrEqual(500)
      return slowly(() => corpus.appendEvents(request, call))
    },
  }
  async function* stream(): AsyncGenerator<Uint8Array> {
    for (const line of logText('a', 3000).split(/(?<=\n)/)) {
      readWhileWriting += atOnce
      yield bytesOf(line)
    }
  }
  await importLogs(target, [{ name: 'a', stream }])
  expect(most).toBe(1)
  expect(readWhileWriting).toBeGreaterThan(500)
  expect((await corpus.status()).events).toBe(3000)
})

test('batches are bounded by bytes', async () => {
  const sizes: number[] = []
  await using corpus = await openMemoryCorpus()
  const target: ImportTarget = {
    putSession: (request, call) => {
      sizes.push(request.events.length)
      return corpus.putSession(request, call)
    },
    appendEvents: (request, call) => {
      sizes.push(request.events.length)
      return corpus.appendEvents(request, call)
    },
  }
  const big = Array.from({ length: 10 }, (_, seq) =>
    JSON.stringify({ type: 'x', seq, time: 1, data: 'y'.repeat(50_000) }),
  )
  await importLogs(target, [sourceOf([logText('a', 0), ...big].join('\n').replace('\n\n', '\n'))])
  expect(sizes).toEqual([3, 3, 3, 1])
})

test.each([
  ['chunk', logText('a', 200_000), 150],
  ['packed row', `${logText('a', 0)}${packedRow(300_000)}\n`, 400],
])('other tasks have their turn while a large %s is read', async (_name, text, most) => {
  const target: ImportTarget = {
    putSession: async ({ header, events }) => ({
      sessionId: header.id,
      created: true,
      appended: events.length,
      length: 0,
    }),
    appendEvents: async ({ sessionId, events }) => ({
      sessionId,
      created: false,
      appended: events.length,
      length: 0,
    }),
  }
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 0)
  const bytes = bytesOf(text)
  last = performance.now()
  await importLogs(target, [sourceOf(bytes, bytes.length)])
  clearInterval(timer)
  expect(longest).toBeGreaterThan(0)
  // The promise is 50 ms in a page, but for parsing one line; a busy test machine is given more.
  expect(longest).toBeLessThan(most)
})

function packedRow(count: number): string {
  const texts = Array.from({ length: count }, (_, at) => `t${at}`)
  const data = { turn: 1, step: 1, index: 0, dt: texts.slice(1).map(() => 1), texts }
  return JSON.stringify({ type: 'text-chunks', seq0: 0, time0: 5, data })
}

test.runIf(hasFixtures)(
  'recorded logs come out byte for byte (skipped unless SESSION_QUERY_FIXTURES names a folder with logs)',
  async () => {
    await using corpus = await openMemoryCorpus()
    const sources = recordedLogPaths().map((name) => ({ name, stream: () => createReadStream(name) }))
    const report = await importLogs(corpus, sources)
    expect(report.totals).toMatchObject({
      sources: 146,
      sessions: 146,
      created: 146,
      appended: 14_141,
      problems: 0,
    })
    for (const [at, { name }] of sources.entries()) {
      const lines = (await readFile(name, 'utf8')).trimEnd().split('\n')
      const sessionId = report.sources[at]?.sessions[0]?.sessionId ?? ''
      const { session, events } = await corpus.readSession({ sessionId })
      expect(
        [{ type: 'session', ...session }, ...events].map((value) => JSON.stringify(value)),
      ).toEqual(lines)
    }
    const again = await importLogs(corpus, sources)
    expect(again.totals).toMatchObject({ created: 0, appended: 0, unchanged: 14_141, problems: 0 })
  },
)
