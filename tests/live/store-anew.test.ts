import { expect, it } from 'vitest'
import { LiveLog } from '../../src/live/live-log.ts'
import { WriteBehind } from '../../src/live/write-behind.ts'
import { session, userMessage } from '../fixtures/logs.ts'

it.each([
  ['answered', undefined],
  ['refused', new Error('No such session.')],
])(
  'a batch that is %s after everything was to be stored anew counts for nothing',
  async (_how, failure) => {
    const { header, events } = session('a', [userMessage('1'), userMessage('2'), userMessage('3')])
    const calls: string[] = []
    const failures: unknown[] = []
    const answers: (() => void)[] = []
    const result = { sessionId: 'a', created: false, appended: 0, length: 0 }
    const store = {
      async appendEvents() {
        calls.push('append')
        await new Promise<void>((resolve) => answers.push(resolve))
        if (failure !== undefined) throw failure
        return result
      },
      async putSession({ events: put }: { readonly events: readonly unknown[] }) {
        calls.push(`put ${put.length}`)
        return result
      },
    }
    const target = {
      store: () => store,
      later: () => undefined,
      failed: (error: unknown) => failures.push(error),
    }
    const writing = new WriteBehind(new LiveLog(header, events), target, 2, 10)
    const flush = writing.flush()
    await Promise.resolve()
    writing.startAnew()
    answers[0]?.()
    await flush
    expect(calls).toEqual(['append', 'put 3'])
    expect(failures).toEqual([])
    expect(writing.done).toBe(true)
  },
)
