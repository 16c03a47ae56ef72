import { openMemoryCorpus } from '../../worker/in-process.ts'
import { abortsDuring } from './aborts.ts'
import { wrongEverywhere } from './known-failures.ts'
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
  broken: [
    ...wrongEverywhere,
    {
      reason: 'traceEvent of a stored session gives lists that belong to the fold kept by the store',
      cases: [
        'detachment: of what traceEvent of a replaced event gives, for a session that is stored',
        'detachment: of what traceEvent of a replacement gives, for a session that is stored',
      ],
    },
  ],
})
