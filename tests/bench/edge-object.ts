import { DurableObject } from 'cloudflare:workers'
import { openDurableCorpus, type DurableCorpus, type DurableStorage } from '../../src/edge/index.ts'
import type { SessionLog } from '../../src/core/session.ts'

interface Environment {
  readonly CORPORA: DurableObjectNamespace
}

/** A corpus that counts the rows that it writes. */
export class BenchObject extends DurableObject<Environment> {
  readonly #corpus: DurableCorpus
  #written = 0

  constructor(state: DurableObjectState, environment: Environment) {
    super(state, environment)
    this.#corpus = openDurableCorpus(this.#counted(state.storage))
  }

  /** Does what the path says; answers with the rows written by it, and what it gave. */
  override async fetch(request: Request): Promise<Response> {
    this.#written = 0
    const result = await this.#do(new URL(request.url).pathname, await request.json())
    return Response.json({ written: this.#written, result })
  }

  async #do(path: string, body: unknown): Promise<unknown> {
    switch (path) {
      case '/put':
        for (const log of body as SessionLog[]) await this.#corpus.putSession(log)
        return null
      case '/index':
        return this.#corpus.advanceIndex((body as { most: number }).most)
      case '/search':
        return (await this.#corpus.searchSessions(body as { query: string })).items.length
      default:
        return this.#corpus.status()
    }
  }

  #counted(storage: DurableObjectStorage): DurableStorage {
    const { sql } = storage
    const count = (rows: number): void => void (this.#written += rows)
    return {
      sql: {
        get databaseSize() {
          return sql.databaseSize
        },
        exec(text, ...values) {
          const cursor = sql.exec(text, ...values)
          return {
            *raw() {
              yield* cursor.raw()
              count(cursor.rowsWritten)
            },
          }
        },
      },
      transactionSync: (body) => storage.transactionSync(body),
    }
  }
}

// The runtime takes a Worker as the default export of a module.
// oxlint-disable-next-line import/no-default-export
export default {
  fetch: (request: Request, { CORPORA }: Environment): Promise<Response> =>
    CORPORA.get(CORPORA.idFromName('bench')).fetch(request),
}
