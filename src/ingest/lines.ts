/** One line of a log, without its line ending. */
export interface Line {
  /** From 1. */
  readonly number: number
  /** The line as it stands; empty when it was too long to keep. Valid until the next line is asked for. */
  readonly bytes: Uint8Array
  /** How long the line is in the log, in bytes. */
  readonly size: number
  readonly tooLong: boolean
  /** False for a last line that has no line ending. */
  readonly ended: boolean
}

/** Cuts chunks of bytes into lines. */
export interface LineSplitter {
  /** The line that is being read, from 1. */
  readonly number: number
  /** The lines that `chunk` completes. */
  push(chunk: Uint8Array): Generator<Line, void, undefined>
  /** The last line, when it has no line ending. */
  end(): Generator<Line, void, undefined>
}

/**
 * Cuts at line feeds; a carriage return before one and byte-order marks before a line, as files have them
 * that were put together, are dropped. Bytes, not text: a character may be cut in two by a chunk, but never by a line feed.
 *
 * @param maxBytes a longer line is passed over to its end without being kept
 */
export function createLineSplitter(maxBytes: number): LineSplitter {
  let number = 1
  // The beginning of a line whose end is not here yet: `held` bytes of `carry`.
  let carry = new Uint8Array(0)
  let held = 0
  let skipped = 0

  const hold = (part: Uint8Array): void => {
    if (skipped > 0 || held + part.length > maxBytes) {
      skipped += held + part.length
      held = 0
      return
    }
    if (held + part.length > carry.length) {
      const grown = new Uint8Array(Math.max(held + part.length, carry.length * 2, 1024))
      grown.set(carry.subarray(0, held))
      carry = grown
    }
    carry.set(part, held)
    held += part.length
  }

  const finish = (part: Uint8Array, ended: boolean): Line => {
    let bytes = part
    if (held > 0 || skipped > 0 || part.length > maxBytes) {
      hold(part)
      bytes = carry.subarray(0, held)
    }
    const line = { number, size: skipped + bytes.length, tooLong: skipped > 0, ended }
    while (startsWithMark(bytes)) bytes = bytes.subarray(3)
    if (bytes.at(-1) === carriageReturn) bytes = bytes.subarray(0, -1)
    // Room for one huge line is not kept for the rest of the log.
    if (carry.length > keptCapacity) carry = new Uint8Array(0)
    number += 1
    held = 0
    skipped = 0
    return { ...line, bytes }
  }

  return {
    get number() {
      return number
    },
    *push(chunk) {
      let from = 0
      for (let to = chunk.indexOf(lineFeed); to !== -1; to = chunk.indexOf(lineFeed, from)) {
        yield finish(chunk.subarray(from, to), true)
        from = to + 1
      }
      if (from < chunk.length) hold(chunk.subarray(from))
    },
    *end() {
      if (held > 0 || skipped > 0) yield finish(new Uint8Array(0), false)
    },
  }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const keptCapacity = 1 << 20

function startsWithMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}
