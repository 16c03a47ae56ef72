import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { session, userMessage } from '../fixtures/logs.ts'
import { toolNames } from '../tools/workspace.ts'
import { asking, called, clientOf, serveWorker, signed, type ServedWorker } from './served-worker.ts'
import { fill, put, wordOf, workspaces, type Workspace } from './two-workspaces.ts'

let worker: ServedWorker

beforeAll(async () => {
  worker = await serveWorker()
  await fill(worker)
})

afterAll(() => worker.close())

const otherOf = { north: 'south', south: 'north' } as const

async function callerIn(workspace: Workspace, options?: Parameters<typeof clientOf>[2]) {
  return clientOf(worker, await signed({ workspace, session: 'me' }), options)
}

describe.each(workspaces)('a caller of the workspace %s', (workspace) => {
  const word = wordOf[workspace]
  const other = otherOf[workspace]
  const otherWord = wordOf[other]

  it('is told of the five tools, and that they only read', async () => {
    const { tools } = await (await callerIn(workspace)).listTools()
    expect(tools.map(({ name }) => name)).toEqual(toolNames)
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  })

  it.each([
    ['session_search', { query: word }, [`only-${workspace}`, 'plan']],
    ['session_event_search', { query: word }, [`my own`]],
    ['session_event_search', { query: word, session_id: 'plan' }, ['the plan of the']],
    ['session_trace', { session_id: 'plan' }, ['plan']],
    ['session_event_trace', { session_id: 'plan', seq: 0 }, ['user/message']],
    ['session_event_read', { session_id: 'plan', seq: 0 }, [`the plan of the ${word}`]],
    ['session_event_read', { seq: 0 }, [`my own ${word}`]],
  ])('sees its own sessions with %s %o', async (name, args, expected) => {
    const { text, failed } = await called(await callerIn(workspace), name, args)
    expect(failed, text).toBe(false)
    for (const part of expected) expect(text).toContain(part)
    expect(text).not.toContain(otherWord)
  })

  it('does not find what the other one has', async () => {
    const client = await callerIn(workspace)
    for (const args of [
      { query: otherWord },
      { query: otherWord, session_ids: [`only-${other}`] },
      { query: 'plan', parent_session_ids: [`only-${other}`] },
    ]) {
      const { text } = await called(client, 'session_search', args)
      expect(text).toMatch(/^No session found\./)
      expect(text).not.toContain(`only-${other} `)
    }
  })

  it.each([
    `only-${other}`,
    `${other}/only-${other}`,
    `../${other}/only-${other}`,
    `%2e%2e/${other}/only-${other}`,
    `${other}:only-${other}`,
    `only-${other}\0`,
    `only-${other}' OR '1'='1`,
  ])('is refused the session %j like one that does not exist', async (id) => {
    const client = await callerIn(workspace)
    for (const [name, args] of [
      ['session_event_search', { query: otherWord }],
      ['session_trace', {}],
      ['session_event_trace', { seq: 0 }],
      ['session_event_read', { seq: 0 }],
    ] as const) {
      const answer = await called(client, name, { ...args, session_id: id })
      expect(answer).toEqual(await called(client, name, { ...args, session_id: 'nowhere' }))
      expect(answer.failed).toBe(true)
      expect(answer.text).toContain('SESSION_QUERY_TOOL_UNAUTHORIZED')
    }
  })

  it.each(['workspace', 'agent', 'caller', 'session', 'cwd', 'token', '__proto__'])(
    'cannot be another by an argument %s',
    async (argument) => {
      const client = await callerIn(workspace)
      const extra = Object.fromEntries([[argument, other]])
      const search = await called(client, 'session_search', { query: otherWord, ...extra })
      const read = await called(client, 'session_event_read', { session_id: 'plan', seq: 0, ...extra })
      for (const { text } of [search, read]) expect(text).not.toContain(`the ${otherWord}`)
      expect(search.failed || search.text.startsWith('No session found.')).toBe(true)
    },
  )

  it('cannot be another by headers, the address, cookies or what goes with a call', async () => {
    const client = await callerIn(workspace, {
      path: `/mcp?workspace=${other}&session=only-${other}`,
      headers: {
        'X-Workspace': other,
        'X-Session': `only-${other}`,
        'Mcp-Session-Id': other,
        Cookie: `workspace=${other}`,
        'X-Forwarded-Host': `${other}.example`,
      },
    })
    const meta = { workspace: other, session: `only-${other}` }
    const read = await called(client, 'session_event_read', { seq: 0 }, meta)
    expect(read.text).toContain(`my own ${word}`)
    const search = await called(client, 'session_search', { query: otherWord }, meta)
    expect(search.text).toMatch(/^No session found\./)
  })
})

describe('the calling session', () => {
  it('decides what may be seen inside the workspace', async () => {
    const ask = await asking(worker, 'apart')
    await put(ask, session('a', [userMessage('anchor')], { cwd: '/one' }))
    await put(ask, session('b', [userMessage('anchor')], { cwd: '/two' }))
    const client = await clientOf(worker, await signed({ workspace: 'apart', session: 'a' }))
    const read = await called(client, 'session_event_read', { session_id: 'b', seq: 0 })
    expect(read).toMatchObject({ failed: true, text: expect.stringContaining('TOOL_UNAUTHORIZED') })
    expect((await called(client, 'session_event_read', { seq: 0 })).text).toContain('anchor')
  })

  it('has to be stored', async () => {
    const client = await clientOf(worker, await signed({ workspace: 'north', session: 'unknown' }))
    const { text, failed } = await called(client, 'session_search', { query: wordOf.north })
    expect(failed).toBe(true)
    expect(text).toContain('SESSION_QUERY_TOOL_MISSING_AGENT')
  })
})

describe('the address of MCP', () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  }

  it('speaks revision 2025-11-25, without sessions of its own', async () => {
    const ask = await asking(worker, 'north')
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'host', version: '1' },
    }
    const body = JSON.stringify({ ...message, method: 'initialize', params })
    const response = await ask('/mcp', { method: 'POST', headers, body })
    expect(response.headers.has('mcp-session-id')).toBe(false)
    expect(await response.json()).toMatchObject({
      result: { protocolVersion: '2025-11-25', capabilities: { tools: {} } },
    })
  })

  it('answers a message without another one before it', async () => {
    const ask = await asking(worker, 'north')
    const response = await ask('/mcp', { method: 'POST', headers, body: JSON.stringify(message) })
    expect(await response.json()).toMatchObject({
      id: 1,
      result: { tools: toolNames.map((name) => ({ name })) },
    })
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect((await ask('/mcp', { method: 'POST', headers, body })).status).toBe(202)
  })

  it.each(['GET', 'DELETE', 'PUT'])('does not take %s', async (method) => {
    const response = await (await asking(worker, 'north'))('/mcp', { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  })

  it('does not take a request of a web page', async () => {
    const ask = await asking(worker, 'north')
    const body = JSON.stringify(message)
    const origin = 'https://page.example'
    const response = await ask('/mcp', { method: 'POST', headers: { ...headers, origin }, body })
    expect(response.status).toBe(403)
  })

  it('says what is not a message', async () => {
    const ask = await asking(worker, 'north')
    const response = await ask('/mcp', { method: 'POST', headers, body: '{' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: -32700 } })
  })
})
