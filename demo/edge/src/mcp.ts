import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { SessionQuery } from 'session-query/edge'
import {
  createSessionTools,
  mcpToolHandlers,
  sessionToolsGuidance,
  type ToolCaller,
} from 'session-query/tools'

/**
 * Answers a message of MCP (streamable HTTP, without sessions of its own: each request has all that is needed to answer
 * it, so it does not matter which isolate gets it).
 *
 * @param session id of the caller's own session, on whose behalf the tools are called
 */
export async function answerMcp(
  request: Request,
  corpus: SessionQuery,
  session: string,
): Promise<Response> {
  const tools = createSessionTools(corpus, {
    caller: () => storedSession(corpus, session),
    logger: console,
  })
  const handlers = mcpToolHandlers(tools)
  const server = new Server(
    { name: 'session-query', version: '0.1.0' },
    { capabilities: { tools: {} }, instructions: sessionToolsGuidance },
  )
  server.setRequestHandler(ListToolsRequestSchema, handlers.listTools)
  server.setRequestHandler(CallToolRequestSchema, handlers.callTool)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request)
  } finally {
    await server.close()
  }
}

/** The caller as it is stored now; undefined while nothing of it is, which the tools tell the model. */
async function storedSession(corpus: SessionQuery, id: string): Promise<ToolCaller | undefined> {
  const [record] = await corpus.filterSessions({ filters: [{ kind: 'id', values: [id] }] })
  if (record === undefined) return undefined
  return { id, header: record.header, events: await corpus.listEvents({ sessionId: id }) }
}
