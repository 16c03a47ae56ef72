import { openDurableCorpus } from '../../src/edge/index.ts'
import { abortsDuring } from '../contract/aborts.ts'
import { runCorpusContract } from '../contract/run-corpus-contract.ts'
import { inObject, testStorage } from './in-object.ts'

let opened = 0

runCorpusContract({
  name: 'a corpus in a Durable Object',
  within: (body) => inObject('contract', body),
  open: async (options = {}) => {
    opened += 1
    const where = { name: `contract${opened}` }
    // What is no object has to come as it is.
    const given = typeof options === 'object' && options !== null ? { ...options, ...where } : options
    return openDurableCorpus(testStorage(), given)
  },
  skip: [
    {
      reason: 'what this thread does is done when its caller can go on to abort it',
      cases: abortsDuring,
    },
    {
      reason: 'the index is made with the first search, since an object wakes often',
      cases: ['the search index: is made at once otherwise'],
    },
    {
      reason: 'writes are indexed in batches, by alarm or by the next search, not one by one',
      cases: [
        'the time of a search: ends with its deadline, and leaves everything as it was',
        'status: counts what is stored and what is open',
        'status: names the stored session that cannot be read in full',
      ],
    },
    {
      reason: 'an object gives no room back by itself: its storage does',
      cases: ['housekeeping: compacting gives back what was deleted, and keeps what was not'],
    },
  ],
})
