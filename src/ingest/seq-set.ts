/** A set of seqs that is small where they lie close together, as those of a log do. */
export interface SeqSet {
  /** @returns false when it was there already */
  add(seq: number): boolean
  /** @returns false when it was not there */
  delete(seq: number): boolean
}

export function createSeqSet(): SeqSet {
  // For each 32 seqs a number whose bits say which are there: a million seqs take some megabytes less
  // than they would one by one.
  const words = new Map<number, number>()
  return {
    add(seq) {
      const word = words.get(Math.floor(seq / 32)) ?? 0
      const bit = 1 << (seq % 32)
      words.set(Math.floor(seq / 32), word | bit)
      return (word & bit) === 0
    },
    delete(seq) {
      const word = words.get(Math.floor(seq / 32)) ?? 0
      const bit = 1 << (seq % 32)
      if ((word & bit) === 0) return false
      if (word === bit) words.delete(Math.floor(seq / 32))
      else words.set(Math.floor(seq / 32), word & ~bit)
      return true
    },
  }
}
