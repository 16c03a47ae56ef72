import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lossOf, maxDepth, sameJson } from '../../src/core/json.ts'

class Thing {
  readonly part = 1
}

describe('lossOf', () => {
  const loop: { self?: unknown } = {}
  loop.self = loop
  const holes: unknown[] = [1]
  holes[2] = 3
  let deep: unknown = 1
  for (let level = 0; level <= maxDepth; level += 1) deep = [deep]
  it.each<[string, unknown, RegExp]>([
    ['undefined', { a: [{ b: undefined }] }, /^data\.a\[0\]\.b is undefined/],
    ['a function', { f: () => 1 }, /^data\.f is a function/],
    ['a symbol', [Symbol('s')], /^data\[0\] is a symbol/],
    ['a bigint', { n: 1n }, /^data\.n is a bigint/],
    ['NaN', { n: Number.NaN }, /^data\.n is NaN/],
    ['infinity', { n: -Infinity }, /^data\.n is -Infinity/],
    ['minus zero', { n: -0 }, /^data\.n is -0/],
    ['a cycle', loop, /^data\.self contains itself/],
    ['holes', holes, /holes/],
    ['a date', { at: new Date(0) }, /^data\.at is an instance of Date/],
    ['a map', new Map(), /^data is an instance of Map/],
    ['a class', new Thing(), /instance of Thing/],
    [
      'an accessor',
      {
        get a(): number {
          return 1
        },
      },
      /accessor, a/,
    ],
    ['toJSON', { toJSON: () => 1 }, /toJSON/],
    ['a symbol key', { [Symbol('s')]: 1 }, /symbol for a key/],
    ['a hidden member', Object.defineProperty({}, 'h', { value: 1 }), /hidden member, h/],
    ['odd keys', { 'a b': [undefined] }, /^data\["a b"\]\[0\] is undefined/],
    ['depth', deep, /nests more than 1000 levels/],
  ])('names %s', (_name, value, message) => {
    expect(lossOf(value, 'data')).toMatch(message)
  })

  it('finds nothing in JSON, and everything it passes comes back the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value))
        expect(lossOf(parsed)).toBeUndefined()
      }),
    )
    expect(lossOf({ a: ['\ud800', '\u0000'], __proto__: null })).toBeUndefined()
  })

  it('lets a value stand in two places', () => {
    const shared = { a: 1 }
    expect(lossOf([shared, shared])).toBeUndefined()
  })
})

describe('sameJson', () => {
  it.each([
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [[1, 2], [2, 1], false],
    [{ a: 1 }, { a: 1, b: 1 }, false],
    [{ a: undefined }, { b: undefined }, false],
    [[], {}, false],
    [null, {}, false],
    ['1', 1, false],
  ])('compares %j with %j', (left, right, same) => {
    expect(sameJson(left, right)).toBe(same)
  })
})
