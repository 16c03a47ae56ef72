import { expect, test } from 'vitest'
import { instantOf, isAfter } from '../../src/tools/instant.ts'

test.each([
  ['2026-03-01T10:00:00Z', Date.UTC(2026, 2, 1, 10), ''],
  ['2026-03-01T10:00Z', Date.UTC(2026, 2, 1, 10), ''],
  ['2026-03-01T18:00:00+08:00', Date.UTC(2026, 2, 1, 10), ''],
  ['2026-03-01T10:00:00-00:30', Date.UTC(2026, 2, 1, 10, 30), ''],
  ['2026-03-01T10:00:00.5Z', Date.UTC(2026, 2, 1, 10, 0, 0, 500), ''],
  ['2026-03-01T10:00:00.000500Z', Date.UTC(2026, 2, 1, 10), '5'],
  ['2026-03-01T10:00:00.123456789Z', Date.UTC(2026, 2, 1, 10, 0, 0, 123), '456789'],
  ['1969-12-31T23:59:59.9999Z', -1, '9'],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29), ''],
  ['0000-02-29T00:00:00Z', new Date('0000-02-29T00:00:00.000Z').getTime(), ''],
  ['9999-12-31T23:59:59.999Z', Date.UTC(9999, 11, 31, 23, 59, 59, 999), ''],
])('%s is a time', (text, ms, rest) => {
  expect(instantOf(text)).toEqual({ ms, rest, text })
})

test.each([
  '2026-02-30T10:00:00Z',
  '2023-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T23:60:00Z',
  '2026-01-01T23:59:60Z',
  '2026-01-01T00:00:00',
  '2026-01-01',
  '2026-01-01 00:00:00Z',
  '2026-01-01T00:00:00z',
  '2026-01-01t00:00:00Z',
  '2026-1-1T00:00:00Z',
  '+002026-01-01T00:00:00Z',
  '2026-01-01T00:00:00,5Z',
  '2026-01-01T00:00:00.Z',
  '2026-01-01T00:00.5Z',
  '2026-01-01T00:00:00+0800',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00+08:60',
  ' 2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00Z\n',
  '２026-01-01T00:00:00Z',
  '2026-01-01T00:00:00−08:00',
  'yesterday',
  '',
])('%j is none', (text) => {
  expect(instantOf(text)).toBeUndefined()
})

test('times are told apart below a millisecond', () => {
  expect(later('2026-03-01T10:00:00.0002Z', '2026-03-01T10:00:00.0001Z')).toBe(true)
  expect(later('2026-03-01T10:00:00.00019Z', '2026-03-01T10:00:00.0002Z')).toBe(false)
  expect(later('2026-03-01T10:00:00.00010Z', '2026-03-01T10:00:00.0001Z')).toBe(false)
  expect(later('2026-03-01T10:00:00.0001Z', '2026-03-01T18:00:00+08:00')).toBe(true)
})

function later(one: string, other: string): boolean {
  return isAfter(instant(one), instant(other))
}

function instant(text: string): NonNullable<ReturnType<typeof instantOf>> {
  const found = instantOf(text)
  if (found === undefined) throw new Error(`${text} is no time`)
  return found
}
