import type { AbortSignalLike } from '../../core/corpus.ts'
import { quoted } from '../../core/errors.ts'
import type { SessionTool, ToolAnnotations } from '../tool.ts'
import { detached, type Detached, type DetachedSchema } from './detached.ts'
import { mcpResult, type McpToolResult } from './mcp-result.ts'

/** `Tool` of the Model Context Protocol, revision 2025-11-25. */
export type McpTool = {
  name: string
  title: string
  description: string
  inputSchema: DetachedSchema
  annotations: Detached<ToolAnnotations>
}

/** What is used of a `tools/call` request. */
export interface McpCallRequest {
  readonly params: {
    readonly name: string
    readonly arguments?: Readonly<Record<string, unknown>> | undefined
  }
}

/** What is used of what an SDK hands to a handler besides the request. */
export interface McpCallExtra {
  /** Aborted when the client cancels the request. */
  readonly signal?: AbortSignalLike | undefined
}

/** Handlers for the requests that are about tools. They need no `this`. */
export interface McpToolHandlers {
  /** Answers `tools/list`: all of them, on one page. */
  readonly listTools: () => Promise<{ tools: McpTool[] }>

  /**
   * Answers `tools/call`. A failure is a result with `isError`; its text is the code and the message.
   *
   * @throws an `Error` with the `code` -32602 (invalid params) that names the tools there are, where the one that is
   *   called is not among them: the protocol wants an error of its own for that; the signal's reason when the request
   *   is cancelled
   */
  readonly callTool: (request: McpCallRequest, extra?: McpCallExtra) => Promise<McpToolResult>
}

/** The tools as the result of `tools/list` of MCP (revision 2025-11-25, "Server Features: Tools") names them. */
export function toMcpTools(tools: readonly SessionTool[]): McpTool[] {
  return tools.map(({ name, title, description, inputSchema, annotations }) => ({
    name,
    title,
    description,
    inputSchema: detached(inputSchema),
    annotations: detached(annotations),
  }))
}

/**
 * Handlers for the low-level `Server` of `@modelcontextprotocol/sdk`, with the capability `tools`:
 *
 * ```ts
 * server.setRequestHandler(ListToolsRequestSchema, handlers.listTools)
 * server.setRequestHandler(CallToolRequestSchema, handlers.callTool)
 * ```
 */
export function mcpToolHandlers(tools: readonly SessionTool[]): McpToolHandlers {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return {
    listTools: async () => ({ tools: toMcpTools([...byName.values()]) }),
    callTool: async ({ params }, extra) => {
      const tool = byName.get(params.name)
      if (tool === undefined) throw unknownTool(params.name, [...byName.keys()])
      return await mcpResult(tool, params.arguments, extra?.signal)
    },
  }
}

/** JSON-RPC's code for parameters that are not valid. */
const invalidParams = -32602

/** No `SessionQueryError`: a server takes the number in `code` for the protocol's error. */
function unknownTool(name: string, known: readonly string[]): Error {
  const message = `Unknown tool: ${quoted(name)}. There are: ${known.join(', ')}.`
  return Object.assign(new Error(message), { code: invalidParams })
}
