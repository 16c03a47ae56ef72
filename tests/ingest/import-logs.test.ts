import fc from 'fast-check'
import { expect, test } from 'vitest'
import { importLogs, type ImportReport, type LogSource } from '../../src/ingest/index.ts'
import type { SessionCorpus } from '../../worker/in-process.ts'
import { openMemoryCorpus } from '../../worker/in-process.ts'
import { bytesOf, eventLine, headerLine, logText, rawFrame, sourceOf } from './logs.ts'

/** What a session holds, each event as text, or undefined when there is no such session. */
async function stored(
  corpus: SessionCorpus,
  sessionId: string,
): Promise<readonly string[] | undefined> {
  const records = await corpus.listSessions()
  if (!records.some(({ header }) => header.id === sessionId)) return undefined
  const { events } = await corpus.readSession({ sessionId })
  return events.map((event) => JSON.stringify(event))
}

const eventLines = (count: number): string[] =>
  Array.from({ length: count }, (_, seq) => eventLine(seq))
const joined = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
const onlySource = ({ sources }: ImportReport) => {
  const [source] = sources
  if (source === undefined) throw new Error('the report has no source')
  return source
}

test('a log comes out as it went in', async () => {
  await using corpus = await openMemoryCorpus()
  const report = await importLogs(corpus, [sourceOf(logText('a', 1200))])
  expect(report).toEqual({
    sources: [
      {
        name: 'log.jsonl',
        bytesRead: bytesOf(logText('a', 1200)).length,
        sessions: [{ sessionId: 'a', created: true, appended: 1200, unchanged: 0, leftOut: 0 }],
        problems: [],
        problemsOmitted: 0,
      },
    ],
    totals: {
      sources: 1,
      bytesRead: bytesOf(logText('a', 1200)).length,
      sessions: 1,
      created: 1,
      appended: 1200,
      unchanged: 0,
      leftOut: 0,
      problems: 0,
    },
  })
  expect(await stored(corpus, 'a')).toEqual(eventLines(1200))
})

test('a second import changes nothing, and a longer log is continued', async () => {
  await using corpus = await openMemoryCorpus()
  await importLogs(corpus, [sourceOf(logText('a', 700))])
  const again = await importLogs(corpus, [sourceOf(logText('a', 700))])
  expect(again.totals).toMatchObject({ created: 0, appended: 0, unchanged: 700, problems: 0 })
  const longer = await importLogs(corpus, [sourceOf(logText('a', 1300))])
  expect(longer.totals).toMatchObject({ created: 0, appended: 600, unchanged: 700, problems: 0 })
  expect(await stored(corpus, 'a')).toEqual(eventLines(1300))
  const shorter = await importLogs(corpus, [sourceOf(logText('a', 3))])
  expect(shorter.totals).toMatchObject({ appended: 0, unchanged: 3, problems: 0 })
})

test('harmless variations are no problem', async () => {
  await using corpus = await openMemoryCorpus()
  const text = `\uFEFF\r\n${logText('a', 3).replaceAll('\n', '\r\n \t\r\n\r\n')}`.trimEnd()
  const report = await importLogs(corpus, [sourceOf(text, 1)])
  expect(onlySource(report).problems).toEqual([])
  expect(await stored(corpus, 'a')).toEqual(eventLines(3))
})

test('a header without events is a session', async () => {
  await using corpus = await openMemoryCorpus()
  await importLogs(corpus, [sourceOf(headerLine('a', { more: [1] }))])
  expect(await stored(corpus, 'a')).toEqual([])
  expect((await corpus.listSessions())[0]?.header).toEqual({
    version: 0,
    id: 'a',
    createdAt: 1000,
    more: [1],
  })
})

function packedRow(texts: readonly string[]): string {
  const data = { turn: 1, step: 1, index: 0, dt: texts.slice(1).map(() => 1), texts }
  return JSON.stringify({ type: 'text-chunks', seq0: 0, time0: 5, data })
}

test('a packed row becomes events, also where it is partly there already', async () => {
  await using corpus = await openMemoryCorpus()
  await importLogs(corpus, [sourceOf(joined(headerLine('a'), packedRow(['x', 'y'])))])
  const report = await importLogs(corpus, [
    sourceOf(joined(headerLine('a'), packedRow(['x', 'y', 'z']))),
  ])
  expect(report.totals).toMatchObject({ appended: 1, unchanged: 2, problems: 0 })
  const other = await importLogs(corpus, [
    sourceOf(joined(headerLine('a'), packedRow(['x', '!', 'z']))),
  ])
  expect(onlySource(other)).toMatchObject({
    sessions: [{ appended: 0, unchanged: 1, leftOut: 2 }],
    problems: [{ line: 2, kind: 'conflict', sessionId: 'a', seq: 1 }],
  })
})

const [h, e0, e1, e2, e3] = [headerLine('a'), ...eventLines(4)] as [
  string,
  string,
  string,
  string,
  string,
]
const nestedTorn =
  '{"type":"tool/result","seq":1,"time":1,"data":{"meta":{"type":"note/added","seq":1,"time":0,"data":"FAKE"}'
const deepEvent = `{"type":"x","seq":1,"time":1,"data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
const invalid = bytesOf(
  '{"type":"note/added","seq":2,"time":3,"data":"',
  Uint8Array.of(0xff, 0xe4),
  '"}\n',
)

test.each<[string, string | Uint8Array, number, readonly object[]]>([
  [
    'a torn last line',
    joined(h, e0) + e1.slice(0, -4),
    1,
    [{ line: 3, kind: 'torn-line', sessionId: 'a' }],
  ],
  [
    'a last line torn inside a character',
    bytesOf(joined(h, e0), bytesOf('{"type":"é').subarray(0, -1)),
    1,
    [{ line: 3, kind: 'torn-line' }],
  ],
  ['a whole last line without an end', joined(h, e0) + e1, 2, []],
  ['rubbish in the middle', joined(h, e0, 'rubbish', e1), 2, [{ line: 3, kind: 'damaged-line' }]],
  ['two records on one line', joined(h, e0 + e1, e2), 3, [{ line: 2, kind: 'glued-records' }]],
  ['everything on one line', h + e0 + e1, 2, [{ line: 1, kind: 'glued-records' }]],
  [
    'a torn record with a whole one behind it',
    joined(h, e0, e1.slice(0, 30) + e1, e2),
    3,
    [{ line: 3, kind: 'damaged-line' }],
  ],
  ['a line of zeros', joined(h, e0, '\0'.repeat(4096), e1), 2, [{ line: 3, kind: 'nul-bytes' }]],
  [
    'zeros before a record',
    joined(h, e0, '\0'.repeat(4096) + e1),
    2,
    [{ line: 3, kind: 'damaged-line' }],
  ],
  [
    'bytes that are not UTF-8',
    bytesOf(joined(h, e0, e1), invalid, joined(e2)),
    3,
    [{ line: 4, kind: 'not-utf8' }],
  ],
  [
    'JSON that is no event',
    joined(h, e0, '{"type":"x","seq":7}', '[1]', 'null', '5', e1),
    2,
    [
      { line: 3, kind: 'not-an-event', seq: 7 },
      { line: 4, kind: 'not-an-event' },
      { line: 5, kind: 'not-an-event' },
      { line: 6, kind: 'not-an-event' },
    ],
  ],
  [
    'a packed row that is none',
    joined(h, e0, '{"type":"text-chunks","seq0":1}', e1),
    2,
    [{ line: 3, kind: 'bad-packed-row', seq: 1 }],
  ],
  ['a repeated event', joined(h, e0, e1, e1, e0, e1, e2), 3, []],
  ['a repeated log', joined(h, e0, e1, h, e0, e1, e2), 3, []],
  [
    'a repeated event that says something else',
    joined(h, e0, e1, eventLine(1, 'other'), e2),
    2,
    [{ line: 4, kind: 'conflict', seq: 1 }],
  ],
  [
    'a gap',
    joined(h, e0, e1, e3, eventLine(4)),
    2,
    [{ line: 4, kind: 'seq-gap', seq: 3, sessionId: 'a' }],
  ],
  ['a mark inside the log', joined(h, e0, `\uFEFF${e1}`), 2, []],
  [
    'a gap before a whole copy',
    joined(h, e0, 'x', e2, e3, h, e0, e1, e2, e3),
    4,
    [{ line: 3 }, { line: 4, kind: 'seq-gap', seq: 2 }],
  ],
  [
    'an event that comes late',
    joined(h, e0, e2, e1, e2, e3),
    4,
    [{ line: 3, kind: 'seq-gap', seq: 2 }],
  ],
  [
    'a gap whose copy is another log',
    joined(h, e0, e2, h, eventLine(0, 'other'), e1, e2),
    1,
    [
      { line: 3, kind: 'seq-gap' },
      { line: 5, kind: 'conflict', seq: 0 },
    ],
  ],
  [
    'an object in a torn record that looks like the next event',
    joined(h, e0) + nestedTorn,
    1,
    [
      { line: 3, kind: 'torn-line' },
      { line: 3, kind: 'damaged-line', seq: 1, sessionId: 'a' },
    ],
  ],
  [
    'the same with the event behind it',
    joined(h, e0, nestedTorn + e1, e2),
    3,
    [
      { line: 3, kind: 'damaged-line' },
      { line: 3, kind: 'damaged-line', seq: 1 },
    ],
  ],
  [
    'an event behind a tear where a value may stand, confirmed by the next',
    joined(h, e0, e1.slice(0, e1.indexOf(':') + 1) + e1, e2),
    3,
    [{ line: 3, kind: 'damaged-line' }],
  ],
  [
    'an event that nests too deeply, twice',
    joined(h, e0, deepEvent, deepEvent, e1),
    2,
    [
      { line: 3, kind: 'refused', seq: 1 },
      { line: 4, kind: 'refused', seq: 1 },
    ],
  ],
  [
    'a number that is too large',
    joined(h, e0, '{"type":"x","seq":1,"time":1,"data":1e400}', e1),
    2,
    [{ line: 3, kind: 'refused', seq: 1 }],
  ],
  [
    'an event that does not fold',
    joined(h, e0, '{"type":"user/message","seq":1,"time":1,"data":{}}', e2),
    1,
    [{ line: 3, kind: 'refused', seq: 1, sessionId: 'a' }],
  ],
])('%s', async (_name, content, count, problems) => {
  for (const chunkSize of [1, 13, 1 << 16]) {
    await using corpus = await openMemoryCorpus()
    const report = await importLogs(corpus, [sourceOf(content, chunkSize)])
    expect(await stored(corpus, 'a')).toEqual(eventLines(count))
    expect(onlySource(report).problems).toMatchObject(problems)
    for (const { message } of onlySource(report).problems) expect(message).toMatch(/^[^\0]*[^.]\.$/)
  }
})

test('the first event that is refused is found, wherever it is in a batch', async () => {
  for (const bad of [0, 1, 2, 250, 499, 500, 501]) {
    await using corpus = await openMemoryCorpus()
    const lines = eventLines(600)
    lines[bad] = `{"type":"user/message","seq":${bad},"time":1,"data":{}}`
    const report = await importLogs(corpus, [sourceOf(joined(headerLine('a'), ...lines))])
    expect(onlySource(report)).toMatchObject({
      sessions: [{ appended: bad, leftOut: 600 - bad }],
      problems: [{ line: bad + 2, kind: 'refused', seq: bad }],
    })
    expect(await stored(corpus, 'a')).toEqual(lines.slice(0, bad))
  }
})

test('another log under the same id is left out', async () => {
  await using corpus = await openMemoryCorpus()
  await importLogs(corpus, [sourceOf(logText('a', 3))])
  const header = headerLine('a', { cwd: '/elsewhere' })
  const report = await importLogs(corpus, [sourceOf(joined(header, e0, e1) + logText('b', 2))])
  expect(onlySource(report)).toMatchObject({
    sessions: [
      { sessionId: 'a', created: false, appended: 0, unchanged: 0, leftOut: 2 },
      { sessionId: 'b', created: true, appended: 2 },
    ],
    problems: [{ line: 1, kind: 'conflict', sessionId: 'a' }],
  })
  expect(await stored(corpus, 'a')).toEqual(eventLines(3))
})

test('a source may hold several sessions, and damage in one is no damage in another', async () => {
  await using corpus = await openMemoryCorpus()
  const text = `${logText('a', 2)}${joined(headerLine('b'), e0, e2, e3)}${joined('{"type":"session","version":9,"id":"x","createdAt":1}', e0, e1)}${logText('c', 3)}`
  const report = await importLogs(corpus, [sourceOf(text)])
  expect(onlySource(report)).toMatchObject({
    sessions: [
      { sessionId: 'a', appended: 2, leftOut: 0 },
      { sessionId: 'b', appended: 1, leftOut: 2 },
      { sessionId: 'c', appended: 3, leftOut: 0 },
    ],
    problems: [
      { line: 6, kind: 'seq-gap', sessionId: 'b', seq: 2 },
      { line: 8, kind: 'bad-header', leftOut: 2 },
    ],
  })
  expect(report.totals.leftOut).toBe(4)
})

test('a header behind a torn record counts when a new log follows', async () => {
  await using corpus = await openMemoryCorpus()
  const torn = e2.slice(0, e2.indexOf('"data":') + 7)
  const taken = await importLogs(corpus, [sourceOf(joined(h, e0, e1, torn + headerLine('b'), e0))])
  expect(onlySource(taken).sessions.map(({ sessionId }) => sessionId)).toEqual(['a', 'b'])
  const left = await importLogs(corpus, [sourceOf(joined(h, e0, e1, torn + headerLine('c'), e3))])
  expect(onlySource(left)).toMatchObject({
    sessions: [{ sessionId: 'a', unchanged: 2 }],
    problems: [{ kind: 'damaged-line' }, { line: 4, kind: 'bad-header', leftOut: 1 }],
  })
})

test.each([
  ['an empty source', '', [{ line: 1, kind: 'no-header' }]],
  ['a source that is no log', 'hello\n', [{ kind: 'no-header' }, { kind: 'damaged-line' }]],
  ['events without a header', joined(e0, e1), [{ line: 1, kind: 'events-without-header', leftOut: 2 }]],
  [
    'events before a header',
    joined('', e0, e1) + logText('a', 1),
    [{ line: 2, kind: 'events-without-header', leftOut: 2 }],
  ],
])('%s is reported', async (_name, content, problems) => {
  await using corpus = await openMemoryCorpus()
  const report = await importLogs(corpus, [sourceOf(content)])
  expect(onlySource(report).problems).toHaveLength(problems.length)
  expect(onlySource(report).problems).toEqual(
    expect.arrayContaining(problems.map((problem) => expect.objectContaining(problem))),
  )
})

test('an event that was left out and came again is not left out', async () => {
  await using corpus = await openMemoryCorpus()
  const text = joined(h, e0, e2, e2, e3, eventLine(5), h, e0, e1, e2, e3)
  const report = await importLogs(corpus, [sourceOf(text)])
  expect(onlySource(report).sessions).toEqual([
    { sessionId: 'a', created: true, appended: 4, unchanged: 1, leftOut: 1 },
  ])
  expect(onlySource(report).problems).toMatchObject([{ kind: 'seq-gap', seq: 2 }])
})

test('a header that nests too deeply, twice, is one that cannot be used', async () => {
  await using corpus = await openMemoryCorpus()
  const deep = headerLine('a').replace(/}$/, `,"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)
  const report = await importLogs(corpus, [sourceOf(joined(deep, deep, e0) + logText('b', 1))])
  expect(onlySource(report).problems.map(({ kind }) => kind)).toEqual(['bad-header', 'bad-header'])
  expect(await stored(corpus, 'b')).toEqual([e0])
})

const numberEvent = (seq: number, written: string): string =>
  `{"type":"x","seq":${seq},"time":1,"data":{"text":"-0 1e999 12345678901234567890","n":[${written}]}}`

test.each([
  ['12345678901234567890', '12345678901234567000', '12345678901234567890 became 12345678901234567000'],
  ['-9007199254740993', '-9007199254740992', '-9007199254740993 became -9007199254740992'],
  ['-0', '0', '-0 became 0'],
  ['-0.0,-0', '0,0', '-0.0 became 0 and so on, 2 numbers in all'],
  ['1e-400', '0', '1e-400 became 0'],
  ['9007199254740992', '9007199254740992', undefined],
  ['1.0,1e2,1E+002', '1,100,100', undefined],
  ['0.1234567890123456789', '0.12345678901234568', undefined],
  ['-0.5,0e500', '-0.5,0', undefined],
])('the number %s is stored as %s', async (written, kept, message) => {
  await using corpus = await openMemoryCorpus()
  const report = await importLogs(corpus, [sourceOf(joined(h, numberEvent(0, written), e1))])
  expect(await stored(corpus, 'a')).toEqual([numberEvent(0, kept), e1])
  const problem = { line: 2, kind: 'number-changed', sessionId: 'a', seq: 0 }
  const problems = onlySource(report).problems
  expect(problems).toMatchObject(message === undefined ? [] : [problem])
  if (message !== undefined) expect(problems[0]?.message).toContain(message)
})

test.each<[string, Uint8Array, string]>([
  ['gzip', Uint8Array.of(0x1f, 0x8b, 8, 0, 10, 10, 10), 'This is gzip'],
  ['UTF-16', bytesOf(Uint8Array.of(0xff, 0xfe), utf16(logText('a', 9))), 'This is UTF-16'],
  ['UTF-16 without a mark', utf16(logText('a', 9)), 'This is UTF-16'],
  [
    'a picture',
    bytesOf(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0), '\nx\ny\n'),
    'This is not a text log',
  ],
  ['a JSON array', bytesOf(`[${h},${e0}]`), 'This is a JSON array'],
  [
    'JSON over several lines',
    bytesOf(JSON.stringify(JSON.parse(h), null, 2)),
    'This is JSON over several lines',
  ],
])('%s is told by its beginning', async (_name, bytes, message) => {
  await using corpus = await openMemoryCorpus()
  for (const size of [1, 1 << 16]) {
    const report = await importLogs(corpus, [sourceOf(bytes, size), sourceOf(logText('b', 1))])
    expect(report.sources[0]?.problems).toMatchObject([{ line: 1, kind: 'not-a-log' }])
    expect(report.sources[0]?.problems[0]?.message).toContain(message)
    expect(report.sources[1]?.problems).toEqual([])
  }
})

function utf16(text: string): Uint8Array {
  return Uint8Array.from(Array.from(text).flatMap((character) => [character.charCodeAt(0), 0]))
}

test('problems beyond the two hundredth are counted', async () => {
  await using corpus = await openMemoryCorpus()
  const report = await importLogs(corpus, [sourceOf(joined(h, ...Array<string>(250).fill('x')))])
  expect(onlySource(report).problems).toHaveLength(200)
  expect(onlySource(report).problemsOmitted).toBe(50)
  expect(report.totals.problems).toBe(250)
})

test('compressed logs are told by their content, and a torn one gives what it has', async () => {
  await using corpus = await openMemoryCorpus()
  const frames = [rawFrame(joined(h)), rawFrame(joined(e0, e1)), rawFrame(joined(e2, e3))]
  const torn = await importLogs(corpus, [sourceOf(bytesOf(...frames).subarray(0, -10), 1)])
  expect(onlySource(torn).problems.map(({ kind }) => kind)).toEqual(['torn-compression', 'torn-line'])
  expect(await stored(corpus, 'a')).toEqual([e0, e1, e2])
  const whole = await importLogs(corpus, [sourceOf(bytesOf(...frames), 5)])
  expect(whole.totals).toMatchObject({ appended: 1, unchanged: 3, problems: 0 })
})

test('a log cut at any byte gives its whole lines, and the whole log completes it', async () => {
  const event = fc.record({ text: fc.string({ unit: 'binary' }), more: fc.jsonValue() })
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 8 }),
      fc.nat(),
      fc.integer({ min: 1, max: 64 }),
      fc.boolean(),
      async (data, place, chunkSize, compressed) => {
        await using corpus = await openMemoryCorpus()
        const lines = data.map((value, seq) => eventLine(seq, value))
        const bytes = bytesOf(joined(h, ...lines))
        const cut = place % (bytes.length + 1)
        const source = (content: Uint8Array): LogSource =>
          sourceOf(compressed ? rawFrame(content, { blockSize: 50 }) : content, chunkSize)
        await importLogs(corpus, [source(bytes.subarray(0, cut))])
        let whole = -1
        for (let end = 0; whole < lines.length; whole += 1) {
          end += bytesOf([h, ...lines][whole + 1] ?? '').length
          if (end > cut) break
          end += 1
        }
        expect((await stored(corpus, 'a')) ?? []).toEqual(lines.slice(0, Math.max(whole, 0)))
        await importLogs(corpus, [source(bytes)])
        expect(await stored(corpus, 'a')).toEqual(lines)
      },
    ),
    { numRuns: 100 },
  )
})
