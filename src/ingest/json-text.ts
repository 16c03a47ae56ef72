/** The place behind the brace that closes the one at `from`, or undefined when none does. */
export function objectEnd(text: string, from: number): number | undefined {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = stringEnd(text, at)
        break
      case opening:
        depth += 1
        break
      case closing:
        depth -= 1
        if (depth === 0) return at + 1
        break
      default:
    }
  }
  return undefined
}

/**
 * The place of the brace that the one at `to` closes, or undefined when there is none from `from` on.
 * JSON can be read backwards, too: outside of strings there are no backslashes, and a quote inside one
 * has an odd number of them before it.
 */
export function objectStart(text: string, to: number, from: number): number | undefined {
  let depth = 0
  for (let at = to; at >= from; at -= 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = stringStart(text, at, from)
        break
      case closing:
        depth += 1
        break
      case opening:
        depth -= 1
        if (depth === 0) return at
        break
      default:
    }
  }
  return undefined
}

/** The place of the quote that closes the one at `from`, or the end of the text. */
export function stringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) at += 1
  }
  return text.length
}

/** The place of the quote that opens the string that ends at `to`, or what is before `from`. */
function stringStart(text: string, to: number, from: number): number {
  for (let at = to - 1; at >= from; at -= 1) {
    if (text.charCodeAt(at) !== quote) continue
    let before = at
    while (before > from && text.charCodeAt(before - 1) === backslash) before -= 1
    if ((at - before) % 2 === 0) return at
    at = before
  }
  return from - 1
}

const quote = 0x22
const backslash = 0x5c
const opening = 0x7b
const closing = 0x7d
