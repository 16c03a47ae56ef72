import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMemoryCorpus } from '../../worker/in-process.ts'
import { MadeUpSessions, planted } from '../bench/made-up-sessions.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { asking, serveWorker, type ServedWorker } from './served-worker.ts'

let worker: ServedWorker

beforeAll(async () => {
  worker = await serveWorker()
})

afterAll(() => worker.close())

it('carries a log as a stream from a page’s corpus to the edge, and back', async () => {
  const made = new MadeUpSessions(7)
  const logs = Array.from({ length: 40 }, (_, at) => made.session(`session-${at}`, 50))
  logs.push(session('odd \uD800', [userMessage('a NUL \0 and half of one \uDC00')]))
  logs.push(session('large', [userMessage(`start ${'much '.repeat(900_000)} end`)]))
  await using page = await openMemoryCorpus()
  for (const log of logs) await page.putSession(log)

  const ask = await asking(worker, 'moving')
  const body = await page.exportDatabase()
  const imported = await ask('/import', { method: 'POST', body, duplex: 'half' } as RequestInit)
  expect(await imported.json()).toMatchObject({ sessions: logs.length, created: logs.length })

  await using other = await openMemoryCorpus()
  const exported = await ask('/export')
  expect(exported.status).toBe(200)
  if (exported.body === null) throw new Error('There is no file.')
  expect(await other.importDatabase(exported.body)).toMatchObject({
    created: logs.length,
    events: 40 * 50 + 2,
    refused: [],
  })
  expect(await other.listSessions()).toEqual(await page.listSessions())
  for (const { header, events } of logs) {
    const read = await other.readSession({ sessionId: header.id })
    expect(JSON.stringify(read)).toBe(JSON.stringify({ session: header, events }))
  }
  const query = { query: planted.pair.join(' '), limit: 100 }
  expect((await other.searchEvents(query)).items).toEqual((await page.searchEvents(query)).items)
})
