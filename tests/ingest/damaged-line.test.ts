import { expect, test } from 'vitest'
import { recoverRecords } from '../../src/ingest/damaged-line.ts'
import { eventLine, headerLine } from './logs.ts'

/** What was found, as the seqs of events and the ids of headers. */
function found(text: string, nextSeq?: number): readonly (number | string)[] {
  return recoverRecords(text, nextSeq).records.flatMap((record): readonly (number | string)[] =>
    record.kind === 'header' ? [record.header.id] : record.events.map(({ seq }) => seq),
  )
}

const nested = (inner: string): string =>
  `{"type":"note/added","seq":5,"time":9,"data":{"kept":${inner},"more":"and so on"}}`

test.each([
  ['two events', eventLine(3) + eventLine(4), [3, 4]],
  ['two events with a space', `${eventLine(3)} ${eventLine(4)}`, [3, 4]],
  ['a header and an event', headerLine('s') + eventLine(0), ['s', 0]],
])('%s on one line are all of it', (_name, text, expected) => {
  expect(found(text)).toEqual(expected)
  expect(recoverRecords(text).complete).toBe(true)
})

test.each([
  ['rubbish alone', 'no json here {"type":1', []],
  ['rubbish before an event', `rubbish ${eventLine(3)}`, [3]],
  ['rubbish after an event', `${eventLine(3)} rubbish`, [3]],
  ['zeros before an event', `${'\0'.repeat(99)}${eventLine(3)}`, [3]],
  ['zeros after an event', `${eventLine(3)}${'\0'.repeat(99)}`, [3]],
  ['a mark before an event', `\uFEFF${eventLine(3)}`, [3]],
  ['an event, then a torn one', eventLine(3) + eventLine(4).slice(0, -3), [3]],
  [
    'a torn row, then a whole one',
    '{"type":"text-chunks","seq0":1,"ti{"type":"text-chunks","seq0":1,"time0":2,"data":{"turn":1,"step":1,"index":0,"dt":[1],"texts":["a","b"]}}',
    [1, 2],
  ],
  ['a header that is not one, then an event', `{"type":"session","id":1}${eventLine(0)}`, [0]],
])('%s', (_name, text, expected) => {
  expect(found(text)).toEqual(expected)
  expect(recoverRecords(text).complete).toBe(false)
})

test('an event behind a torn one is found wherever the tear is', () => {
  const torn = eventLine(4, { text: 'a "quoted" {brace} \\', list: [1, { type: 'x' }, 'é'], type: 'y' })
  for (let cut = 1; cut < torn.length; cut += 1) {
    expect(found(torn.slice(0, cut) + eventLine(4), 4), torn.slice(0, cut)).toEqual([4])
  }
})

test('a header behind a torn event is found, and in doubt only where a value may stand', () => {
  const torn = eventLine(4, { text: 'a', list: [1, 2] })
  for (let cut = 1; cut < torn.length; cut += 1) {
    const [record] = recoverRecords(torn.slice(0, cut) + headerLine('next'), 4).records
    expect(record).toMatchObject({ kind: 'header', header: { id: 'next' } })
    const doubtful = record !== undefined && 'doubtful' in record
    expect(doubtful).toBe(/[:,[]$/.test(torn.slice(0, cut)))
  }
})

test.each([
  ['an event', eventLine(2)],
  ['a header', headerLine('inner')],
  [
    'a packed row',
    '{"type":"text-chunks","seq0":2,"time0":2,"data":{"turn":1,"step":1,"index":0,"dt":[],"texts":["a"]}}',
  ],
])('%s inside a torn record is part of it', (_name, inner) => {
  const whole = nested(inner)
  const end = whole.indexOf(inner) + inner.length
  for (let cut = 1; cut < whole.length; cut += 1) {
    const records = recoverRecords(whole.slice(0, cut), 5).records
    const sure = records.filter((record) => !('doubtful' in record))
    expect(sure, whole.slice(0, cut)).toEqual([])
    if (cut !== end) expect(records).toEqual([])
  }
})

test('a list of events inside a torn record is part of it', () => {
  const whole = nested(`[${eventLine(1)},${eventLine(2)}]`)
  for (let cut = 1; cut < whole.length; cut += 1) expect(found(whole.slice(0, cut), 5)).toEqual([])
})

test('a record with bytes that could not be decoded is not whole', () => {
  const text = `${eventLine(1, '\u{FFFD}')}${eventLine(2)}`
  expect(recoverRecords(text, 1, '\u{FFFD}').records).toHaveLength(1)
})

test('a hostile line takes no longer than its length allows', () => {
  const started = performance.now()
  expect(found('{"type":'.repeat(200_000))).toEqual([])
  expect(found('{"type":"x","data":['.repeat(50_000))).toEqual([])
  expect(performance.now() - started).toBeLessThan(3000)
})
