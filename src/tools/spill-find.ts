import { textPattern } from '../core/text-pattern.ts'
import { blockBytes, call, decoded, encoded, line, pastTheEnd, type Spilled } from './spill-text.ts'
import { quote } from './text.ts'

/** The longest literal, in UTF-16 units. One of so many takes half a second in 5 MB that are made to be slow. */
export const longestFind = 100

/**
 * Lists where a literal stands in a text. One match has room at least: our lines, the literal and an excerpt together
 * are shorter than the least limit, even where all that can be escaped is.
 *
 * @param passed how many matches are passed over
 */
export async function matchesIn(
  { locator, size, maxInlineBytes, read }: Spilled,
  find: string,
  passed: number,
): Promise<string> {
  const content = decoded(await read(0, size))
  const pattern = new RegExp(textPattern(find), 'giu')
  let total = 0
  while (total < passed && pattern.test(content)) total += 1

  const title = (last: number): string =>
    line(locator, `matches ${passed + 1} to ${last}, each with the offset to read it at`)
  const goOn = (offset: number): string => line(locator, `for more: ${call({ locator, find, offset })}`)
  const most = passed + mostMatches
  const lines: string[] = []
  let room = maxInlineBytes - encoded(`${title(most)}\n${goOn(most)}`).length
  let [unit, byte] = [0, 0]
  // When the loop above ran out of matches, the pattern would begin anew.
  for (const { 0: match, index } of total < passed ? [] : content.matchAll(pattern)) {
    byte += encoded(content.slice(unit, index)).length
    unit = index
    const excerpt = excerptOf(content, index, index + match.length)
    const found = `offset ${Math.floor(byte / blockBytes)}: ${quote(excerpt)}`
    room -= encoded(`${found}\n`).length
    if (lines.length === mostMatches || room < 0) {
      const last = passed + lines.length
      return [title(last), ...lines, goOn(last)].join('\n')
    }
    lines.push(found)
  }

  if (lines.length > 0) {
    return [title(passed + lines.length), ...lines, line(locator, 'no more matches')].join('\n')
  }
  if (total > 0) throw pastTheEnd(passed, total - 1)
  return line(
    locator,
    'no match. Inside JSON a text stands escaped: a quotation mark as \\", the end of a line as \\n',
  )
}

/** The most matches in one answer. */
const mostMatches = 20

/** How much stands around a match, and how much of it, in UTF-16 units. */
const [around, within] = [60, 160]

/** A match and what stands around it; no half of a surrogate pair is left at its ends. */
function excerptOf(content: string, from: number, to: number): string {
  return content
    .slice(Math.max(0, from - around), Math.min(to, from + within) + around)
    .replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
}
