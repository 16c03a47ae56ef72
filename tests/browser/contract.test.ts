import { openCorpus, type OpenOptions } from 'session-query'
import { afterAll } from 'vitest'
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
    return openCorpus(joined(options, { name: `contract-${opened}`, storage: 'opfs' }))
  },
})

runCorpusContract({
  name: 'a corpus in a worker, in memory',
  open: (options) => openCorpus(joined(options, { storage: 'memory' })),
  skip: [
    {
      reason: 'what a worker holds in memory ends with it',
      cases: ['reopening: keeps what is stored'],
    },
  ],
})

/** Options of a case, which may be none at all, and where the corpus is to be. */
function joined(options: OpenOptions | undefined, where: OpenOptions): OpenOptions {
  if (options === undefined) return where
  return typeof options === 'object' && options !== null ? { ...options, ...where } : options
}
