import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionRecord } from '../../src/core/corpus.ts'
import { isSessionQueryError } from '../../src/core/errors.ts'
import { nested, traceLineage, type SessionTree } from '../../src/core/lineage.ts'
import { compareCodePoints } from '../../src/core/order.ts'

const ids = ['a', 'b', 'c', '\uFF01', '🚀', 'f', 'g']

/** A few sessions, each with a parent that may be itself, another, one that is gone, or none. */
const forests = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1 }),
    fc.array(fc.option(fc.constantFrom(...ids, 'gone'), { nil: undefined, freq: 3 }), {
      minLength: 7,
      maxLength: 7,
    }),
    fc.array(fc.nat(2), { minLength: 7, maxLength: 7 }),
  )
  .map(([present, parents, times]) =>
    present.map((id, at): SessionRecord => {
      const parentSession = parents[at]
      const header = { version: 0, id, createdAt: times[at] ?? 0 }
      return {
        header: parentSession === undefined ? header : { ...header, parentSession },
        live: false,
        persisted: true,
      }
    }),
  )

describe('lineage', () => {
  it('agrees with a walk that follows one step at a time', () => {
    fc.assert(
      fc.property(forests, fc.constantFrom(...ids), (records, target) => {
        expect(actual(records, target)).toEqual(naive(records, target))
      }),
      { numRuns: 1000 },
    )
  })
})

function actual(records: readonly SessionRecord[], target: string): unknown {
  try {
    return nested(traceLineage(records, target))
  } catch (error) {
    return isSessionQueryError(error) ? error.code : error
  }
}

function naive(records: readonly SessionRecord[], target: string): unknown {
  const find = (id: string | undefined): SessionRecord | undefined =>
    records.find(({ header }) => header.id === id)
  const start = find(target)
  if (start === undefined) return 'SESSION_QUERY_SESSION_NOT_FOUND'
  const ancestors: SessionRecord[] = []
  for (
    let at = find(start.header.parentSession);
    at !== undefined;
    at = find(at.header.parentSession)
  ) {
    ancestors.push(at)
    if (ancestors.length > records.length) return 'SESSION_QUERY_INVALID_LINEAGE'
  }
  const top = ancestors.at(-1) ?? start
  const trace = { target: start, ancestors, descendants: below(records, target) }
  const unresolvedParentId = top.header.parentSession
  return unresolvedParentId === undefined
    ? { ...trace, complete: true, root: top }
    : { ...trace, complete: false, unresolvedParentId }
}

function below(records: readonly SessionRecord[], parent: string): SessionTree[] {
  return records
    .filter(({ header }) => header.parentSession === parent)
    .toSorted(
      (a, b) => a.header.createdAt - b.header.createdAt || compareCodePoints(a.header.id, b.header.id),
    )
    .map((session) => ({ session, descendants: below(records, session.header.id) }))
}
