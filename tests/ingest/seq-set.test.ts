import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSeqSet } from '../../src/ingest/seq-set.ts'

test('a set of seqs says what a set says', () => {
  const seq = fc.oneof(fc.nat(70), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }))
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), seq)), (steps) => {
      const [seqs, oracle] = [createSeqSet(), new Set<number>()]
      for (const [adds, value] of steps) {
        if (adds) expect(seqs.add(value)).toBe(!oracle.has(value))
        else expect(seqs.delete(value)).toBe(oracle.has(value))
        if (adds) oracle.add(value)
        else oracle.delete(value)
      }
    }),
  )
})
