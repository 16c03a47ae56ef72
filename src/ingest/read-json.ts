import { maxDepth } from '../core/json.ts'
import { stringEnd } from './json-text.ts'

/** A JSON text as a value, and what of it cannot be kept. */
export interface ReadJson {
  readonly value: unknown
  /** Why the value cannot be stored; to be continued behind its name. */
  readonly refused?: string
  /** What became of numbers that cannot be kept as they are written; a sentence without a stop. */
  readonly changed?: string
}

/**
 * Parses a JSON text.
 *
 * Numbers are kept as JavaScript has them, as every reader of the log in JavaScript would. Where that
 * changes an integer, or makes nothing of a number, it is said; another spelling and the digits that a
 * fraction has too many are not. Of members of one name the last one counts.
 *
 * @throws SyntaxError
 */
export function readJson(text: string): ReadJson {
  const value: unknown = JSON.parse(text)
  // A level takes two characters at least.
  if (text.length > 2 * maxDepth && nestsDeeper(value, maxDepth)) {
    return { value, refused: `nests more than ${maxDepth} levels deep` }
  }
  // Most lines hold nothing of the kind, and to see that takes a small part of the time of parsing.
  if (!hasLongRun(text) && !negativeZero.test(text) && !largeExponent.test(text)) return { value }
  const changed: string[] = []
  for (const written of numbersOf(text)) {
    const kept = Number(written)
    if (!Number.isFinite(kept)) {
      return { value, refused: `holds the number ${short(written)}, which is too large to be kept` }
    }
    if (isChanged(written, kept)) changed.push(`${short(written)} became ${kept === 0 ? 0 : kept}`)
  }
  if (changed.length === 0) return { value }
  const more = changed.length === 1 ? '' : ` and so on, ${changed.length} numbers in all`
  return { value: withoutNegativeZero(value), changed: `${changed[0]}${more}` }
}

const negativeZero = /[:[,\s]-0|^-0/
const largeExponent = /\d[eE][+-]?\d{3}/

/** Whether 16 digits stand in a row, which is as many as 2^53 has. Every such run has a sixteenth place. */
function hasLongRun(text: string): boolean {
  for (let at = 15; at < text.length; at += 16) {
    if (!isDigit(text, at)) continue
    let from = at
    while (isDigit(text, from - 1)) from -= 1
    let to = at + 1
    while (isDigit(text, to)) to += 1
    if (to - from >= 16) return true
  }
  return false
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0x30 && code <= 0x39
}

function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((inner) => nestsDeeper(inner, levels - 1))
  for (const key in value) {
    if (nestsDeeper((value as Record<string, unknown>)[key], levels - 1)) return true
  }
  return false
}

function* numbersOf(text: string): Generator<string, void, undefined> {
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '"') at = stringEnd(text, at)
    else if (character === '-' || (character >= '0' && character <= '9')) {
      number.lastIndex = at
      const [written = character] = number.exec(text) ?? []
      yield written
      at += written.length - 1
    }
  }
}

const number = /[-+.\deE]+/y

function isChanged(written: string, kept: number): boolean {
  if (Object.is(kept, -0)) return true
  if (kept === 0) return /[1-9]/.test(written.replace(/[eE].*/, ''))
  return /^-?\d+$/.test(written) && !Number.isSafeInteger(kept) && BigInt(written) !== BigInt(kept)
}

function short(written: string): string {
  return written.length > 40 ? `${written.slice(0, 39)}…` : written
}

/** Nothing that is stored holds -0, for JSON would make 0 of it. */
function withoutNegativeZero(value: unknown): unknown {
  if (Object.is(value, -0)) return 0
  if (typeof value !== 'object' || value === null) return value
  for (const [key, inner] of Object.entries(value)) {
    const cleaned = withoutNegativeZero(inner)
    if (!Object.is(cleaned, inner)) (value as Record<string, unknown>)[key] = cleaned
  }
  return value
}
