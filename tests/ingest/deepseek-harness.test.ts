import { expect, test } from 'vitest'
import { readRecord } from '../../src/ingest/deepseek-harness.ts'

const read = (line: string) => readRecord(JSON.parse(line))
const eventLines = (line: string): string[] => {
  const record = read(line)
  return record.kind === 'events' ? Array.from(record.events, (event) => JSON.stringify(event)) : []
}

const textRow = (data: object = {}, more: object = {}): string =>
  JSON.stringify({
    type: 'text-chunks',
    seq0: 7,
    time0: 1000,
    data: { turn: 1, step: 2, index: 0, dt: [5, -1], texts: ['He', 'llo', '!'], ...data },
    ...more,
  })

const toolRow = (data: object = {}): string =>
  JSON.stringify({
    type: 'tool-call-chunks',
    seq0: 3,
    time0: 50,
    data: { turn: 1, step: 1, index: 1, dt: [2, 2], id: 'c1', args: ['{"p', 'ath":', '1}'], ...data },
  })

test('a header loses its tag and nothing else', () => {
  expect(
    read('{"type":"session","version":0,"id":"a","createdAt":5,"cwd":"/w","more":{"x":1}}'),
  ).toEqual({
    kind: 'header',
    header: { version: 0, id: 'a', createdAt: 5, cwd: '/w', more: { x: 1 } },
  })
})

test.each([
  '{"type":"x","seq":0,"time":1,"data":{"b":1,"a":[null,true,1.5,""]}}',
  '{"data":null,"time":1,"seq":4,"type":"z","ignorable":true,"extra":"kept"}',
  '{"type":"x","seq":0,"time":1,"data":{"__proto__":{"a":1},"2":"two","1":"one\\ud800"}}'.replace(
    '"2":"two","1":"one\\ud800"',
    '"1":"one\\ud800"',
  ),
  '{"type":"text-chunks","seq":0,"time":1,"data":"an event that bears the name of a packed row"}',
])('an event comes out as it went in: %s', (line) => {
  expect(eventLines(line).map((text) => JSON.parse(text))).toEqual([JSON.parse(line)])
  expect(Object.keys(JSON.parse(eventLines(line)[0] ?? '{}'))).toEqual(Object.keys(JSON.parse(line)))
})

function textDelta(seq: number, time: number, text: string): string {
  return `{"type":"assistant/chunk","seq":${seq},"time":${time},"data":{"turn":1,"step":2,"chunk":{"type":"text-delta","index":0,"text":"${text}"}}}`
}

test('a row of text stands for text deltas', () => {
  expect(eventLines(textRow())).toEqual([
    textDelta(7, 1000, 'He'),
    textDelta(8, 1005, 'llo'),
    textDelta(9, 1004, '!'),
  ])
})

test('a row of reasoning stands for reasoning deltas', () => {
  expect(eventLines(textRow({ dt: [], texts: ['Hm'] }, { type: 'reasoning-chunks' }))).toEqual([
    '{"type":"assistant/chunk","seq":7,"time":1000,"data":{"turn":1,"step":2,"chunk":{"type":"reasoning-delta","index":0,"text":"Hm"}}}',
  ])
})

test.each([
  ['with a name', { name: 'read' }, '"name":"read",'],
  ['without one', {}, ''],
])('a row of a tool call stands for its deltas, %s', (_name, data, member) => {
  const event = (seq: number, time: number, part: string): string =>
    `{"type":"assistant/chunk","seq":${seq},"time":${time},"data":{"turn":1,"step":1,"chunk":{"type":"tool-call-delta","index":1,"id":"c1",${member}"argumentsDelta":${JSON.stringify(part)}}}}`
  expect(eventLines(toolRow(data))).toEqual([
    event(3, 50, '{"p'),
    event(4, 52, 'ath":'),
    event(5, 54, '1}'),
  ])
})

test.each([
  [textRow({ dt: [5] }), 'the packed row has 3 members and 1 time gaps'],
  [textRow({ dt: [5, 1, 2] }), 'the packed row has 3 members and 3 time gaps'],
  [textRow({ dt: [], texts: [] }), 'the packed row has no members'],
  [textRow({ texts: 'He' }), `the packed row's data.texts is "He"; it has to be a list`],
  [textRow({ texts: undefined }), `the packed row's data.texts is undefined; it has to be a list`],
  [textRow({ dt: ['5', 1] }), `the packed row's data.dt.0 is "5"; it has to be a number`],
  [textRow({ dt: [1e308, 1e308] }, { time0: 1e308 }), 'member 2 of the packed row'],
  [textRow({ texts: ['a', 2, 'c'] }), `the packed row's data.texts.1 is 2; it has to be a string`],
  [textRow({ turn: -1 }), `the packed row's data.turn is -1; it has to be a whole number from 0`],
  [textRow({ step: 1.5 }), `the packed row's data.step is 1.5; it has to be a whole number from 0`],
  [textRow({ extra: 1 }), 'the packed row.data has a field that is not known there, "extra"'],
  [
    textRow({}, { surfaceOp: 'append' }),
    'the packed row has a field that is not known there, "surfaceOp"',
  ],
  [textRow({}, { data: null }), `the packed row's data is null; it has to be an object`],
  [textRow({}, { seq0: '7' }), `the packed row's seq0 is "7"; it has to be a number`],
  [textRow({}, { time0: null }), `the packed row's time0 is null; it has to be a number`],
  [textRow({}, { seq0: Number.MAX_SAFE_INTEGER }), 'member 2 of the packed row'],
  [toolRow({ args: ['a'] }), 'the packed row has 1 members and 2 time gaps'],
  [toolRow({ id: null }), `the packed row's data.id is null; it has to be a string`],
])('%s is no packed row', (line, reason) => {
  const record = read(line)
  expect(record).toMatchObject({ kind: 'bad-packed-row' })
  expect('reason' in record && record.reason).toContain(reason)
})

test.each([
  ['{"type":"session","version":3,"id":"a","createdAt":5}', 'bad-header', "the header's version is 3"],
  ['{"type":"session","version":0,"createdAt":5}', 'bad-header', "the header's id is undefined"],
  ['[]', 'not-an-event', 'an event is an object, not []'],
  ['"text"', 'not-an-event', 'an event is an object'],
  ['{"type":"x","seq":1.5,"time":1,"data":{}}', 'not-an-event', "the event's seq is 1.5"],
  ['{"type":"x","seq":1,"time":1}', 'not-an-event', 'the event has no data'],
])('%s is a %s', (line, kind, reason) => {
  const record = read(line)
  expect(record.kind).toBe(kind)
  expect('reason' in record && record.reason).toContain(reason)
})
