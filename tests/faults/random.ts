/** Random numbers that a seed repeats. */
export interface Random {
  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number
}

/** Mulberry32: plain, and good enough to choose moments. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return {
    below(end) {
      state = (state + 0x6d2b79f5) >>> 0
      let mixed = Math.imul(state ^ (state >>> 15), state | 1)
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end)
    },
  }
}

/** FNV-1a, for a seed from a text. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}
