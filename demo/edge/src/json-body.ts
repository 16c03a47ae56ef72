import { Refusal } from './answers.ts'

/** In bytes; a call of an object takes no more than 32 MiB. */
const mostBytes = 16 * 1024 * 1024

/**
 * The body of a request, which has to be a JSON object.
 *
 * @throws Refusal 400, or 413 for one that is longer than 16 MiB
 */
export async function jsonBody(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const body = parsed(await text(request))
  if (typeof body === 'object' && body !== null) return body as Record<string, unknown>
  throw new Refusal(400, 'BAD_REQUEST', 'The body has to be a JSON object.')
}

async function text(request: Request): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  let read = 0
  let result = ''
  try {
    // To the end, also of one that is too long: the connection breaks under a body that is left unread.
    for await (const piece of request.body ?? []) {
      read += piece.byteLength
      if (read <= mostBytes) result += decoder.decode(piece, { stream: true })
    }
    if (read <= mostBytes) return result + decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw new Refusal(400, 'BAD_REQUEST', 'The body is not UTF-8.')
    throw error
  }
  throw new Refusal(413, 'TOO_LARGE', `The body has more than ${mostBytes} bytes; send it in parts.`)
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new Refusal(400, 'BAD_REQUEST', 'The body is not JSON.')
  }
}
