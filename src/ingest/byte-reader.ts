/** Bytes of a stream, to be looked at before they are taken. */
export interface ByteReader {
  /** How many bytes were taken or passed over so far. */
  readonly position: number
  /** Makes `count` bytes ready to be looked at; false when the stream ends before that. */
  fill(count: number): Promise<boolean>
  /** The next bytes, at most `count` and only what is ready. Valid until the next `fill`. */
  peek(count: number): Uint8Array
  /** Goes on `count` bytes, reading as needed; false when the stream ends before that. */
  skip(count: number): Promise<boolean>
  /** Goes on to the next place where `pattern` stands; false when there is none any more. */
  seek(pattern: Uint8Array): Promise<boolean>
  /** All that is ready, then the stream as it comes. */
  rest(): AsyncGenerator<Uint8Array, void, undefined>
}

/** @param chunks the stream; whoever made it closes it */
export function createByteReader(chunks: AsyncIterator<Uint8Array>): ByteReader {
  // What is ready is `buffer` from `start` to `end`.
  let buffer = new Uint8Array(0)
  let start = 0
  let end = 0
  let position = 0
  let over = false

  const append = (chunk: Uint8Array): void => {
    const ready = end - start
    if (end + chunk.length > buffer.length) {
      const room = ready + chunk.length
      const target = room * 2 <= buffer.length ? buffer : new Uint8Array(Math.max(room * 2, 4096))
      target.set(buffer.subarray(start, end))
      buffer = target
      start = 0
      end = ready
    }
    buffer.set(chunk, end)
    end += chunk.length
  }

  const pull = async (): Promise<boolean> => {
    if (over) return false
    const step = await chunks.next()
    if (step.done === true) over = true
    else append(step.value)
    return !over
  }

  const advance = (count: number): void => {
    start += count
    position += count
  }

  const fill = async (count: number): Promise<boolean> => {
    for (;;) {
      if (end - start >= count) return true
      if (!(await pull())) return false
    }
  }

  return {
    get position() {
      return position
    },
    fill,
    peek: (count) => buffer.subarray(start, Math.min(end, start + count)),
    async skip(count) {
      let left = count
      while (left > end - start) {
        left -= end - start
        advance(end - start)
        if (!(await pull())) return false
      }
      advance(left)
      return true
    },
    async seek(pattern) {
      while (await fill(pattern.length)) {
        const ready = buffer.subarray(start, end)
        const last = ready.length - pattern.length
        let at = ready.indexOf(pattern[0] ?? 0)
        while (at !== -1 && at <= last && !pattern.every((byte, offset) => ready[at + offset] === byte))
          at = ready.indexOf(pattern[0] ?? 0, at + 1)
        if (at !== -1 && at <= last) {
          advance(at)
          return true
        }
        advance(last + 1)
      }
      advance(end - start)
      return false
    },
    async *rest() {
      if (end > start) {
        const ready = buffer.slice(start, end)
        advance(ready.length)
        yield ready
      }
      for (let step = await chunks.next(); step.done !== true; step = await chunks.next()) {
        position += step.value.length
        yield step.value
      }
    },
  }
}
