import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSessionQueryError } from '../../src/core/errors.ts'
import type { SessionEvent, SurfaceOp } from '../../src/core/session.ts'
import { foldSurface, SurfaceFold, type Surface } from '../../src/core/surface.ts'
import { assistantMessage, logOf, toolResult, userMessage } from '../fixtures/logs.ts'

const replace = (start: number, end: number): SurfaceOp => ({ op: 'replace', start, end })

/** A value that the types forbid. */
const wrong = (value: unknown): never => value as never

describe('foldSurface', () => {
  it('keeps what was appended, in order, and nothing of the other types', () => {
    const events = logOf([
      { type: 'turn/start' },
      userMessage('a'),
      { type: 'tool/call' },
      toolResult('b'),
    ])
    expect(foldSurface(events)).toEqual({ nodes: [1, 3], replacements: [] })
  })

  it('puts a replacement where the nodes stood that it removes', () => {
    const events = logOf([
      userMessage('a'),
      userMessage('b'),
      userMessage('c'),
      userMessage('b, shorter', { surfaceOp: replace(1, 1), sourceEventSeqs: [1] }),
      assistantMessage('a and b', { surfaceOp: replace(0, 3), sourceEventSeqs: [3, 0] }),
    ])
    expect(foldSurface(events)).toEqual({
      nodes: [4, 2],
      replacements: [
        { seq: 3, removed: [1] },
        { seq: 4, removed: [0, 3] },
      ],
    })
  })

  it('lets a tool result be replaced by one that differs in its content alone', () => {
    const rewrite = toolResult('cut', { surfaceOp: replace(0, 0), sourceEventSeqs: [0] })
    expect(foldSurface(logOf([toolResult('long'), rewrite])).nodes).toEqual([1])
  })

  it('lets an assistant message have no sources, listed', () => {
    expect(foldSurface(logOf([assistantMessage('a', { sourceEventSeqs: [] })])).nodes).toEqual([0])
  })

  const a = userMessage('a')
  const b = userMessage('b')
  it.each<[string, Partial<SessionEvent>[], RegExp]>([
    ['a gap', [a, { ...b, seq: 2 }], /continues with seq 1/],
    ['a repeated seq', [a, { ...b, seq: 0 }], /continues with seq 1/],
    ['a first seq of 1', [{ ...a, seq: 1 }], /continues with seq 0/],
    ['a seq that is text', [{ ...a, seq: wrong('0') }], /seq "0"/],
    ['a surfaceOp on another type', [{ type: 'turn/start', surfaceOp: 'append' }], /carries surfaceOp/],
    [
      'sources on another type',
      [a, { type: 'tool/call', sourceEventSeqs: [0] }],
      /carries sourceEventSeqs/,
    ],
    ['a null surfaceOp on another type', [{ type: 'x', surfaceOp: wrong(null) }], /carries surfaceOp/],
    ['a message without surfaceOp', [{ type: 'user/message', data: {} }], /surfaceOp is undefined/],
    ['an unknown surfaceOp', [{ ...a, surfaceOp: wrong('prepend') }], /"prepend"; allowed are/],
    ['an empty surfaceOp', [{ ...a, surfaceOp: wrong({}) }], /surfaceOp is \{\}/],
    ['an unknown op', [a, { ...b, surfaceOp: wrong({ op: 'drop', start: 0, end: 0 }) }], /"drop"/],
    [
      'a fourth key',
      [a, { ...b, surfaceOp: wrong({ ...Object(replace(0, 0)), note: 1 }) }],
      /"note":1/,
    ],
    ['a missing end', [a, { ...b, surfaceOp: wrong({ op: 'replace', start: 0 }) }], /surfaceOp is/],
    ['a negative start', [a, { ...b, surfaceOp: replace(-1, 0) }], /surfaceOp is/],
    ['a fraction', [a, { ...b, surfaceOp: replace(0, 0.5) }], /surfaceOp is/],
    ['a start past safe integers', [a, { ...b, surfaceOp: replace(2 ** 53, 0) }], /surfaceOp is/],
    ['sources that are null', [a, { ...b, sourceEventSeqs: wrong(null) }], /sourceEventSeqs is null/],
    [
      'sources that are an object',
      [a, { ...b, sourceEventSeqs: wrong({ 0: 0 }) }],
      /sourceEventSeqs is/,
    ],
    ['empty sources', [a, { ...b, sourceEventSeqs: [] }], /empty/],
    ['empty sources of a tool result', [toolResult('r', { sourceEventSeqs: [] })], /empty/],
    ['a source that is itself', [a, { ...b, sourceEventSeqs: [1] }], /has 1; each/],
    ['a source that is text', [a, { ...b, sourceEventSeqs: [wrong('0')] }], /has "0"/],
    ['a source twice', [a, { ...b, sourceEventSeqs: [0, 0] }], /has 0 twice/],
    [
      'a start off the surface',
      [a, { ...b, surfaceOp: replace(7, 7), sourceEventSeqs: [0] }],
      /7 is not on/,
    ],
    [
      'an end off the surface',
      [a, { ...b, surfaceOp: replace(0, 7), sourceEventSeqs: [0] }],
      /7 is not on/,
    ],
    [
      'itself',
      [a, { ...b, surfaceOp: replace(1, 1), sourceEventSeqs: [0] }],
      /1 is not on the surface/,
    ],
    [
      'uncited nodes',
      [a, b, userMessage('c', { surfaceOp: replace(0, 1), sourceEventSeqs: [1] })],
      /removes 0/,
    ],
    [
      'a shadowed node',
      [
        a,
        userMessage('b', { surfaceOp: replace(0, 0), sourceEventSeqs: [0] }),
        userMessage('c', { surfaceOp: replace(0, 0), sourceEventSeqs: [0] }),
      ],
      /0 is not on the surface/,
    ],
    [
      'a start after the end, in model order',
      [
        a,
        b,
        userMessage('c', { surfaceOp: replace(0, 0), sourceEventSeqs: [0] }),
        userMessage('d', { surfaceOp: replace(1, 2), sourceEventSeqs: [1, 2] }),
      ],
      /1 stands after 2/,
    ],
    [
      'a tool result for a user message',
      [a, toolResult('r', { surfaceOp: replace(0, 0), sourceEventSeqs: [0] })],
      /itself a tool\/result/,
    ],
    [
      'a tool result for two',
      [
        toolResult('r'),
        toolResult('s'),
        toolResult('t', { surfaceOp: replace(0, 1), sourceEventSeqs: [0, 1] }),
      ],
      /exactly one node/,
    ],
    [
      'a tool result of another call',
      [toolResult('r'), toolResult('r', { surfaceOp: replace(0, 0), sourceEventSeqs: [0] }, 'other')],
      /only in the content/,
    ],
  ])('refuses %s', (_name, partial, message) => {
    const error = refusalOf(partial)
    expect(isSessionQueryError(error) && error.code).toBe('SESSION_QUERY_INVALID_SURFACE')
    expect((error as Error).message).toMatch(message)
  })
})

function refusalOf(partial: readonly Partial<SessionEvent>[]): unknown {
  try {
    foldSurface(logOf(partial))
  } catch (error) {
    return error
  }
  return undefined
}

describe('SurfaceFold', () => {
  it('stays as it was when it refuses an event', () => {
    const events = logOf([
      userMessage('a'),
      userMessage('b', { surfaceOp: replace(5, 5), sourceEventSeqs: [0] }),
    ])
    const fold = new SurfaceFold((seq) => events[seq])
    fold.append(events[0] as SessionEvent)
    expect(() => fold.append(events[1] as SessionEvent)).toThrow(/5 is not on the surface/)
    expect([fold.length, fold.nodes(), fold.replacements]).toEqual([1, [0], []])
  })

  it('agrees with a naive fold on any log', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(3))), (choices) => {
        const events = generated(choices)
        const fold = new SurfaceFold((seq) => events[seq])
        for (const event of events) fold.append(event)
        const naive = naiveFold(events)
        expect(fold.nodes()).toEqual(naive.nodes)
        expect(fold.replacements).toEqual(naive.replacements)
        for (const { seq } of events) {
          const replacement = naive.replacements.find(({ removed }) => removed.includes(seq))
          expect(fold.replacerOf(seq)).toBe(replacement?.seq)
          const state = naive.nodes.includes(seq)
            ? 'current'
            : replacement === undefined
              ? 'log-only'
              : 'shadowed'
          expect(fold.stateOf(seq)).toBe(state)
        }
      }),
    )
  })
})

/** A log that folds: each choice is an appended message, a replaced range, or another event. */
function generated(choices: readonly (readonly [number, number, number])[]): SessionEvent[] {
  const partial: Partial<SessionEvent>[] = []
  let nodes: number[] = []
  for (const [first, second, kind] of choices) {
    const seq = partial.length
    if (kind === 0) {
      partial.push({ type: 'turn/start' })
    } else if (kind === 1 || nodes.length === 0) {
      partial.push(userMessage(`message ${seq}`))
      nodes.push(seq)
    } else {
      const from = first % nodes.length
      const to = from + (second % (nodes.length - from))
      const removed = nodes.slice(from, to + 1)
      const surfaceOp = replace(removed[0] ?? 0, removed.at(-1) ?? 0)
      partial.push(userMessage(`message ${seq}`, { surfaceOp, sourceEventSeqs: removed }))
      nodes = [...nodes.slice(0, from), seq, ...nodes.slice(to + 1)]
    }
  }
  return logOf(partial)
}

/** The same by cutting and joining a list. */
function naiveFold(events: readonly SessionEvent[]): Surface {
  const nodes: number[] = []
  const replacements: { seq: number; removed: number[] }[] = []
  for (const { seq, surfaceOp } of events) {
    if (surfaceOp === 'append') nodes.push(seq)
    else if (surfaceOp !== undefined) {
      const from = nodes.indexOf(surfaceOp.start)
      const removed = nodes.splice(from, nodes.indexOf(surfaceOp.end) - from + 1, seq)
      replacements.push({ seq, removed })
    }
  }
  return { nodes, replacements }
}
