const name = 'match'
const mostRanges = 2_000

/**
 * Marks in a text what the search has marked in its excerpts, and shows the first place. What a word is
 * and which words are the same stays with the search.
 *
 * @param element holds the text in one node
 * @param marked the pieces that were marked in the excerpts
 */
export function markMatches(element: HTMLElement | undefined, marked: ReadonlySet<string>): void {
  // Without the API the text is as readable as before.
  if (!('highlights' in CSS)) return
  CSS.highlights.delete(name)
  const text = element?.firstChild
  if (element === undefined || !(text instanceof Text) || marked.size === 0) return
  const ranges = rangesOf(text, marked)
  CSS.highlights.set(name, new Highlight(...ranges))
  const [first] = ranges
  if (first === undefined) return
  const { top, bottom } = first.getBoundingClientRect()
  const box = element.getBoundingClientRect()
  if (top < box.top || bottom > box.bottom) element.scrollTop += top - box.top - box.height / 3
}

function rangesOf(text: Text, marked: ReadonlySet<string>): Range[] {
  const ranges: Range[] = []
  for (const { 0: found, index } of text.data.matchAll(patternOf(marked))) {
    const range = new Range()
    range.setStart(text, index)
    range.setEnd(text, index + found.length)
    if (ranges.push(range) === mostRanges) break
  }
  return ranges
}

/** Longest first, so that a phrase is not marked by its first word alone. */
function patternOf(marked: ReadonlySet<string>): RegExp {
  const pieces = [...marked].toSorted((a, b) => b.length - a.length).map(pieceOf)
  return new RegExp(pieces.join('|'), 'giu')
}

/** An excerpt has one space for any run of white space, and words end where the search says they do. */
function pieceOf(piece: string): string {
  const pattern = piece.split(' ').map(escaped).join('\\s+')
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(piece)
    ? pattern
    : `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}
