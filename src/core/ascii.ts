/* What an ASCII character may be part of; one bit each. */

export const lower = 1
export const upper = 2
export const digit = 4
export const base64 = 8

/** What each ASCII character may be part of. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z]/.test(character)) return lower | base64
  if (/[A-Z]/.test(character)) return upper | base64
  if (/[0-9]/.test(character)) return digit | base64
  return /[+/=]/.test(character) ? base64 : 0
})

/** The bits of the character at a place; 0 beyond ASCII. */
export function kindAt(text: string, at: number): number {
  return kinds[text.charCodeAt(at)] ?? 0
}
