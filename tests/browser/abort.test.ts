import { openCorpus } from 'session-query'
import { expect, it } from 'vitest'
import { greeting, log, userMessage } from './logs.ts'

it('a call that is aborted in the turn in which it was made does nothing', async () => {
  await using corpus = await openCorpus({ storage: 'memory' })
  await corpus.putSession(greeting)
  const controller = new AbortController()
  const deletion = corpus.deleteSession({ sessionId: 'greeting' }, { signal: controller.signal })
  controller.abort('changed my mind')
  await expect(deletion).rejects.toBe('changed my mind')
  expect(await corpus.listSessions()).toHaveLength(1)
})

it('a call that is aborted while it waits behind a long one does nothing', async () => {
  await using corpus = await openCorpus({ storage: 'memory' })
  const many = Array.from({ length: 20_000 }, () => userMessage('some words to index'))
  const long = corpus.putSession(log('long', many))
  const controller = new AbortController()
  const waiting = corpus.putSession(greeting, { signal: controller.signal })
  await new Promise((resume) => setTimeout(resume, 200))
  controller.abort('no longer')
  await expect(waiting).rejects.toBe('no longer')
  await long
  expect((await corpus.listSessions()).map(({ header }) => header.id)).toEqual(['long'])
})

it('calls keep their order, with a signal or without', async () => {
  await using corpus = await openCorpus({ storage: 'memory' })
  const { signal } = new AbortController()
  await corpus.putSession(greeting)
  const writes = Array.from({ length: 50 }, (_, at) =>
    corpus.appendEvents(
      { sessionId: 'greeting', events: [{ type: 'turn/start', seq: 3 + at, time: 0, data: {} }] },
      at % 2 === 0 ? { signal } : {},
    ),
  )
  const lengths = (await Promise.all(writes)).map(({ length }) => length)
  expect(lengths).toEqual(Array.from({ length: 50 }, (_, at) => 4 + at))
})

it('refuses a worker that another corpus uses, and says so', async () => {
  const worker = new Worker(new URL('../../dist/worker.js', import.meta.url), { type: 'module' })
  await using corpus = await openCorpus({ storage: 'memory', worker })
  await expect(openCorpus({ storage: 'memory', worker })).rejects.toMatchObject({
    code: 'SESSION_QUERY_INVALID_CONFIG',
    message: expect.stringContaining('another corpus'),
  })
  expect(await corpus.listSessions()).toEqual([])
})
