import { expect, it } from 'vitest'
import { resolveOptions } from '../../src/core/options.ts'
import { createStore } from '../../src/sql/create-store.ts'
import type { SqlDatabase } from '../../src/sql/database.ts'
import { loadSqlite, WasmDatabase } from '../../worker/sqlite.ts'
import { storeThread } from '../../worker/store-thread.ts'
import { session, userMessage } from '../fixtures/logs.ts'

const sqlite = await loadSqlite()

/** A database of which every byte can be looked at. */
function watched(): { readonly db: SqlDatabase; readonly bytes: () => Buffer } {
  const raw = new sqlite.api.oo1.DB(':memory:', 'c')
  const db = WasmDatabase.open(sqlite, () => raw)
  db.query('PRAGMA secure_delete = on')
  return { db, bytes: () => Buffer.from(sqlite.api.capi.sqlite3_js_db_export(raw)) }
}

const canary = 'zyxwvutqux'
/** FTS5 leaves out what a word has in common with the one before. */
const stem = canary.slice(2)

it.each([
  ['among a few', 3, 'startup'],
  ['among many', 4000, 'startup'],
  ['before the index is opened again', 20, 'never'],
] as const)(
  'leaves no word of a deleted session in either database: %s',
  async (_where, count, openIndexAt) => {
    const [log, index] = [watched(), watched()]
    const parts = {
      log: log.db,
      index: index.db,
      storage: { kind: 'memory' },
      thread: storeThread(sqlite),
    } as const
    const store = createStore({ ...parts, options: resolveOptions({}) })
    await store.putSession(
      session(
        'kept',
        Array.from({ length: count }, (_, at) => userMessage(`kept ${at}`)),
      ),
    )
    await store.putSession(
      session('gone', [userMessage(`secret ${canary}`), userMessage('kept as well')]),
    )
    const query = { query: canary }
    expect((await store.searchSessions(query)).items).toHaveLength(1)
    expect([log, index].map(({ bytes }) => bytes().includes(stem))).toEqual([true, true])

    const later =
      openIndexAt === 'never'
        ? createStore({ ...parts, options: resolveOptions({ openIndexAt }) })
        : store
    await later.deleteSession({ sessionId: 'gone' })
    expect([log, index].map(({ bytes }) => bytes().includes(stem))).toEqual([false, false])
    const again = createStore({ ...parts, options: resolveOptions({}) })
    expect((await again.searchSessions(query)).items).toEqual([])
    expect((await again.searchEvents({ query: 'kept', limit: 100 })).items).toHaveLength(
      Math.min(100, count),
    )
  },
)

it('many deletions at once are one cleaning up', async () => {
  const [log, index] = [watched(), watched()]
  const store = createStore({
    log: log.db,
    index: index.db,
    storage: { kind: 'memory' },
    options: resolveOptions({}),
    thread: storeThread(sqlite),
  })
  await store.putSession(session('kept', [userMessage('more')]))
  const ids = Array.from({ length: 50 }, (_, at) => `s${at}`)
  for (const id of ids) await store.putSession(session(id, [userMessage(`${id}${canary} and more`)]))
  await store.searchSessions({ query: 'more' })
  expect(index.bytes().includes(stem)).toBe(true)
  await Promise.all(ids.map((sessionId) => store.deleteSession({ sessionId })))
  expect(index.bytes().includes(stem)).toBe(false)
  expect((await store.searchSessions({ query: 'more' })).items).toHaveLength(1)
})
