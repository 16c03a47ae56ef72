/**
 * Text of ours around text of others. Whatever comes from a session is quoted, so that it ends where it seems to
 * end, on the line on which it began.
 */

/** A text from a session, as a JSON string on one line, well-formed. */
export function quote(text: string): string {
  return jsonLine(text)
}

/** An id or a type: as it is where that is plain, and no word of ours, quoted where it is not. */
export function name(text: string): string {
  return /^(?!(?:none|unavailable)$)[\w.:/@+-]{1,200}$/.test(text) ? text : quote(text)
}

/**
 * A time, as UTC ISO 8601.
 *
 * @param time milliseconds since the epoch
 */
export function at(time: number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? `time ${time}` : date.toISOString()
}

/**
 * A number of things.
 *
 * @param many the plural, where it is not the singular with an s
 */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`
}

/** JSON of a value on one line; it is the same value when it is parsed. */
export function jsonLine(value: unknown): string {
  return visible(JSON.stringify(value))
}

/**
 * What breaks lines or shows as nothing stands as its escape: line separators, control characters, marks that turn
 * the direction of a text, and tags, in which a text can hide from people that a model reads. Joiners and the
 * selectors of emoji stay: words need them.
 */
function visible(json: string): string {
  return json.replaceAll(unseen, (mark) =>
    Array.from({ length: mark.length }, (_, unit) => escape(mark.charCodeAt(unit))).join(''),
  )
}

const unseen = /(?!\u200C|\u200D|[\uFE00-\uFE0F])[\u007F-\u009F\u2028\u2029\uFFF9-\uFFFB\p{DI}]/gu

function escape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}
