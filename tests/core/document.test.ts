import { describe, expect, it } from 'vitest'
import { semanticText } from '../../src/core/document.ts'
import type { JsonValue } from '../../src/core/json.ts'
import type { SessionEvent } from '../../src/core/session.ts'

function textOf(type: string, data: JsonValue): string {
  return semanticText({ type, seq: 0, time: 0, data } satisfies SessionEvent)
}

const user = (...content: JsonValue[]): JsonValue => ({
  id: 'm',
  role: 'user',
  content,
  source: { kind: 'user' },
})
const assistant = (...content: JsonValue[]): JsonValue => ({
  turn: 1,
  step: 1,
  message: { id: 'a', role: 'assistant', content },
})
const result = (content: JsonValue[], more: object = {}): JsonValue => ({
  turn: 1,
  step: 1,
  message: { role: 'user', content: [{ type: 'tool-result', toolCallId: 'c', content }] },
  ...more,
})
const text = (value: JsonValue): JsonValue => ({ type: 'text', text: value })

describe('semanticText', () => {
  it.each<[string, string, JsonValue, string]>([
    [
      'text blocks, trimmed and joined',
      'user/message',
      user(text(' one '), text('  '), text('two')),
      'one\ntwo',
    ],
    [
      'no reasoning',
      'assistant/message',
      assistant({ type: 'reasoning', text: 'hm' }, text('yes')),
      'yes',
    ],
    ['no image', 'user/message', user({ type: 'image', alt: 'a cat' }, text('look')), 'look'],
    ['no unknown block', 'user/message', user({ type: 'mystery', text: 'no' }), ''],
    [
      'tool calls of a message',
      'assistant/message',
      assistant({ type: 'tool-call', id: 'c', name: ' read ', arguments: ' {} ' }),
      'read\n{}',
    ],
    [
      'a tool call',
      'tool/call',
      { turn: 1, step: 1, callId: 'c', name: 'read', arguments: 'a.txt' },
      'read\na.txt',
    ],
    ['a tool result', 'tool/result', result([text('body')]), 'body'],
    [
      'a tool error',
      'tool/result',
      result([text('boom')], { error: { name: 'E', code: 'C' } }),
      'boom\nE\nC',
    ],
    [
      'a nested result',
      'tool/result',
      result([
        { type: 'tool-result', toolCallId: 'n', content: [text('in'), text('side')] },
        text('out'),
      ]),
      'in\nside\nout',
    ],
    [
      'todos',
      'todo/write',
      {
        todos: [
          { content: 'ship', status: 'pending' },
          { content: ' ', status: 'done' },
        ],
      },
      'pending\nship\ndone',
    ],
    [
      'a failed turn',
      'turn/end',
      { turn: 1, reason: { kind: 'error', error: { message: ' no key ', code: 'X' } } },
      'error\nno key',
    ],
    ['an aborted turn', 'turn/end', { turn: 1, reason: { kind: 'aborted', reason: 'why' } }, 'aborted'],
    ['a turn at its limit', 'turn/end', { turn: 1, reason: { kind: 'max-tokens' } }, 'max-tokens'],
    ['an interrupted turn', 'turn/end', { turn: 1, reason: { kind: 'interrupted' } }, 'interrupted'],
    ['nothing of a completed turn', 'turn/end', { turn: 1, reason: { kind: 'completed' } }, ''],
    ['nothing of a blocked turn', 'turn/end', { turn: 1, reason: { kind: 'blocked' } }, ''],
    ['nothing of an unknown end', 'turn/end', { turn: 1, reason: { kind: 'eclipse' } }, ''],
    [
      'a title',
      'session/title',
      { title: ' The plan ', messageSeqs: [], source: { kind: 'user' } },
      'The plan',
    ],
    [
      'nothing of a chunk',
      'assistant/chunk',
      { turn: 1, step: 1, chunk: { type: 'text-delta', text: 'x' } },
      '',
    ],
    ['nothing of a request', 'request/header', { header: { system: 'prompt' } }, ''],
    ['nothing of an unknown type', 'future/thing', { text: 'x' }, ''],
    ['nothing of a message without content', 'user/message', { text: 'x' }, ''],
    ['nothing of a message whose content is text', 'user/message', { role: 'user', content: 'x' }, ''],
    ['nothing of a message with a broken block', 'user/message', user(text(5), text('x')), ''],
    [
      'nothing of a message with another role',
      'user/message',
      { role: 'assistant', content: [text('x')] },
      '',
    ],
    [
      'nothing of an assistant message without its message',
      'assistant/message',
      { content: [text('x')] },
      '',
    ],
    ['nothing of a call whose name is not text', 'tool/call', { name: 5, arguments: '{}' }, ''],
    ['nothing of todos of another shape', 'todo/write', { items: [] }, ''],
    ['nothing of a turn without reason', 'turn/end', { turn: 1 }, ''],
    ['nothing where data is not an object', 'user/message', 'x', ''],
  ])('gives %s', (_name, type, data, expected) => {
    expect(textOf(type, data)).toBe(expected)
  })
})
