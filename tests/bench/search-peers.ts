import { create, insertMultiple, search, type AnyOrama } from '@orama/orama'
import MiniSearch from 'minisearch'
import { elapsed } from './timing.ts'

/** Whether every word has to be there, or one of them. */
export type Combine = 'AND' | 'OR'

/** Another search engine that has indexed documents. */
export interface Peer {
  readonly name: string
  readonly documents: number
  readonly documentsPerSecond: number
  search(words: string, combine: Combine): unknown
}

export interface PeerDocument {
  readonly id: string
  readonly text: string
}

export async function miniSearchOf(documents: readonly PeerDocument[]): Promise<Peer> {
  const engine = new MiniSearch<PeerDocument>({ fields: ['text'], idField: 'id' })
  const milliseconds = await elapsed(() => engine.addAll(documents))
  return {
    name: 'MiniSearch',
    documents: documents.length,
    documentsPerSecond: (documents.length / milliseconds) * 1000,
    search: (words, combine) => engine.search(words, { combineWith: combine }),
  }
}

/** Orama with as many of the documents as it takes in within its time. */
export async function oramaOf(documents: readonly PeerDocument[], patienceMs: number): Promise<Peer> {
  const engine: AnyOrama = create({ schema: { text: 'string' } })
  let [taken, milliseconds] = [0, 0]
  while (taken < documents.length && milliseconds < patienceMs) {
    const batch = documents.slice(taken, taken + 2000)
    milliseconds += await elapsed(() => insertMultiple(engine, batch, batch.length))
    taken += batch.length
  }
  return {
    name: 'Orama',
    documents: taken,
    documentsPerSecond: (taken / milliseconds) * 1000,
    search: (words, combine) =>
      search(engine, { term: words, threshold: combine === 'AND' ? 0 : 1, limit: 20 }),
  }
}
