export type { ToolLogger } from './failure.ts'
export type { ArgumentSchema, SessionTool, ToolAnnotations, ToolInputSchema } from './tool.ts'
