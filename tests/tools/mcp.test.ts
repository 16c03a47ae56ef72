import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mcpToolHandlers, toMcpTools } from '../../src/tools/dialects/mcp.ts'
import type { SessionTool } from '../../src/tools/tool.ts'
import { badCall, calls, sessionTools } from '../fixtures/tools.ts'
import { waitingTool } from '../fixtures/waiting-tool.ts'

/** A client of a server that has these tools. */
async function clientOf(tools: readonly SessionTool[]): Promise<Client> {
  const server = new Server({ name: 'sessions', version: '1' }, { capabilities: { tools: {} } })
  const handlers = mcpToolHandlers(tools)
  server.setRequestHandler(ListToolsRequestSchema, handlers.listTools)
  server.setRequestHandler(CallToolRequestSchema, handlers.callTool)
  const client = new Client({ name: 'host', version: '1' })
  const [here, there] = InMemoryTransport.createLinkedPair()
  await server.connect(there)
  await client.connect(here)
  onTestFinished(() => client.close())
  return client
}

describe('an MCP server with the tools', () => {
  it('lists them as they are', async () => {
    const tools = await sessionTools()
    const { tools: listed } = await (await clientOf(tools)).listTools()
    expect(listed).toEqual(
      tools.map(({ name, title, description, inputSchema, annotations }) => ({
        name,
        title,
        description,
        inputSchema,
        annotations,
      })),
    )
  })

  it.each(calls)('answers %s with its text', async (name, args) => {
    const tools = await sessionTools()
    const client = await clientOf(tools)
    const expected = await tools.find((tool) => tool.name === name)?.execute(args)
    expect(await client.callTool({ name, arguments: args })).toEqual({
      content: [{ type: 'text', text: expected }],
    })
  })

  it('answers a call that fails with a result that says why', async () => {
    const client = await clientOf(await sessionTools())
    const result = await client.callTool({ name: badCall.name, arguments: badCall.args })
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining(badCall.message) }],
    })
    expect(JSON.stringify(result.content)).toContain(`"${badCall.code}: `)
  })

  it('answers a call without arguments', async () => {
    const client = await clientOf(await sessionTools())
    expect(await client.callTool({ name: 'session_trace' })).not.toHaveProperty('isError')
    expect(await client.callTool({ name: 'session_event_trace' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('seq is missing') }],
    })
  })

  it('tells nothing of an error that is not ours', async () => {
    const [tool] = await sessionTools()
    if (tool === undefined) throw new Error('no tool')
    const secret: SessionTool = { ...tool, execute: () => Promise.reject(new Error('at /home/x')) }
    const result = await (await clientOf([secret])).callTool({ name: tool.name, arguments: {} })
    expect(result.isError).toBe(true)
    expect(JSON.stringify(result.content)).toMatch(/SESSION_QUERY_TOOL_FAILED: (?!.*home)/)
  })

  it('answers a name that it does not know with an error of the protocol that says what there is', async () => {
    const client = await clientOf(await sessionTools())
    const call = client.callTool({ name: 'session_delete', arguments: {} })
    await expect(call).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/"session_delete".*session_search, .*session_event_read\.$/),
    })
  })

  it('ends a call that the client cancels', async () => {
    const [first] = await sessionTools()
    if (first === undefined) throw new Error('no tool')
    const waiting = waitingTool(first)
    const client = await clientOf([waiting.tool])
    const controller = new AbortController()
    const call = client.callTool({ name: first.name, arguments: {} }, undefined, {
      signal: controller.signal,
    })
    const ended = expect(call).rejects.toThrow('enough')
    await waiting.called
    controller.abort(new Error('enough'))
    await ended
    await waiting.aborted
  })
})

describe('the handlers', () => {
  it('reject with the very reason of an abort', async () => {
    const { callTool } = mcpToolHandlers(await sessionTools())
    const signal = AbortSignal.abort('enough')
    await expect(callTool({ params: { name: 'session_trace' } }, { signal })).rejects.toBe('enough')
  })

  it('give lists that are the caller’s own', async () => {
    const tools = await sessionTools()
    const before = structuredClone(toMcpTools(tools))
    for (const tool of toMcpTools(tools)) {
      tool.inputSchema.required.push('more')
      tool.inputSchema.properties = {}
      Reflect.deleteProperty(tool.annotations, 'readOnlyHint')
    }
    expect(toMcpTools(tools)).toEqual(before)
    const { listTools } = mcpToolHandlers(tools)
    const [listed] = (await listTools()).tools
    listed?.inputSchema.required.push('more')
    expect((await listTools()).tools).toEqual(before)
  })
})
