export type { CallerSource, ToolCaller } from './access.ts'
export { toAiSdkTools } from './dialects/ai-sdk.ts'
export type { AiSdkInputSchema, AiSdkTool } from './dialects/ai-sdk.ts'
export { toAnthropicTools } from './dialects/anthropic.ts'
export type { AnthropicTool, AnthropicToolOptions } from './dialects/anthropic.ts'
export type { Detached, DetachedSchema } from './dialects/detached.ts'
export { mcpToolHandlers, toMcpTools } from './dialects/mcp.ts'
export type { McpCallExtra, McpCallRequest, McpTool, McpToolHandlers } from './dialects/mcp.ts'
export type { McpToolResult } from './dialects/mcp-result.ts'
export { toOpenAiTools } from './dialects/openai.ts'
export type {
  OpenAiChatTool,
  OpenAiFunction,
  OpenAiResponsesTool,
  OpenAiToolOptions,
} from './dialects/openai.ts'
export { registerWebMcp } from './dialects/webmcp.ts'
export type { WebMcpOptions, WebMcpRegistration } from './dialects/webmcp.ts'
export type { ToolLogger } from './failure.ts'
export { createSessionTools, sessionToolsGuidance, type SessionToolsOptions } from './session-tools.ts'
export { opfsSpillStore, type OpfsSpillStoreOptions } from './opfs-spill-store.ts'
export {
  memorySpillStore,
  type BoundedSpillStore,
  type MemorySpillStoreOptions,
  type SpillStore,
} from './spill-store.ts'
export { withSpill, type SpillOptions } from './spill.ts'
export type { ArgumentSchema, SessionTool, ToolAnnotations, ToolInputSchema } from './tool.ts'
