import { registerWebMcp } from '../../src/tools/dialects/webmcp.ts'
import { badCall, sessionTools } from '../fixtures/tools.ts'
import { waitingTool } from '../fixtures/waiting-tool.ts'

// The script of a page whose browser has WebMCP itself.

Object.assign(globalThis, { useAsAgent })

/** What became visible to an agent, step by step. */
export interface SeenByAgent {
  readonly registered: readonly string[]
  readonly annotations: object | undefined
  readonly answer: string
  readonly failure: string
  readonly replaced: readonly string[]
  readonly refusal: string
  readonly afterRefusal: readonly string[]
  readonly abortedWith: unknown
  readonly disposed: readonly string[]
}

interface ModelContext {
  registerTool(tool: object, options: { readonly signal: AbortSignal }): Promise<void>
  getTools(): Promise<readonly AgentTool[]>
  executeTool(tool: AgentTool, input: object, options?: { signal: AbortSignal }): Promise<string>
}

interface AgentTool {
  readonly name: string
  readonly annotations?: object
}

/** @returns undefined where the browser has no WebMCP */
async function useAsAgent(): Promise<SeenByAgent | undefined> {
  const { modelContext } = document as { modelContext?: ModelContext }
  if (modelContext === undefined) return undefined
  const names = async (): Promise<string[]> => (await modelContext.getTools()).map(({ name }) => name)
  const find = async (wanted: string): Promise<AgentTool> => {
    const found = (await modelContext.getTools()).find(({ name }) => name === wanted)
    if (found === undefined) throw new Error(`there is no tool ${wanted}`)
    return found
  }
  const tools = await sessionTools()
  const [searching, ...others] = tools
  if (searching === undefined) throw new Error('no tools')

  const first = await registerWebMcp(tools)
  const registered = await names()
  const read = await find('session_event_read')
  const answer = await modelContext.executeTool(read, { seq: '0' })
  const failure = await modelContext.executeTool(await find(badCall.name), badCall.args)

  const second = await registerWebMcp(others)
  first.dispose()
  const replaced = await names()

  const theirs = new AbortController()
  const foreign = { name: searching.name, description: 'Theirs.', execute: () => 'theirs' }
  await modelContext.registerTool(foreign, { signal: theirs.signal })
  const refusal = await registerWebMcp(tools).then(
    () => 'none',
    (error: Error) => error.message,
  )
  const afterRefusal = await names()
  theirs.abort()

  const waiting = waitingTool(searching)
  const third = await registerWebMcp([waiting.tool])
  const controller = new AbortController()
  const call = modelContext.executeTool(await find(searching.name), {}, { signal: controller.signal })
  call.catch(() => undefined)
  await waiting.called
  controller.abort()
  const abortedWith = String(await waiting.aborted)

  second.dispose()
  third.dispose()
  const disposed = await names()
  const { annotations } = read
  return {
    registered,
    annotations,
    answer,
    failure,
    replaced,
    refusal,
    afterRefusal,
    abortedWith,
    disposed,
  }
}
