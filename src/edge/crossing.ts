import type { JsonText } from '../core/protocol.ts'

/**
 * A value on its way between an object and its caller. A call takes and gives 32 MiB at most, so what is long goes as a
 * stream, which has no such limit.
 */
export type Crossing = JsonText<unknown> | { readonly stream: ReadableStream<Uint8Array> }

/** In UTF-16 units, of which each takes three bytes at most. */
const longestText = 8_000_000

export function crossing(value: JsonText<unknown>): Crossing {
  const { json, bytes } = value
  if (json === undefined || bytes !== undefined || json.length <= longestText) return value
  const stream = new Response(json).body
  return stream === null ? value : { stream }
}

/** What has crossed. */
export async function arrived(value: Crossing): Promise<JsonText<unknown>> {
  return 'stream' in value ? { json: await new Response(value.stream).text() } : value
}

/** Whether a request is one that crosses so; others are cloned as they are. */
export function isCrossing(request: unknown): request is Crossing {
  return typeof request === 'object' && request !== null && ('json' in request || 'stream' in request)
}
