import type { SessionCorpus } from '../../src/core/corpus.ts'
import { session } from '../fixtures/logs.ts'
import { place } from './placements.ts'

/** An id that SQLite text cannot hold. */
export const odd = 'a\u0000\ud800'

/** Six sessions; those that are live alone are made as such, because a fork has a parent. */
export async function manySessions(corpus: SessionCorpus): Promise<void> {
  await place(corpus, 'stored', session('s1', [], { createdAt: 10, cwd: '/shop' }))
  await place(corpus, 'stored', session('s2', [], { createdAt: 20, parentSession: 's1' }))
  await place(
    corpus,
    'live and stored',
    session('b1', [], { createdAt: 30, cwd: '/shop', parentSession: 's1' }),
  )
  await place(
    corpus,
    'live and stored',
    session(odd, [], { createdAt: 40, cwd: odd, parentSession: odd }),
  )
  await corpus.sessions.create({ id: 'l1', createdAt: 50, cwd: '/shop' }, { persist: false })
  await corpus.sessions.create(
    { id: 'l2', createdAt: 60, cwd: '', parentSession: 'gone' },
    { persist: false },
  )
}
