import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMemoryCorpus } from '../../worker/in-process.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { asking, called, clientOf, serveWorker, signed, type ServedWorker } from './served-worker.ts'
import { logsOf, put } from './two-workspaces.ts'

let worker: ServedWorker

beforeAll(async () => {
  worker = await serveWorker()
})

afterAll(() => worker.close())

const log = session('a/b ?c', [userMessage('a kettle on the stove')], { cwd: '/w' })
const path = `/sessions/${encodeURIComponent(log.header.id)}`

function further(text: string): string {
  const [, event] = session('x', [{}, userMessage(text)]).events
  return JSON.stringify({ events: [event] })
}

describe('what is put', () => {
  it('is found by search, and so is what is added', async () => {
    const ask = await asking(worker, 'writing')
    const [me] = logsOf('north')
    if (me !== undefined) await put(ask, me)
    const created = await put(ask, log)
    expect(created.status).toBe(201)
    expect(await created.json()).toMatchObject({ sessionId: log.header.id, created: true, length: 1 })
    const again = await put(ask, log)
    expect([again.status, await again.json()]).toEqual([200, expect.objectContaining({ appended: 0 })])
    const added = await ask(`${path}/events`, { method: 'POST', body: further('and a teapot') })
    expect(await added.json()).toMatchObject({ appended: 1, length: 2 })

    const client = await clientOf(worker, await signed({ workspace: 'writing', session: 'me' }))
    for (const query of ['kettle', 'teapot']) {
      const { text } = await called(client, 'session_search', { query })
      expect(text).toContain(log.header.id)
    }
  })

  it('is of one workspace: in another, the same id is another session', async () => {
    const [ask, elsewhere] = [await asking(worker, 'ids'), await asking(worker, 'other-ids')]
    await put(ask, log)
    const adding = () => elsewhere(`${path}/events`, { method: 'POST', body: further('here') })
    expect((await adding()).status).toBe(404)
    const other = session(log.header.id, [userMessage('quite another')], { cwd: '/w' })
    expect((await put(elsewhere, other)).status).toBe(201)
    expect(await (await adding()).json()).toMatchObject({ length: 2 })
    expect(await (await put(ask, log)).json()).toMatchObject({ created: false, length: 1 })
  })
})

it('can be longer than what an object answers at once', async () => {
  const ask = await asking(worker, 'long')
  const parts = Array.from({ length: 36 }, (_, seq) =>
    userMessage(`${seq} ${'a kettle '.repeat(110_000)}`),
  )
  const { header, events } = session('me', parts, { cwd: '/w' })
  expect((await put(ask, { header, events: events.slice(0, 12) })).status).toBe(201)
  for (const from of [12, 24]) {
    const body = JSON.stringify({ events: events.slice(from, from + 12) })
    expect((await ask('/sessions/me/events', { method: 'POST', body })).status).toBe(200)
  }
  const client = await clientOf(worker, await signed({ workspace: 'long', session: 'me' }))
  const { text, failed } = await called(client, 'session_event_read', { seq: 35 })
  expect([failed, text.includes('35 a kettle')]).toEqual([false, true])
})

describe('what cannot be done', () => {
  const valid = JSON.stringify(log)
  it.each([
    ['PUT', path, '{', 400, 'BAD_REQUEST'],
    ['PUT', path, 'null', 400, 'BAD_REQUEST'],
    ['PUT', path, '{}', 400, 'BAD_REQUEST'],
    ['PUT', '/sessions/another', valid, 400, 'BAD_REQUEST'],
    ['PUT', '/sessions/%ff', valid, 400, 'BAD_REQUEST'],
    ['PUT', path, `{"header":${JSON.stringify(log.header)}}`, 422, 'SESSION_QUERY_CORRUPT_SESSION'],
    ['POST', `${path}/events`, '{}', 422, 'SESSION_QUERY_CORRUPT_SESSION'],
    ['POST', '/sessions/nowhere/events', further('x'), 404, 'SESSION_QUERY_SESSION_NOT_FOUND'],
    ['POST', '/import', 'not a database', 422, 'SESSION_QUERY_PERSISTENCE_FAILED'],
    ['POST', '/import', undefined, 422, 'SESSION_QUERY_PERSISTENCE_FAILED'],
    ['PUT', path, Uint8Array.of(0x22, 0xff, 0x22), 400, 'BAD_REQUEST'],
    ['PUT', path, ' '.repeat(17 * 1024 * 1024), 413, 'TOO_LARGE'],
    ['POST', path, valid, 405, 'METHOD_NOT_ALLOWED'],
    ['GET', `${path}/events`, undefined, 405, 'METHOD_NOT_ALLOWED'],
    ['PUT', '/export', valid, 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/sessions', undefined, 404, 'NOT_FOUND'],
    ['PUT', '/sessions/x/events/../../..', valid, 404, 'NOT_FOUND'],
  ])('%s %s is answered with its status and code', async (method, where, body, status, code) => {
    const response = await (await asking(worker, 'refusing'))(where, { method, body: body ?? null })
    expect(await response.json()).toEqual({ code, message: expect.stringMatching(/./) })
    expect(response.status).toBe(status)
  })

  it('is another log under an id that is taken', async () => {
    const ask = await asking(worker, 'conflicts')
    await put(ask, log)
    const response = await put(ask, session(log.header.id, [userMessage('another')], { cwd: '/w' }))
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ code: 'SESSION_QUERY_SOURCE_CONFLICT' })
  })
})

describe('the file of a workspace', () => {
  it('has its sessions alone, and is taken in by another workspace and by a page', async () => {
    for (const [workspace, logs] of [
      ['leaving', [...logsOf('north'), log]],
      ['staying', logsOf('south')],
    ] as const) {
      const ask = await asking(worker, workspace)
      for (const one of logs) expect((await put(ask, one)).status).toBe(201)
    }
    const exported = await (await asking(worker, 'leaving'))('/export')
    expect(exported.headers.get('content-type')).toBe('application/vnd.sqlite3')
    const file = new Uint8Array(await exported.arrayBuffer())

    const page = await openMemoryCorpus()
    await page.importDatabase(file)
    const ids = (await page.listSessions()).map(({ header }) => header.id)
    expect(ids).toEqual(['a/b ?c', 'me', 'only-north', 'plan'])
    await page.close()

    const arriving = await asking(worker, 'arriving')
    const imported = await arriving('/import', { method: 'POST', body: file })
    expect(await imported.json()).toMatchObject({ created: 4, refused: [] })
    const client = await clientOf(worker, await signed({ workspace: 'arriving', session: 'me' }))
    expect((await called(client, 'session_search', { query: 'lighthouse' })).text).toContain(
      'only-north',
    )
    expect((await called(client, 'session_search', { query: 'vineyard' })).text).toMatch(/^No session/)
    const again = await arriving('/import', { method: 'POST', body: file })
    expect(await again.json()).toMatchObject({ created: 0, unchanged: 4 })
  })
})
