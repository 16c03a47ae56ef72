import { cleanupWebMCPPolyfill, initializeWebMCPPolyfill } from '@mcp-b/webmcp-polyfill'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { registerWebMcp } from '../../src/tools/dialects/webmcp.ts'
import { badCall, calls, sessionTools } from '../fixtures/tools.ts'

/** What an agent in the page uses of a `ModelContext`. */
interface ModelContext {
  registerTool(tool: object): Promise<void>
  getTools(): Promise<readonly AgentTool[]>
  executeTool(tool: AgentTool, input: string): Promise<string>
}

interface AgentTool {
  readonly name: string
  readonly annotations?: object
}

function modelContext(): ModelContext {
  return (document as unknown as { modelContext: ModelContext }).modelContext
}

async function names(): Promise<string[]> {
  return (await modelContext().getTools()).map(({ name }) => name)
}

/** Calls a tool as an agent does. */
async function call(name: string, args: object): Promise<unknown> {
  const tool = (await modelContext().getTools()).find((one) => one.name === name)
  if (tool === undefined) throw new Error(`there is no tool ${name}`)
  return JSON.parse(await modelContext().executeTool(tool, JSON.stringify(args)))
}

const tools = await sessionTools()
const sorted = tools.map(({ name }) => name).toSorted()

describe('in a page with WebMCP', () => {
  beforeEach(() => initializeWebMCPPolyfill())
  afterEach(() => cleanupWebMCPPolyfill())

  it('agents see the tools as they are', async () => {
    using _registration = await registerWebMcp(tools)
    const listed = await modelContext().getTools()
    expect(listed.map(({ name }) => name)).toEqual(sorted)
    for (const { name, title, description, inputSchema } of tools) {
      expect(listed.find((one) => one.name === name)).toMatchObject({
        title,
        description,
        inputSchema,
        annotations: { readOnlyHint: true, untrustedContentHint: true },
      })
    }
  })

  it.each(calls)('agents get the text of %s', async (name, args) => {
    using _registration = await registerWebMcp(tools)
    const text = await tools.find((tool) => tool.name === name)?.execute(args)
    expect(await call(name, args)).toEqual({ content: [{ type: 'text', text }] })
  })

  it('agents are told why a call fails', async () => {
    using _registration = await registerWebMcp(tools)
    expect(await call(badCall.name, badCall.args)).toEqual({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining(badCall.message) }],
    })
  })

  it('registering again replaces what is there', async () => {
    const first = await registerWebMcp(tools)
    const second = await registerWebMcp(tools)
    expect(await names()).toEqual(sorted)
    first.dispose()
    expect(await names()).toEqual(sorted)
    second.dispose()
    second.dispose()
    expect(await names()).toEqual([])
  })

  it('registering twice at once leaves the second', async () => {
    const [first, second] = await Promise.all([registerWebMcp(tools), registerWebMcp(tools)])
    first.dispose()
    expect(await names()).toEqual(sorted)
    second.dispose()
    expect(await names()).toEqual([])
  })

  it('registering again takes nothing of ours away that has another name', async () => {
    const first = await registerWebMcp(tools)
    using _second = await registerWebMcp(tools.slice(0, 2))
    expect(await names()).toEqual(sorted)
    first.dispose()
    const left = tools.slice(0, 2).map(({ name }) => name)
    expect(await names()).toEqual(left.toSorted())
  })

  it('the end of its scope takes them back, after which they can be registered anew', async () => {
    {
      using _registration = await registerWebMcp(tools)
      expect(await names()).toEqual(sorted)
    }
    expect(await names()).toEqual([])
    using _again = await registerWebMcp(tools)
    expect(await names()).toEqual(sorted)
  })

  it('an abort before, during or after the registration takes them back', async () => {
    const early = registerWebMcp(tools, { signal: AbortSignal.abort('early') })
    await expect(early).rejects.toBe('early')
    expect(await names()).toEqual([])

    const during = new AbortController()
    const registering = expect(registerWebMcp(tools, { signal: during.signal })).rejects.toBe('during')
    await expect.poll(names).not.toEqual([])
    during.abort('during')
    await registering
    expect(await names()).toEqual([])

    const after = new AbortController()
    const registration = await registerWebMcp(tools, { signal: after.signal })
    after.abort()
    expect(await names()).toEqual([])
    registration.dispose()

    using _again = await registerWebMcp(tools)
    expect(await names()).toEqual(sorted)
  })

  it('a name that is somebody else’s is an error, and nothing is registered or replaced', async () => {
    const description = 'Another tool.'
    const name = 'session_trace'
    await modelContext().registerTool({ name, description, execute: () => 'theirs' })
    using _ours = await registerWebMcp(tools.slice(0, 1))
    await expect(registerWebMcp(tools)).rejects.toMatchObject({
      code: 'SESSION_QUERY_INVALID_CONFIG',
      message: expect.stringContaining(`The tool ${name}`),
    })
    const [kept] = tools
    expect(await names()).toEqual([kept?.name, name])
    expect(await call('session_search', { query: 'hello' })).toHaveProperty('content')
  })
})

it('a page without WebMCP is told what is missing', async () => {
  await expect(registerWebMcp(tools)).rejects.toMatchObject({
    name: 'SessionQueryError',
    code: 'SESSION_QUERY_INVALID_CONFIG',
    message: expect.stringContaining('document.modelContext'),
  })
})
