import { openMemoryCorpus } from '../../worker/in-process.ts'
import { abortsDuring } from './aborts.ts'
import { runCorpusContract } from './run-corpus-contract.ts'

runCorpusContract({
  name: 'a corpus in this thread',
  open: openMemoryCorpus,
  skip: [
    {
      reason: 'what this thread does is done when its caller can go on to abort it',
      cases: abortsDuring,
    },
  ],
})
