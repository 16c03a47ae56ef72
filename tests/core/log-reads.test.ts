import { expect, it } from 'vitest'
import { eventsBetween } from '../../src/core/log-reads.ts'
import { logOf } from '../fixtures/logs.ts'

it.each([[[4, 5, 9]], [[0, 5, 2]], [[5, 0, 9]]])(
  'events of %j are found by seq where a seq is no place',
  (seqs) => {
    const events = logOf(seqs.map((seq) => ({ seq })))
    expect(eventsBetween({ events, folds: false }, 5, 5).map(({ seq }) => seq)).toEqual([5])
  },
)

it('events of a log that folds are cut out by place', () => {
  const log = { events: logOf([{}, {}, {}]), folds: true }
  expect(eventsBetween(log, -2, 1).map(({ seq }) => seq)).toEqual([0, 1])
  expect(eventsBetween(log, 2, 9).map(({ seq }) => seq)).toEqual([2])
})
