import type { Database, Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { persistenceFailed } from '../src/core/errors.ts'

/** The FTS5 auxiliary function that calls the visitor. */
export const visitFunction = 'session_query_visit'

type Visit = (doc: number, occurrences: number) => void

/**
 * Calls JavaScript for each match of an FTS5 query, from inside SQLite: an auxiliary function in the sense of
 * FTS5's extension API (https://www.sqlite.org/fts5.html#extending_fts5), registered once a connection.
 */
export class MatchScanner {
  #visit: Visit | undefined
  #failure: unknown

  /** @throws SessionQueryError `SESSION_QUERY_PERSISTENCE_FAILED` when FTS5 does not take the function */
  constructor(sqlite: { readonly api: Sqlite3Static }, db: Database) {
    const { wasm } = sqlite.api
    const api = fts5Api(sqlite.api, db)
    const place = wasm.alloc(4)
    // All of a connection's calls come with the same table of functions.
    let table: ExtensionFunctions | undefined
    const callback = wasm.installFunction('v(pppip)', (extension: number, fts: number) => {
      table ??= extensionFunctions(sqlite.api, extension)
      table.instCount(fts, place)
      this.#call(Number(table.rowid(fts)), wasm.heap32()[place >> 2] ?? 0)
    })
    const create = wasm.functionEntry(wasm.peekPtr(api + xCreateFunction)) as ExtensionFunction
    const name = wasm.allocCString(visitFunction, false)
    const code = Number(create(api, name, 0, callback, 0))
    wasm.dealloc(name)
    if (code !== 0) throw persistenceFailed('failed', 'The search function could not be registered.')
  }

  /** Has `visit` called for every match in what `body` runs; an error that it throws is thrown here. */
  during(visit: Visit, body: () => void): void {
    this.#visit = visit
    this.#failure = undefined
    try {
      body()
    } finally {
      this.#visit = undefined
    }
    if (this.#failure !== undefined) throw this.#failure
  }

  /** An exception must not cross SQLite's own frames. */
  #call(doc: number, occurrences: number): void {
    if (this.#failure !== undefined) return
    try {
      this.#visit?.(doc, occurrences)
    } catch (error) {
      this.#failure = error
    }
  }
}

type ExtensionFunction = (...values: readonly number[]) => number | bigint

// Offsets of members in fts5_api and Fts5ExtensionApi, 4 bytes each behind the version.
const xCreateFunction = 12
const xInstCount = 32
const xRowid = 40

/** Those of FTS5's functions for auxiliary functions that are called for every match. */
interface ExtensionFunctions {
  readonly instCount: ExtensionFunction
  readonly rowid: ExtensionFunction
}

function extensionFunctions({ wasm }: Sqlite3Static, extension: number): ExtensionFunctions {
  const entry = (offset: number) =>
    wasm.functionEntry(wasm.peekPtr(extension + offset)) as ExtensionFunction
  return { instCount: entry(xInstCount), rowid: entry(xRowid) }
}

/** The pointer to `fts5_api`, which FTS5 hands out through a bound pointer. */
function fts5Api({ wasm, capi }: Sqlite3Static, db: Database): number {
  const place = wasm.alloc(8)
  wasm.pokePtr(place, 0)
  const statement = db.prepare('SELECT fts5(?1)')
  capi.sqlite3_bind_pointer(statement, 1, place, 'fts5_api_ptr', 0)
  statement.step()
  statement.finalize()
  const api = wasm.peekPtr(place)
  wasm.dealloc(place)
  return api
}
