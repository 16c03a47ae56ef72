import { isObject } from './json.ts'
import { isMessage, messageOf } from './message.ts'
import type { SessionEvent } from './session.ts'

/**
 * The searchable text of an event: what search, text filters and summaries go by. Its parts are
 * trimmed, empty ones dropped, and joined with a newline. Reasoning, images, streamed chunks,
 * boundaries, request envelopes and types that are not known give none; nor does an event whose
 * payload is not what its type promises.
 *
 * @returns the empty string for an event that is not searchable
 */
export function semanticText(event: SessionEvent): string {
  return partsOf(event)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n')
}

function partsOf(event: SessionEvent): readonly string[] {
  const { data } = event
  if (!isObject(data)) return []
  switch (event.type) {
    case 'user/message':
    case 'assistant/message':
      return isMessage(event) ? blockParts(messageOf(event)) : []
    case 'tool/result':
      return isMessage(event)
        ? [...blockParts(messageOf(event)), ...strings(data['error'], 'name', 'code')]
        : []
    case 'tool/call':
      return strings(data, 'name', 'arguments')
    case 'todo/write':
      return Array.isArray(data['todos'])
        ? data['todos'].flatMap((todo: unknown) => strings(todo, 'status', 'content'))
        : []
    case 'turn/end':
      return reasonParts(data['reason'])
    case 'session/title':
      return strings(data, 'title')
    default:
      return []
  }
}

function blockParts(content: readonly unknown[]): string[] {
  const parts: string[] = []
  const queue = content.toReversed()
  while (queue.length > 0) {
    const block = queue.pop()
    if (!isObject(block)) continue
    if (block['type'] === 'text') parts.push(...strings(block, 'text'))
    else if (block['type'] === 'tool-call') parts.push(...strings(block, 'name', 'arguments'))
    else if (block['type'] === 'tool-result' && Array.isArray(block['content'])) {
      for (const inner of block['content'].toReversed()) queue.push(inner)
    }
  }
  return parts
}

function reasonParts(reason: unknown): readonly string[] {
  if (!isObject(reason)) return []
  switch (reason['kind']) {
    case 'error':
      return ['error', ...strings(reason['error'], 'message')]
    case 'aborted':
    case 'max-tokens':
    case 'interrupted':
      return [reason['kind']]
    default:
      return []
  }
}

/** The named members, all of them strings; none when one is not. */
function strings(holder: unknown, ...names: readonly string[]): readonly string[] {
  if (!isObject(holder)) return []
  const values = names.map((name) => holder[name])
  return values.every((value) => typeof value === 'string') ? values : []
}
