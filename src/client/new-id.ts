/** A text that nobody else has. Not `randomUUID`, which pages without HTTPS lack. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) =>
    part.toString(16).padStart(8, '0'),
  ).join('')
}
