/** How much of a source is looked at before it is read, in bytes. */
const headSize = 1024

/** What a source begins with, and all of it. */
export interface Sniffed {
  /** What it is instead of a log, as far as its beginning tells; a sentence without a stop. */
  readonly notALog: string | undefined
  /** All of it, the beginning included. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * Looks at the beginning of a source: one word about a picture is worth more than hundreds about its lines.
 *
 * @param rest waited for between the pieces, which may be the work of a while
 */
export async function sniff(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  rest: () => Promise<void> | undefined,
): Promise<Sniffed> {
  const begun: Uint8Array[] = []
  let size = 0
  let failure: { readonly error: unknown } | undefined
  try {
    while (size < headSize) {
      const step = await chunks.next()
      if (step.done === true) break
      begun.push(step.value)
      size += step.value.length
      await rest()
    }
  } catch (error) {
    // What came before it is read all the same.
    failure = { error }
  }
  const head = new Uint8Array(Math.min(size, headSize))
  let at = 0
  for (const part of begun) {
    head.set(part.subarray(0, headSize - at), at)
    at = Math.min(at + part.length, headSize)
  }
  return { notALog: notALog(head), bytes: joined(begun, chunks, failure) }
}

/** What a source that begins with `head` is instead of a log, or undefined. */
function notALog(head: Uint8Array): string | undefined {
  const begins = (...bytes: readonly number[]): boolean => bytes.every((byte, at) => head[at] === byte)
  if (begins(0x1f, 0x8b)) return 'This is gzip; decompress it first'
  if (begins(0xff, 0xfe) || begins(0xfe, 0xff) || begins(0x7b, 0) || begins(0, 0x7b)) {
    return 'This is UTF-16; a log is UTF-8'
  }
  const text = new TextDecoder().decode(head)
  // Zeros are also what a crash leaves in a log.
  if (text.includes('\0') && head[0] !== 0 && !/\{\s*"/.test(text)) return 'This is not a text log'
  if (/^\s*\[\s*\{/.test(text)) return 'This is a JSON array; a log has one JSON value on each line'
  if (/^\s*\{[ \t\r]*\n\s*"/.test(text)) {
    return 'This is JSON over several lines; a log has one JSON value on each line'
  }
  return undefined
}

async function* joined(
  begun: readonly Uint8Array[],
  rest: AsyncGenerator<Uint8Array, void, undefined>,
  failure: { readonly error: unknown } | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* begun
    if (failure !== undefined) throw failure.error
    yield* rest
  } finally {
    await rest.return()
  }
}
