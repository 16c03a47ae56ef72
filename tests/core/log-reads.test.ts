import { expect, it } from 'vitest'
import { eventsBetween } from '../../src/core/log-reads.ts'
import { logOf } from '../fixtures/logs.ts'

it('events are found by seq where a seq is not a place', () => {
  const events = logOf([{ seq: 4 }, { seq: 5 }, { seq: 9 }])
  expect(eventsBetween(events, 5, 9).map(({ seq }) => seq)).toEqual([5, 9])
})

// A log whose last seq happens to be its last place is taken for one whose seqs are all places.
it.fails('events are found by seq also where only the last seq is a place', () => {
  const events = logOf([{ seq: 0 }, { seq: 5 }, { seq: 2 }])
  expect(eventsBetween(events, 5, 5).map(({ seq }) => seq)).toEqual([5])
})
