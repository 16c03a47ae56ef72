import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../src/core/json.ts'
import { latestTitle, titleOf } from '../../src/core/title.ts'
import { logOf } from '../fixtures/logs.ts'

const good: JsonValue = { title: 'Plan', messageSeqs: [0], source: { kind: 'user' } }

function titleFrom(...data: JsonValue[]): unknown {
  return latestTitle(logOf(data.map((value) => ({ type: 'session/title', data: value }))))
}

describe('titles', () => {
  it('are given with their event', () => {
    const [event] = logOf([{ type: 'session/title', data: good }])
    expect(event && titleOf(event)).toEqual({
      title: 'Plan',
      messageSeqs: [0],
      source: { kind: 'user' },
      eventSeq: 0,
      updatedAt: 1000,
    })
  })

  it('count from the latest on, and pass over malformed ones', () => {
    expect(
      titleFrom(good, { ...Object(good), title: 'New' }, { ...Object(good), title: 42 }),
    ).toMatchObject({
      title: 'New',
      eventSeq: 1,
    })
  })

  it.each<[string, JsonValue]>([
    ['a title that is not text', { ...Object(good), title: null }],
    ['a source of no known kind', { ...Object(good), source: { kind: 'oracle' } }],
    ['no source', { title: 'T', messageSeqs: [] }],
    ['no seqs', { title: 'T', source: { kind: 'user' } }],
    ['seqs that are text', { ...Object(good), messageSeqs: 'ab' }],
    ['seqs that are not seqs', { ...Object(good), messageSeqs: [-1] }],
  ])('are not taken from %s', (_name, data) => {
    expect(titleFrom(data)).toBeUndefined()
  })
})
