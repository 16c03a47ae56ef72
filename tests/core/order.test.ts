import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareCodePoints } from '../../src/core/order.ts'

it('orders by code point, not by UTF-16 unit', () => {
  expect(['🚀', '\uFF01', 'a', 'B', ''].toSorted(compareCodePoints)).toEqual([
    '',
    'B',
    'a',
    '\uFF01',
    '🚀',
  ])
})

it('agrees with the order of UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
  )
})
