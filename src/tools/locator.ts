/**
 * Makes the name under which a text is put away: 100 random bits, which nobody can guess, and how long the text is. So
 * what is left of a text that was not written to its end is never taken for the whole.
 *
 * @param size of the text, in bytes
 */
export function newLocator(size: number): string {
  const random = crypto.getRandomValues(new Uint8Array(randomDigits))
  return Array.from(random, (byte) => (byte & 31).toString(32)).join('') + size.toString(36)
}

/** How long the text is, in bytes; undefined where this is no locator. */
export function sizeIn(locator: string): number | undefined {
  return shape.test(locator) ? Number.parseInt(locator.slice(randomDigits), 36) : undefined
}

/** Digits of five bits each. */
const randomDigits = 20

const shape = /^[0-9a-v]{20}[1-9a-z][0-9a-z]{0,7}$/
