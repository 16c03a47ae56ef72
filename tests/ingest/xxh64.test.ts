import { expect, test } from 'vitest'
import { createXxh64 } from '../../src/ingest/xxh64.ts'
import { bytesOf } from './logs.ts'

test.each([
  ['', 0xef46db3751d8e999n],
  ['a', 0xd24ec4f1a98c6e5bn],
  ['as', 0x1c330fb2d66be179n],
  ['asd', 0x631c37ce72a97393n],
  ['asdf', 0x415872f599cea71en],
  ['abc', 0x44bc2cf5ad770999n],
  ['Nobody inspects the spammish repetition', 0xfbcea83c8a378bf1n],
  ['Call me Ishmael. Some years ago--never mind how long precisely-', 0x02a2e85470d6fd96n],
])('the hash of %j, however it is cut', (text, expected) => {
  const bytes = bytesOf(text)
  for (const size of [1, 7, 31, 32, 33, 1000]) {
    const hash = createXxh64()
    for (let at = 0; at < bytes.length; at += size) hash.update(bytes.subarray(at, at + size))
    expect(hash.digest()).toBe(expected)
  }
})
