import type { IndexStatus } from '../core/corpus.ts'
import { indexLine } from './lines.ts'
import type { ToolCall } from './tool-call.ts'

/** Why a search may have found nothing. */
export interface Reason {
  /** For the model, with what it may do about it. */
  readonly text: string
  /** Whether it is so. */
  readonly holds: () => Promise<boolean>
}

/**
 * What to say when nothing was found: which kind of nothing it is, as far as the caller may know, and never that
 * something did not happen.
 *
 * @param page the empty page; undefined when no search was run
 * @param reasons looked into one after the other; where one cannot be and no other holds, the text says so
 */
export async function nothingFound(
  call: ToolCall,
  head: string,
  page: { readonly searchable: boolean; readonly index?: IndexStatus } | undefined,
  reasons: readonly Reason[],
): Promise<string> {
  if (page?.searchable === false) {
    return `${head}\nThe query has no word to look for: no letter, digit or emoji.`
  }
  const why: string[] = []
  let unknown = false
  for (const { text, holds } of reasons) {
    const held = await call.spare('A reason', holds)
    if (held === true) why.push(text)
    unknown ||= held === undefined
  }
  const index = indexLine(page?.index)
  if (index !== '') why.push(index)
  if (why.length === 0) why.push(unknown ? 'Why could not be found out.' : otherWords)
  return [head, ...why, 'This is not proof that it never happened.'].join('\n')
}

const otherWords = 'None of the words was found. Try others.'

/** A reason that is known to hold. */
export function known(text: string): Reason {
  return { text, holds: () => Promise.resolve(true) }
}

/** A reason that holds where another search finds something. */
export function found(
  text: string,
  search: () => Promise<{ readonly hits: readonly unknown[] }>,
): Reason {
  return { text, holds: async () => (await search()).hits.length > 0 }
}

/** When no whole millisecond can pass the filters. */
export const noTime = 'No whole millisecond lies in the range of time.'

/** The reason when a search for any of the words, common ones included, finds something. */
export const onlyCommon =
  'Some of the words occur, but not together, and are too common to decide. Ask with rarer words.'
