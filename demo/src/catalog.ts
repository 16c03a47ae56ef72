import type { SessionCorpus, SessionRecord } from 'session-query'

export interface Entry {
  readonly record: SessionRecord
  /** The id where there is no title. */
  readonly title: string
  readonly untitled: boolean
  /** Another session is called the same, or this one nothing at all: the title does not tell which it is. */
  readonly ambiguous: boolean
}

/** The sessions of the corpus with their titles, as they were last loaded. */
export interface Catalog {
  /** Newest first. */
  entries(): readonly Entry[]
  find(sessionId: string): Entry | undefined
  reload(): Promise<void>
  onChange(listener: () => void): void
}

const reloadAfterMs = 1_000

export function createCatalog(corpus: SessionCorpus): Catalog {
  const listeners: (() => void)[] = []
  let entries: readonly Entry[] = []
  let byId = new Map<string, Entry>()
  let due: number | undefined

  async function reload(): Promise<void> {
    window.clearTimeout(due)
    due = undefined
    entries = await load(corpus)
    byId = new Map(entries.map((entry) => [entry.record.header.id, entry]))
    for (const listener of listeners) listener()
  }

  // What other tabs change shows here, too; a failure shows at whatever is asked for next.
  corpus.subscribe(({ kind }) => {
    if (kind === 'index') return
    due ??= window.setTimeout(() => {
      reload().catch(() => undefined)
    }, reloadAfterMs)
  })

  return {
    entries: () => entries,
    find: (sessionId) => byId.get(sessionId),
    reload,
    onChange(listener) {
      listeners.push(listener)
    },
  }
}

async function load(corpus: SessionCorpus): Promise<readonly Entry[]> {
  const records = await corpus.listSessions()
  const results = await corpus.readTitles({ sessionIds: records.map(({ header }) => header.id) })
  const titles = new Map<string, string>()
  const timesUsed = new Map<string, number>()
  for (const result of results) {
    if (result.status === 'rejected' || result.title === undefined) continue
    const { title } = result.title
    titles.set(result.sessionId, title)
    timesUsed.set(title, (timesUsed.get(title) ?? 0) + 1)
  }
  return records.map((record) => {
    const title = titles.get(record.header.id)
    return {
      record,
      title: title ?? record.header.id,
      untitled: title === undefined,
      ambiguous: title === undefined || (timesUsed.get(title) ?? 0) > 1,
    }
  })
}
