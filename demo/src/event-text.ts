import type { SessionEvent } from 'session-query'

const briefLength = 160

/** What was said or done in an event, for people; empty for an event that says nothing in words. */
export function textOf({ type, data }: SessionEvent): string {
  if (!isRecord(data)) return ''
  switch (type) {
    case 'user/message':
      return blocksText(data['content'])
    case 'assistant/message':
    case 'tool/result':
      return isRecord(data['message']) ? blocksText(data['message']['content']) : ''
    case 'tool/call':
      return joined([data['name'], data['arguments']], ' ')
    case 'todo/write':
      return Array.isArray(data['todos']) ? joined(data['todos'].map(todoText), '\n') : ''
    case 'session/title':
      return joined([data['title']], '')
    case 'turn/end':
      return reasonText(data['reason'])
    default:
      return ''
  }
}

/** The text on one line, or what the data holds where there is no text. */
export function briefOf(event: SessionEvent): string {
  if (isBoundary(event.type)) return placeText(event.data)
  const text = event.type === 'assistant/chunk' ? chunkText(event.data) : textOf(event)
  // Cut before it is looked through: a text can have megabytes.
  const line = text
    .slice(0, 4 * briefLength)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return cut(line === '' ? fieldNames(event.data) : line)
}

/** Whether an event only says where a turn or step begins or ends. */
export function isBoundary(type: string): boolean {
  return type === 'turn/start' || type === 'step/start' || type === 'step/end'
}

function fieldNames(data: unknown): string {
  return isRecord(data) ? Object.keys(data).join(', ') : ''
}

function placeText(data: unknown): string {
  if (!isRecord(data)) return ''
  const { turn, step } = data
  return [turn, step].filter((count) => typeof count === 'number').join('.')
}

function cut(text: string): string {
  return text.length > briefLength
    ? `${text.slice(0, briefLength).replace(/[\uD800-\uDBFF]$/, '')}…`
    : text
}

function chunkText(data: unknown): string {
  if (!isRecord(data) || !isRecord(data['chunk'])) return ''
  return joined([data['chunk']['text'] ?? data['chunk']['argumentsDelta'] ?? data['chunk']['type']], '')
}

function blocksText(blocks: unknown): string {
  return Array.isArray(blocks) ? joined(blocks.map(blockText), '\n\n') : ''
}

function blockText(block: unknown): string {
  if (!isRecord(block)) return ''
  switch (block['type']) {
    case 'text':
      return joined([block['text']], '')
    case 'tool-call':
      return joined([block['name'], block['arguments']], ' ')
    case 'tool-result':
      return blocksText(block['content'])
    default:
      return ''
  }
}

function todoText(todo: unknown): string {
  if (!isRecord(todo)) return ''
  const mark = todo['status'] === 'completed' ? '✓' : todo['status'] === 'in_progress' ? '▸' : '○'
  return joined([mark, todo['content']], ' ')
}

function reasonText(reason: unknown): string {
  if (!isRecord(reason)) return ''
  const error = reason['error']
  return joined([reason['kind'], isRecord(error) ? error['message'] : undefined], ': ')
}

function joined(parts: readonly unknown[], separator: string): string {
  return parts.filter((value) => typeof value === 'string' && value !== '').join(separator)
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
