/**
 * What a literal text matches: case does not count, by Unicode simple folding, any run of white space matches any other,
 * and white space around the text does not count.
 */
export function textPattern(text: string): RegExp {
  const literal = text.trim().replaceAll(/[\\^$.*+?()[\]{}|/]/g, (mark) => `\\${mark}`)
  return new RegExp(literal.replaceAll(/\s+/gu, '\\s+'), 'iu')
}
