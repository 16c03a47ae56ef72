import { loadSqlite, openMemoryDatabase } from '../../worker/sqlite.ts'
import { openHost } from '../edge-file/one-database.ts'
import { abortsDuring } from './aborts.ts'
import { runCorpusContract } from './run-corpus-contract.ts'

const sqlite = await loadSqlite()

runCorpusContract({
  name: 'a corpus in one database with small columns',
  open: async (options) => openHost(openMemoryDatabase(sqlite), 2000, options).corpus,
  skip: [
    {
      reason: 'what this thread does is done when its caller can go on to abort it',
      cases: abortsDuring,
    },
    {
      reason: 'a database that is not a file of its own gives no room back',
      cases: ['housekeeping: compacting gives back what was deleted, and keeps what was not'],
    },
  ],
})
