import { expect } from 'vitest'
import type { CorpusChange } from '../../src/core/corpus.ts'
import { session } from '../fixtures/logs.ts'
import { refused, type Contract } from './contract.ts'
import { append, talk } from './logs.ts'

/** subscribe. */
export function changeCases(contract: Contract): void {
  contract.topic('changes', () => {
    contract.case('of stored sessions are told', async (corpus) => {
      const { heard, stop } = listen(corpus)
      await corpus.putSession(session('s', [{}]))
      await corpus.putSession(session('s', [{}]))
      await corpus.putSession(session('s', [{}, {}]))
      await corpus.appendEvents({ sessionId: 's', events: session('s', [{}, {}, {}]).events })
      await corpus.appendEvents({ sessionId: 's', events: [] })
      await corpus.deleteSession({ sessionId: 's' })
      stop?.()
      expect(heard).toEqual(['added s', 'appended s', 'appended s', 'removed s'])
    })

    contract.case('that are refused are not told', async (corpus) => {
      await corpus.putSession(talk)
      const { heard, stop } = listen(corpus)
      await refused(corpus.putSession(session('talk', [{}], { cwd: '/else' })), 'SOURCE_CONFLICT')
      await refused(corpus.deleteSession({ sessionId: 'none' }), 'SESSION_NOT_FOUND')
      await refused(corpus.sessions.create({ id: 'talk' }), 'SOURCE_CONFLICT')
      const live = await corpus.sessions.resume('talk')
      heard.length = 0
      expect(() => append(live, 'user/message', {})).toThrow(/surfaceOp/)
      stop?.()
      expect(heard).toEqual([])
    })

    contract.case('of live sessions are told, at once', async (corpus) => {
      const { heard, stop } = listen(corpus)
      const live = await corpus.sessions.create({ id: 'live' })
      append(live, 'turn/start', {})
      append(live, 'turn/end', {})
      expect(heard).toEqual(['added live', 'appended live', 'appended live'])
      await live.close()
      expect(heard.slice(3)).toEqual(['closed live'])
      stop?.()
    })

    contract.case('a session that is closed is told of once, however many are', async (corpus) => {
      const { heard, stop } = listen(corpus)
      for (let at = 0; at < 30; at += 1) {
        const live = await corpus.sessions.create({ id: `brief-${at}` })
        const listed = corpus.listSessions()
        await live.close()
        await listed
      }
      await corpus.listSessions()
      expect(heard.filter((change) => change.startsWith('closed'))).toEqual(
        Array.from({ length: 30 }, (_, at) => `closed brief-${at}`),
      )
      stop?.()
    })

    contract.case('are told to whoever listens still, each as often as it asked', async (corpus) => {
      const heard: string[] = []
      const one = (change: CorpusChange): void => void heard.push(`one ${change.kind}`)
      const stops = [
        corpus.subscribe(one),
        corpus.subscribe(one),
        corpus.subscribe(() => heard.push('two')),
      ]
      await corpus.putSession(session('s', []))
      expect(heard).toEqual(['one added', 'one added', 'two'])
      heard.length = 0
      stops[0]?.()
      stops[0]?.()
      await corpus.deleteSession({ sessionId: 's' })
      expect(heard).toEqual(['one removed', 'two'])
      for (const stop of stops) stop()
      heard.length = 0
      await corpus.putSession(session('s', []))
      expect(heard).toEqual([])
    })

    contract.case('are told once to a listener that comes back while it hears', async (corpus) => {
      let times = 0
      let stop: (() => void) | undefined
      const arm = (): void => {
        stop = corpus.subscribe(({ kind }) => {
          if (kind !== 'added') return
          times += 1
          // A loop would hang the page, and this test with it.
          if (times > 5) return
          stop?.()
          arm()
        })
      }
      arm()
      await corpus.putSession(session('s', [{}]))
      expect(times).toBe(1)
      stop?.()
    })

    contract.case('harm nobody when a listener throws, stops or writes', async (corpus) => {
      const heard: string[] = []
      const stops = [
        corpus.subscribe(() => {
          throw new Error('of its own')
        }),
        corpus.subscribe(() => stops[2]?.()),
        corpus.subscribe(() => heard.push('stopped')),
        corpus.subscribe(({ kind, sessionId }) => {
          heard.push(`${kind} ${sessionId}`)
          if (kind === 'appended' && live.length < 3) append(live, 'from/listener', {})
        }),
      ]
      const live = await corpus.sessions.create({ id: 'live' })
      expect(append(live, 'turn/start', {}).seq).toBe(0)
      expect(heard).toEqual(['added live', 'appended live', 'appended live', 'appended live'])
      expect(live.events.map(({ type }) => type)).toEqual([
        'turn/start',
        'from/listener',
        'from/listener',
      ])
      for (const stop of stops) stop()
    })
  })
}

function listen(corpus: { subscribe(listener: (change: CorpusChange) => void): () => void }): {
  heard: string[]
  stop: () => void
} {
  const heard: string[] = []
  const stop = corpus.subscribe(({ kind, sessionId }) => heard.push(`${kind} ${sessionId}`))
  return { heard, stop }
}
