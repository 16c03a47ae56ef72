import { codeOf, refusal } from './failure.ts'

/** A page of a search. */
export interface HitPage<Hit> {
  readonly items: readonly Hit[]
  readonly nextCursor?: string
}

/** What a search found. */
export interface Hits<Hit, Page> {
  /** The best ones, at most as many as were asked for. */
  readonly hits: readonly Hit[]
  /** Whether there is at least one more. */
  readonly capped: boolean
  readonly firstPage: Page
}

/**
 * Walks the pages of a search until enough hits may be shown and it is known whether there is one more. When the
 * corpus changes meanwhile, the whole walk is done once more.
 *
 * @param read gives the page behind a cursor, the first one without
 * @param shown whether a hit may be shown; others do not count
 * @throws what `read` throws, `SESSION_QUERY_STALE_CURSOR` when the second walk fails like the first
 */
export async function collectHits<Hit, Page extends HitPage<Hit>>(
  most: number,
  read: (cursor: string | undefined) => Promise<Page>,
  shown: (hit: Hit) => boolean,
): Promise<Hits<Hit, Page>> {
  try {
    return await walk(most, read, shown)
  } catch (error) {
    if (codeOf(error) !== 'SESSION_QUERY_STALE_CURSOR') throw error
    return walk(most, read, shown)
  }
}

async function walk<Hit, Page extends HitPage<Hit>>(
  most: number,
  read: (cursor: string | undefined) => Promise<Page>,
  shown: (hit: Hit) => boolean,
): Promise<Hits<Hit, Page>> {
  const hits: Hit[] = []
  const cursors = new Set<string>()
  const firstPage = await read(undefined)
  for (let page = firstPage; ;) {
    for (const hit of page.items) {
      if (!shown(hit)) continue
      if (hits.length === most) return { hits, capped: true, firstPage }
      hits.push(hit)
    }
    const { nextCursor } = page
    if (nextCursor === undefined) return { hits, capped: false, firstPage }
    // A corpus that comes back to where it was would be walked for ever.
    if (cursors.has(nextCursor)) throw refusal('SESSION_QUERY_TOOL_FAILED')
    cursors.add(nextCursor)
    page = await read(nextCursor)
  }
}
