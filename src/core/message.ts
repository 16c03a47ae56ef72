import { isObject } from './json.ts'
import { surfaceTypes, type SessionEvent } from './session.ts'

/** The blocks of a message event that {@link isMessage} holds for. */
export function messageOf(event: SessionEvent): readonly unknown[] {
  const content = carrier(event)?.['content']
  return Array.isArray(content) ? content : []
}

/** Whether an event of a surface type carries the message that its type promises. */
export function isMessage(event: SessionEvent): boolean {
  const message = carrier(event)
  if (message === undefined || !Array.isArray(message['content'])) return false
  const content: readonly unknown[] = message['content']
  if (!content.every(isBlock)) return false
  switch (event.type) {
    case 'user/message':
      return message['role'] === 'user'
    case 'assistant/message':
      return message['role'] === 'assistant'
    default:
      return content.length === 1 && isObject(content[0]) && content[0]['type'] === 'tool-result'
  }
}

/** The first event that should be a message and is not. */
export function firstBrokenMessage(events: readonly SessionEvent[]): SessionEvent | undefined {
  return events.find((event) => surfaceTypes.has(event.type) && !isMessage(event))
}

function carrier(event: SessionEvent): { readonly [key: string]: unknown } | undefined {
  const { data } = event
  if (!isObject(data)) return undefined
  if (event.type === 'user/message') return data
  return isObject(data['message']) ? data['message'] : undefined
}

/** Blocks of unknown types pass; known ones must have what their type promises. */
function isBlock(root: unknown): boolean {
  const stack = [root]
  while (stack.length > 0) {
    const block = stack.pop()
    if (!isObject(block)) return false
    switch (block['type']) {
      case 'text':
      case 'reasoning':
        if (typeof block['text'] !== 'string') return false
        break
      case 'tool-call':
        if (typeof block['name'] !== 'string' || typeof block['arguments'] !== 'string') return false
        break
      case 'tool-result':
        if (!Array.isArray(block['content'])) return false
        for (const inner of block['content']) stack.push(inner)
        break
      default:
        if (typeof block['type'] !== 'string') return false
    }
  }
  return true
}
