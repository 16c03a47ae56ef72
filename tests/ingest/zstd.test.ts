import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findFrame } from '../../src/ingest/zstd-format.ts'
import { plainBytes, type ZstdDamage } from '../../src/ingest/zstd.ts'
import { bytesOf, chunked, rawFrame, skippableFrame } from './logs.ts'

async function unpacked(bytes: Uint8Array, chunkSize = 1 << 16) {
  const damages: ZstdDamage[] = []
  const parts: Uint8Array[] = []
  for await (const part of plainBytes(chunked(bytes, chunkSize), (damage) => damages.push(damage))) {
    parts.push(part.slice())
  }
  return { text: new TextDecoder().decode(bytesOf(...parts)), damages }
}

/** Two frames made by `zstd -1 --no-check` and `zstd -19`, 40 and 60 lines of text. */
const compressed = Uint8Array.from(
  atob(
    'KLUv/QBIRQkARlIrEsClDSZoCmv7t5O9tGVKVmpwWC0AJQAhADUBIQzj7O4pBVDmExDCMPBonVIAZTwBIQwjmzelAM' +
      'p0AkIYBk0pgDI0ASEMASVIbStNrcmy1MNsXnvupe0n+JfZVe2KWFraBIQwDHKkn1IAZQL42olG9uWljSj9Gl3X1WlC' +
      'ajxaTYqsLXO1JvWWjrjFwzajhUi/k+gneh7J8KR3fjmJ75f4VDcfy8o/u/tG0vavthtFIGCj0gNZyJqZnAnLibD8ZD' +
      'FrZvLLQtaZ5SeLrDKbXxayZia/WWSVWU6EzUmYnAlbzo8slFnLLCk/WSDPejQzY/kVZUE867DMhOUXlAXwrL8y85Vf' +
      'Txa8s+5mNqfuzHLlxJXDDaHZfA0d7HhDHHqw8QxRBm2VDTMotS/9BGjdBwAGmDIUwCXDASZoCmv7N1cmmVJKktV7Pk' +
      'MwACoAKgCyn0Sm/AUlWq2oLP4akfhXMkSkod3OrceTJA3u1dkUmSNCmCwbBgUAgyE4BBAIDART/D5qjFjPuCNKLXeU' +
      'VH/tVFFTjV2CUgrLDLkmVv0+KdEcXbarxzSkoAo1iYa6d8WpUSgx3eIS7tTcJJ+pgshL2J1a1RE+6XHaLUFTnLHExg' +
      'aJ0KyCvPYah+mj3MSZsBub1h9JMr2d/UyNYySERqKkiEE1dNfX+okLuSsyqksCdqgR0JHQt/4G4OcQJB86vDyjAtfT' +
      'w3GUYp6LQxBx+3t42rw84W5gxKPDE9xNVVfm1Rg=',
  ),
  (character) => character.charCodeAt(0),
)
const compressedText = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `line ${from + at} says ${(from + at) * 7919}\n`).join(
    '',
  )

const chunkSizes = [1, 2, 3, 7, 17, 18, 19, 1 << 16]

test.each([
  ['nothing', ''],
  ['text', 'plain text\n'],
  ['less than a magic number', 'ab'],
])('what is not compressed comes out as it is: %s', async (_name, content) => {
  for (const size of chunkSizes) {
    expect(await unpacked(bytesOf(content), size)).toEqual({ text: content, damages: [] })
  }
})

test.each([
  ['one frame', rawFrame('a\n'), 'a\n'],
  ['an empty frame', rawFrame(''), ''],
  ['an empty frame of one segment', rawFrame('', { singleSegment: true }), ''],
  ['frames', bytesOf(rawFrame('a\n'), rawFrame('b\n'), rawFrame('c\n')), 'a\nb\nc\n'],
  [
    'frames with checksums',
    bytesOf(rawFrame('a\n', { checksum: true }), rawFrame('b\n', { checksum: true })),
    'a\nb\n',
  ],
  [
    'frames of one segment',
    bytesOf(rawFrame('a\n', { singleSegment: true }), rawFrame('bc\n', { singleSegment: true })),
    'a\nbc\n',
  ],
  ['blocks of one byte', rawFrame('abcdefgh\n', { blockSize: 1 }), 'abcdefgh\n'],
  [
    'skippable frames',
    bytesOf(
      skippableFrame(Uint8Array.of(1, 2, 3)),
      rawFrame('a\n'),
      skippableFrame(new Uint8Array(99)),
      rawFrame('b\n'),
    ),
    'a\nb\n',
  ],
  ['a skippable frame alone', skippableFrame(new Uint8Array(0)), ''],
  ['real frames', compressed, compressedText(0, 40) + compressedText(40, 100)],
])('%s come out whole, however they are cut into chunks', async (_name, bytes, text) => {
  for (const size of chunkSizes) expect(await unpacked(bytes, size)).toEqual({ text, damages: [] })
})

test('a frame that is larger than a block keeps its window', async () => {
  const text = Array.from({ length: 30_000 }, (_, at) => `line ${at}\n`).join('')
  expect((await unpacked(rawFrame(text, { blockSize: 50_000 }))).text).toBe(text)
})

test('a torn last frame gives everything before the tear', async () => {
  const frames = bytesOf(rawFrame('first\n'), rawFrame('second\nthird\n', { blockSize: 7 }))
  const first = rawFrame('first\n').length
  for (let cut = first + 1; cut < frames.length; cut += 1) {
    for (const size of [1, 1 << 16]) {
      const { text, damages } = await unpacked(frames.subarray(0, cut), size)
      expect('first\nsecond\nthird\n'.startsWith(text)).toBe(true)
      expect(text.startsWith('first\n')).toBe(true)
      expect(damages.map(({ kind }) => kind)).toEqual(['torn-compression'])
    }
  }
  expect((await unpacked(frames.subarray(0, first + 6 + 3 + 7 + 3 + 2))).text).toBe('first\nsecond\nth')
})

test('a torn compressed frame gives the frames before it', async () => {
  const { text, damages } = await unpacked(compressed.subarray(0, -5), 10)
  expect(text).toBe(compressedText(0, 40))
  expect(damages).toMatchObject([{ kind: 'torn-compression' }])
})

test('frames behind a torn one are read, on a new line', async () => {
  const torn = rawFrame('second\nthird\n', { blockSize: 7 }).subarray(0, -4)
  const { text, damages } = await unpacked(bytesOf(rawFrame('first\n'), torn, rawFrame('fourth\n')))
  expect(text).toBe('first\nsecond\nth\nfourth\n')
  expect(damages).toMatchObject([{ kind: 'corrupt-compression' }])
})

test('frames behind a damaged one are read', async () => {
  const bytes = bytesOf(rawFrame('a\n'), compressed, rawFrame('z\n'))
  bytes[rawFrame('a\n').length + 9] = 0xff
  bytes[rawFrame('a\n').length + 10] = 0xff
  const { text, damages } = await unpacked(bytes)
  expect(text.startsWith('a\n')).toBe(true)
  expect(text.endsWith(`${compressedText(40, 100)}z\n`)).toBe(true)
  expect(damages.map(({ kind }) => kind)).toEqual(['corrupt-compression'])
})

test('of a frame whose checksum does not match nothing is read', async () => {
  const middle = rawFrame('second\nthird\n', { checksum: true })
  const content = middle.length - 4 - 'second\nthird\n'.length
  for (let at = content; at < middle.length; at += 1) {
    const rotten = middle.slice()
    rotten[at] = (rotten[at] ?? 0) ^ 1
    for (const size of [1, 1 << 16]) {
      const { text, damages } = await unpacked(
        bytesOf('', rawFrame('a\n'), rotten, rawFrame('z\n')),
        size,
      )
      expect(text).toBe('a\nz\n')
      expect(damages).toMatchObject([{ kind: 'corrupt-compression' }])
      expect(damages[0]?.message).toContain('all of the frame that begins at byte 11 was left out')
    }
  }
})

test('what is wrong with a large frame is told although it was read', async () => {
  const text = 'a line of text\n'.repeat(700_000)
  const whole = rawFrame(text, { checksum: true, blockSize: 100_000 })
  expect((await unpacked(whole)).damages).toEqual([])
  whole[5_000_000] = 0x78
  const { text: read, damages } = await unpacked(bytesOf(whole, rawFrame('next\n')))
  expect(read).toHaveLength(text.length + 5)
  expect(damages).toMatchObject([
    { kind: 'corrupt-compression', message: expect.stringContaining('was read') as string },
  ])
})

/** Twenty lines by `zstd -19 --check`. */
const checked = Uint8Array.from(
  atob(
    'KLUv/QRo7QMA0ogVE6CnORjaQhCqSlwTIaFNFK54KgbAZ9PLZCU7LzqrcRs8+m5ifr/LeRut0FwnTQtdZsyfeaSxUK' +
      'suq6xFu2jX0lI9vMuwWFRZ2alccGCIcQQGGSIUAxEmqBBYKJB0z8CjaxASXw7axnR0TtmPycCSrRu0hlUE6BgP0FJv' +
      'Hto8',
  ),
  (character) => character.charCodeAt(0),
)

test('no bit of a frame with a checksum can change without being noticed', async () => {
  const [before, behind] = [rawFrame('a\n'), rawFrame('z\n')]
  expect((await unpacked(checked)).text).toBe(compressedText(0, 20))
  for (let bit = 0; bit < checked.length * 8; bit += 1) {
    const rotten = checked.slice()
    rotten[bit >> 3] = (rotten[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    const { text, damages } = await unpacked(bytesOf(before, rotten, behind))
    // In the header are bits that mean nothing for this frame.
    expect(['a\nz\n', `a\n${compressedText(0, 20)}z\n`], String(bit)).toContain(text)
    if (text === 'a\nz\n') expect(damages[0]?.kind).toBe('corrupt-compression')
  }
})

const secondFrame = compressed.subarray(findFrame(compressed, 4))

test.each([
  ['compressed', secondFrame, compressedText(40, 100)],
  ['compressed with a checksum', checked, compressedText(0, 20)],
  ['raw', rawFrame('one\ntwo\n', { blockSize: 4 }), 'one\ntwo\n'],
  ['raw with a checksum', rawFrame('one\ntwo\n', { checksum: true }), 'one\ntwo\n'],
  ['of one segment', rawFrame('one\ntwo\n', { singleSegment: true }), 'one\ntwo\n'],
])('a whole frame behind a torn one is found wherever the tear is: %s', async (_name, frame, text) => {
  for (let cut = 1; cut < frame.length; cut += 1) {
    const bytes = bytesOf(rawFrame('a\n'), frame.subarray(0, cut), frame, rawFrame('z\n'))
    const result = await unpacked(bytes)
    expect(result.text.startsWith('a\n') && result.text.endsWith(`${text}z\n`), String(cut)).toBe(true)
    expect(result.damages).toHaveLength(1)
    const before = result.text.slice(2, -text.length - 2).trimEnd()
    expect(text.startsWith(before)).toBe(true)
  }
})

test.each([
  [
    'rubbish between frames',
    bytesOf(rawFrame('a\n'), 'rubbish', rawFrame('b\n')),
    'a\nb\n',
    'there is no frame',
  ],
  [
    'zeros behind the last frame',
    bytesOf(rawFrame('a\n'), new Uint8Array(50)),
    'a\n',
    'there is no frame',
  ],
  ['a dictionary', Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 1, 0x38, 9, 1, 0, 0), '', 'dictionary'],
  ['a huge window', Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0xf8, 1, 0, 0), '', 'window'],
  ['a block of no type', Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0x38, 7, 0, 0), '', 'type'],
  [
    'a block beyond its frame',
    Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0, 3, 0xff, 0xff),
    '',
    'larger',
  ],
])('%s is reported', async (_name, bytes, text, message) => {
  const result = await unpacked(bytes)
  expect(result.text).toBe(text)
  expect(result.damages).toMatchObject([{ kind: 'corrupt-compression' }])
  expect(result.damages[0]?.message).toContain(message)
})

test('whatever is damaged, reading comes to an end', async () => {
  const bytes = bytesOf(compressed, rawFrame('a\nb\n', { blockSize: 2 }), compressed)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      async (changes) => {
        const damaged = bytes.slice()
        for (const [at, value] of changes) damaged[at] = value
        await unpacked(damaged, 50)
      },
    ),
    { numRuns: 200 },
  )
})
