import { openDurableCorpus } from '../../src/edge/open-durable-corpus.ts'
import { runCorpusContract } from '../contract/run-corpus-contract.ts'
import { inObject, testStorage } from './in-object.ts'

let opened = 0

runCorpusContract({
  name: 'a corpus in a Durable Object',
  within: (body) => inObject('contract', body),
  open: async (options) => {
    opened += 1
    return openDurableCorpus(testStorage(), { ...options, name: `contract${opened}` })
  },
})
