import { expect, it } from 'vitest'
import { resolveOptions } from '../../src/core/options.ts'
import { createStore } from '../../src/sql/create-store.ts'
import { loadSqlite, openMemoryDatabase } from '../../worker/sqlite.ts'
import { storeThread } from '../../worker/store-thread.ts'
import { session, userMessage } from '../fixtures/logs.ts'

it('a search that is ended by its deadline changes nothing in the index', async () => {
  const sqlite = await loadSqlite()
  const index = openMemoryDatabase(sqlite)
  const store = createStore({
    log: openMemoryDatabase(sqlite),
    index,
    storage: { kind: 'memory' },
    options: resolveOptions({}),
    thread: storeThread(sqlite),
  })
  const words = Array.from({ length: 60 }, (_, at) => `word${at.toString(36)}`).join(' ')
  await store.putSession(
    session(
      's',
      Array.from({ length: 3000 }, (_, seq) => userMessage(`${words} ${seq}`)),
    ),
  )
  await store.searchEvents({ query: 'word1' })
  const content = (): unknown[] =>
    ['documents', 'sessions', 'words_data', 'words_docsize'].map((table) => [
      table,
      index.query(`SELECT count(*), total(length(CAST(rowid AS TEXT))) FROM ${table}`),
    ])
  const before = content()
  await expect(store.searchEvents({ query: words, match: 'any', timeoutMs: 10 })).rejects.toMatchObject(
    { code: 'SESSION_QUERY_TIMEOUT' },
  )
  expect(content()).toEqual(before)
  index.query(`INSERT INTO words (words) VALUES ('integrity-check')`)
  const next = await store.searchEvents({ query: 'word1 word2', limit: 100 })
  expect(next.items).toHaveLength(100)
  await store.close()
})
