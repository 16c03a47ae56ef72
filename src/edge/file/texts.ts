import { damagedFile } from './damaged-file.ts'

/** How a database writes its texts, by SQLite's numbers. */
export type TextEncoding = 1 | 2 | 3

/** UTF-8, and UTF-16 with the lower or the higher byte first. */
export const [utf8, utf16Low, utf16High] = [1, 2, 3] as const

/** @throws SessionQueryError as {@link damagedFile} for a text that is longer than a text can be */
export function textIn(bytes: Uint8Array, encoding: TextEncoding): string {
  if (bytes.length > longest) throw damagedFile(`a text has ${bytes.length} bytes`)
  return encoding === utf8 ? decoder.decode(bytes) : text16(bytes, encoding)
}

/** A text as the database has it. */
export function bytesOfText(text: string, encoding: TextEncoding): Uint8Array {
  if (encoding === utf8) return encoder.encode(text)
  const bytes = new Uint8Array(text.length * 2)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < text.length; at += 1) {
    view.setUint16(at * 2, text.charCodeAt(at), encoding === utf16Low)
  }
  return bytes
}

// A mark of byte order belongs to the text.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

/** Of what is a string everywhere. */
const longest = 2 ** 28

/** Not every platform has a decoder for both orders of bytes. */
function text16(bytes: Uint8Array, encoding: TextEncoding): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const parts: string[] = []
  const length = Math.floor(bytes.length / 2)
  for (let from = 0; from < length; from += unitsAtOnce) {
    const units = Array.from({ length: Math.min(unitsAtOnce, length - from) }, (_, at) =>
      view.getUint16((from + at) * 2, encoding === utf16Low),
    )
    parts.push(String.fromCharCode(...units))
  }
  return parts.join('')
}

const unitsAtOnce = 4096
