import type { SessionCorpus, SessionRecord } from 'session-query'

export interface Entry {
  readonly record: SessionRecord
  readonly title: string
}

/** The sessions of the corpus with their titles, as they were last loaded. */
export interface Catalog {
  /** Newest first. */
  entries(): readonly Entry[]
  find(sessionId: string): Entry | undefined
  reload(): Promise<void>
  onChange(listener: () => void): void
}

export const untitled = 'untitled'

export function createCatalog(corpus: SessionCorpus): Catalog {
  const listeners: (() => void)[] = []
  let entries: readonly Entry[] = []
  let byId = new Map<string, Entry>()
  return {
    entries: () => entries,
    find: (sessionId) => byId.get(sessionId),
    async reload() {
      entries = await load(corpus)
      byId = new Map(entries.map((entry) => [entry.record.header.id, entry]))
      for (const listener of listeners) listener()
    },
    onChange(listener) {
      listeners.push(listener)
    },
  }
}

async function load(corpus: SessionCorpus): Promise<readonly Entry[]> {
  const records = await corpus.listSessions()
  const results = await corpus.readTitles({ sessionIds: records.map(({ header }) => header.id) })
  const titles = new Map(
    results.map((result) => [
      result.sessionId,
      result.status === 'fulfilled' ? result.title?.title : undefined,
    ]),
  )
  return records.map((record) => ({ record, title: titles.get(record.header.id) ?? untitled }))
}
