import type { IndexStatus } from '../core/corpus.ts'
import { indexLine } from './lines.ts'
import type { ToolCall } from './tool-call.ts'

/** Why a search may have found nothing. */
export interface Reason {
  /** A sentence for the model. */
  readonly text: string
  /** Whether it is so. */
  readonly holds: () => Promise<boolean>
}

/**
 * What to say when nothing was found: which kind of nothing it is, as far as the caller may know, and never that
 * something did not happen.
 *
 * @param page the empty page; undefined when no search was run
 * @param reasons looked into one after the other; one that cannot be is passed over
 */
export async function nothingFound(
  call: ToolCall,
  head: string,
  page: { readonly searchable: boolean; readonly index?: IndexStatus } | undefined,
  reasons: readonly Reason[],
): Promise<string> {
  if (page?.searchable === false) {
    return `${head}\nThe query has no word to look for: letters, digits or emoji. Ask with words.`
  }
  const holding: string[] = []
  for (const { text, holds } of reasons) {
    if ((await call.spare('A reason for an empty result could not be looked into', holds)) === true) {
      holding.push(text)
    }
  }
  const why = [...holding, indexLine(page?.index)].filter((line) => line !== '')
  if (why.length === 0) why.push('No event that was searched holds the words that decide.')
  return [head, ...why, 'This is not proof that it never happened: try other words.'].join('\n')
}

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
  'Some of the words occur, but not together, and those are too common to decide. Ask with fewer or rarer words.'
