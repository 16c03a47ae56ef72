export type { CallerSource, ToolCaller } from './access.ts'
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
