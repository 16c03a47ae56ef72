import type { IndexStatus } from '../core/corpus.ts'
import { codeOf, refusal } from './failure.ts'

/** A page of a search. */
export interface HitPage<Hit> {
  readonly items: readonly Hit[]
  readonly nextCursor?: string
  readonly searchable: boolean
  readonly index?: IndexStatus
}

/** What a search found. */
export interface Hits<Hit> {
  /** The best ones, at most as many as were asked for. */
  readonly hits: readonly Hit[]
  /** Whether there is at least one more. */
  readonly capped: boolean
  readonly firstPage: HitPage<Hit>
}

/** Which page of a search to read. */
export interface PageRequest {
  /** Of the page before; left out for the first. */
  readonly cursor?: string
}

type Shown<Hit> = Hit | undefined | Promise<Hit | undefined>

/**
 * Walks the pages of a search until enough hits may be shown and it is known whether there is one more. When the
 * corpus changes meanwhile, the whole walk is done once more.
 *
 * @param read gives a page
 * @param shown a hit as it may be shown; undefined for one that may not, which does not count
 * @throws what `read` throws, `SESSION_QUERY_STALE_CURSOR` when the second walk fails like the first,
 *   `SESSION_QUERY_TOOL_FAILED` when a cursor comes back
 */
export async function collectHits<Hit>(
  most: number,
  read: (request: PageRequest) => Promise<HitPage<Hit>>,
  shown: (hit: Hit) => Shown<Hit>,
): Promise<Hits<Hit>> {
  try {
    return await walk(most, read, shown)
  } catch (error) {
    if (codeOf(error) !== 'SESSION_QUERY_STALE_CURSOR') throw error
    return walk(most, read, shown)
  }
}

async function walk<Hit>(
  most: number,
  read: (request: PageRequest) => Promise<HitPage<Hit>>,
  shown: (hit: Hit) => Shown<Hit>,
): Promise<Hits<Hit>> {
  const hits: Hit[] = []
  const cursors = new Set<string>()
  const firstPage = await read({})
  for (let page = firstPage; ;) {
    for (const item of page.items) {
      const hit = await shown(item)
      if (hit === undefined) continue
      if (hits.length === most) return { hits, capped: true, firstPage }
      hits.push(hit)
    }
    const { nextCursor } = page
    if (nextCursor === undefined) return { hits, capped: false, firstPage }
    // A corpus that comes back to where it was would be walked for ever.
    if (cursors.has(nextCursor)) throw refusal('SESSION_QUERY_TOOL_FAILED')
    cursors.add(nextCursor)
    page = await read({ cursor: nextCursor })
  }
}
