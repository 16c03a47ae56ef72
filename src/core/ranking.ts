/** How documents are weighed against each other: one scale, whichever half of the corpus they live in. */

/** Saturation of repeated words: a word that stands there often counts little more than one that stands there twice. */
const saturation = 1.2

/**
 * How many occurrences in one document count. A log that repeats a word thousands of times says no more
 * about it than one that has it a few times, and is not spared the penalty for its length.
 */
export const countedRepeats = 5

/** How much the length of a document counts against it, 0 (not at all) to 1. */
const lengthPenalty = 0.5

/** How much a document gains from the ones before and after it in its session, by distance. */
export const neighbourShares = { before: [0.4, 0.2], after: [0.3, 0.15] } as const

/** How much of a session's own score each of its documents gets. */
export const sessionShare = 0.6

/** How rare a word is: above 0, the rarer the greater (BM25's idf in its never negative form). */
export function rarity(documents: number, holding: number): number {
  return Math.log(1 + (documents - holding + 0.5) / (holding + 0.5))
}

/**
 * What one word adds to the score of a document (BM25).
 *
 * @param occurrences of the word in the document
 * @param length of the document, in words
 * @param meanLength of all documents
 */
export function wordScore(
  idf: number,
  occurrences: number,
  length: number,
  meanLength: number,
): number {
  const norm = 1 - lengthPenalty + (lengthPenalty * length) / meanLength
  return (idf * occurrences * (saturation + 1)) / (occurrences + saturation * norm)
}

/** What is left of a score when only some of the wanted words are there, by their share of all rarity. */
export function coverageFactor(found: number, wanted: number): number {
  return wanted > 0 ? Math.sqrt(found / wanted) : 1
}

/**
 * What kind of event a document is changes how much its words, those around it and its session are worth:
 * what was written is not to drown under what tools printed, however much of it there is.
 */
export function typeWeight(type: string): number {
  switch (type) {
    case 'user/message':
    case 'assistant/message':
      return 1
    case 'session/title':
      return 1.2
    case 'todo/write':
      return 0.8
    default:
      return 0.5
  }
}
