import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineSplitter } from '../../src/ingest/lines.ts'
import { bytesOf } from './logs.ts'

function split(content: string | Uint8Array, chunkSize = 1000, maxBytes = 1000) {
  const bytes = bytesOf(content)
  const splitter = createLineSplitter(maxBytes)
  const lines: { number: number; text: string; size: number; tooLong: boolean; ended: boolean }[] = []
  const keep = (found: ReturnType<typeof splitter.push>): void => {
    for (const { bytes: line, ...rest } of found)
      lines.push({ ...rest, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(line) })
  }
  for (let at = 0; at < bytes.length; at += chunkSize)
    keep(splitter.push(bytes.slice(at, at + chunkSize)))
  keep(splitter.end())
  return lines
}

const texts = (content: string, chunkSize?: number): string[] =>
  split(content, chunkSize).map(({ text }) => text)

test.each([
  ['nothing', '', []],
  ['one line', 'a\n', ['a']],
  ['a last line without an end', 'a\nb', ['a', 'b']],
  ['blank lines', '\n\na\n', ['', '', 'a']],
  ['carriage returns', 'a\r\n\r\nb\r', ['a', '', 'b']],
  ['a carriage return inside', 'a\rb\n', ['a\rb']],
  ['a byte-order mark at the beginning', '\uFEFFa\n', ['a']],
  ['some elsewhere', 'a\n\uFEFF\uFEFFb\nc\uFEFF', ['a', 'b', 'c\uFEFF']],
  ['characters of several bytes', 'é漢😀\n漢', ['é漢😀', '漢']],
])('%s', (_name, content, expected) => {
  expect(texts(content)).toEqual(expected)
  expect(texts(content, 1)).toEqual(expected)
  expect(texts(content, 2)).toEqual(expected)
})

test('lines know their number, and whether they end', () => {
  expect(split('a\nb').map(({ number, ended }) => ({ number, ended }))).toEqual([
    { number: 1, ended: true },
    { number: 2, ended: false },
  ])
})

test.each([1, 3, 1000])(
  'a line over the limit is passed over, with chunks of %i bytes',
  (chunkSize) => {
    const lines = split(`ok\n${'x'.repeat(50)}\nfine\n${'y'.repeat(11)}`, chunkSize, 10)
    expect(lines).toEqual([
      { number: 1, text: 'ok', size: 2, tooLong: false, ended: true },
      { number: 2, text: '', size: 50, tooLong: true, ended: true },
      { number: 3, text: 'fine', size: 4, tooLong: false, ended: true },
      { number: 4, text: '', size: 11, tooLong: true, ended: false },
    ])
  },
)

test('a line just at the limit is kept', () => {
  expect(split(`${'x'.repeat(10)}\n`, 3, 10)[0]).toMatchObject({ size: 10, tooLong: false })
})

test('chunk boundaries make no difference', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', '\n', '\r', 'é', '😀', 'bc'), { maxLength: 40 }),
      fc.integer({ min: 1, max: 9 }),
      (parts, chunkSize) => {
        expect(split(parts.join(''), chunkSize, 8)).toEqual(split(parts.join(''), 1000, 8))
      },
    ),
  )
})
