import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recoverRecords } from '../../src/ingest/damaged-line.ts'
import { eventLine, headerLine } from './logs.ts'

/** What was found, as the seqs of events and the ids of headers; in doubt with a question mark. */
function found(text: string): readonly (number | string)[] {
  return recoverRecords(text).records.flatMap((record): readonly (number | string)[] => {
    const ids =
      record.kind === 'header' ? [record.header.id] : Array.from(record.events, ({ seq }) => seq)
    return record.doubtful === true ? ids.map((id) => `${id}?`) : ids
  })
}

const nested = (inner: string): string =>
  `{"type":"note/added","seq":5,"time":9,"data":{"kept":${inner},"more":"and so on"}}`

test.each([
  ['two events', eventLine(3) + eventLine(4), [3, 4]],
  ['two events with a space', `${eventLine(3)} ${eventLine(4)}`, [3, 4]],
  ['two events with a mark', `${eventLine(3)}\uFEFF${eventLine(4)}`, [3, 4]],
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

test('an event behind a torn one is found wherever the tear is, and in doubt only where a value may stand', () => {
  const torn = eventLine(4, { text: 'a "quoted" {brace} \\', list: [1, { type: 'x' }, 'é'], type: 'y' })
  for (let cut = 1; cut < torn.length; cut += 1) {
    const place = /[:,[]$/.test(torn.slice(0, cut))
    expect(found(torn.slice(0, cut) + eventLine(4)), torn.slice(0, cut)).toEqual([place ? '4?' : 4])
  }
})

test('a header behind a torn event is found, and in doubt only where a value may stand', () => {
  const torn = eventLine(4, { text: 'a', list: [1, 2] })
  for (let cut = 1; cut < torn.length; cut += 1) {
    const place = /[:,[]$/.test(torn.slice(0, cut))
    expect(found(torn.slice(0, cut) + headerLine('next'))).toEqual([place ? 'next?' : 'next'])
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
    const [only, ...more] = found(whole.slice(0, cut))
    expect(more).toEqual([])
    if (cut !== end) expect(only).toBeUndefined()
    else expect(only).toMatch(/\?$/)
  }
})

test('a list of events inside a torn record is part of it', () => {
  const whole = nested(`[${eventLine(1)},${eventLine(2)}]`)
  for (let cut = 1; cut < whole.length; cut += 1) {
    for (const seq of found(whole.slice(0, cut))) expect(seq).toMatch(/\?$/)
  }
})

test('text before a record that no value can follow leaves no doubt', () => {
  const torn = '{"type":"note/added","seq":4,"time":9,"data":{"text":"'
  for (const end of ['', 'he said: ', 'one, ', '\\', 'a", "b', 'x,']) {
    expect(found(torn + end + eventLine(4)), end).toEqual([4])
  }
})

test.each([1, 5, 20])('a large record behind %i torn ones is found', (count) => {
  const torn = '{"type":"user/message","seq":1,"data":{"content":[{"type":"text","text":"abc'
  expect(found(torn.repeat(count) + eventLine(1, 'x'.repeat(100_000)))).toEqual([1])
})

test('a record between torn ones is found', () => {
  const torn = '{"type":"note/added","seq":1,"data":"a \\"b'
  expect(found(torn + eventLine(1, 'a \\ "quote" {"') + eventLine(2) + torn)).toEqual([1, 2])
})

test('the order of the members of a record makes no difference', () => {
  const event = '{"seq":1,"time":1,"data":{"type":"x"},"type":"note/added"}'
  expect(found(eventLine(0) + event)).toEqual([0, 1])
  expect(found(`{"seq":1,"ti${event}`)).toEqual([1])
})

test('whatever is torn before it, the last record is found, and nothing is made up', () => {
  const text = fc.array(fc.constantFrom('a', '"', '\\', '{', '}', ':', ',', '[', ' ', eventLine(7)))
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      text.map((parts) => parts.join('')),
      fc.integer(),
      fc.constant(JSON.parse(eventLine(8, { n: 1 }))),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'type', 'seq'), tie('any'), { maxKeys: 3 }),
    ),
  })).any
  const torn = fc.tuple(value, fc.nat()).map(([data, cut]) => {
    const line = eventLine(9, data)
    return line.slice(0, cut % line.length)
  })
  fc.assert(
    fc.property(fc.array(torn, { maxLength: 3 }), value, (heads, data) => {
      const last = eventLine(1, data)
      const { records } = recoverRecords(heads.join('') + last)
      const written = records.flatMap((record) =>
        record.kind === 'events' && record.doubtful !== true
          ? Array.from(record.events, (event) => JSON.stringify(event))
          : [],
      )
      const final = records.at(-1)
      expect(final?.kind === 'events' && Array.from(final.events)).toEqual([JSON.parse(last)])
      expect(written.every((line) => line === last)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('a record with bytes that could not be decoded is not whole', () => {
  const text = `${eventLine(1, '\u{FFFD}')}${eventLine(2)}`
  expect(recoverRecords(text, '\u{FFFD}').records).toHaveLength(1)
})

test('a hostile line takes no longer than its length allows', () => {
  const started = performance.now()
  expect(found('{"type":'.repeat(200_000))).toEqual([])
  expect(found('{"type":"x","data":['.repeat(50_000))).toEqual([])
  expect(found('x}{"'.repeat(50_000))).toEqual([])
  expect(found(`x${'{"a":1}{"'.repeat(50_000)}`)).toEqual([])
  const quotes = `x${'}{"a":"'.repeat(50_000)}`
  expect(recoverRecords(`${quotes}}`).records).toEqual([])
  expect(performance.now() - started).toBeLessThan(3000)
})
