import { openCorpus } from 'session-query'
import { afterAll } from 'vitest'
import { wrongEverywhere } from '../contract/known-failures.ts'
import { runCorpusContract } from '../contract/run-corpus-contract.ts'

let opened = 0

afterAll(async () => {
  const root = await navigator.storage.getDirectory()
  await root.removeEntry('session-query', { recursive: true }).catch(() => undefined)
})

runCorpusContract({
  name: 'a corpus in a worker, in OPFS',
  open: (options) => {
    opened += 1
    return openCorpus({ ...options, name: `contract-${opened}`, storage: 'opfs' })
  },
  broken: wrongEverywhere,
})

runCorpusContract({
  name: 'a corpus in a worker, in memory',
  open: (options) => openCorpus({ ...options, storage: 'memory' }),
  broken: wrongEverywhere,
})
