export type { CallerSource, ToolCaller } from './access.ts'
export type { ToolLogger } from './failure.ts'
export { createSessionTools, sessionToolsGuidance, type SessionToolsOptions } from './session-tools.ts'
export type { ArgumentSchema, SessionTool, ToolAnnotations, ToolInputSchema } from './tool.ts'
