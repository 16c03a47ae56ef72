import { madeTime } from '../made-logs.ts'
import type { Acknowledged, PageWork, Recovery, Reopening } from '../plan.ts'
import { recoverAtOnce } from './recover.ts'
import { endWorker } from './workers.ts'
import { beginWork } from './work.ts'

// Live events carry the time, and have to be told apart from nothing but their session and place.
Date.now = () => madeTime

const reopening = new URLSearchParams(location.search).get('reopen')
const recovering = reopening === null ? undefined : recoverAtOnce(JSON.parse(reopening) as Reopening)
// Told to whoever asks.
recovering?.catch(() => undefined)

Object.assign(globalThis, {
  beginWork: (work: PageWork) => beginWork(work),
  endWorker,
  recovery: async (acknowledged: Acknowledged): Promise<Recovery> => {
    const check = await recovering
    if (check === undefined) throw new Error('This page was opened without ?reopen=')
    return check(acknowledged)
  },
})
