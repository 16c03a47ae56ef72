import { argumentsOf, inputSchemaOf, type Arguments, type Take } from './arguments.ts'
import { guarded } from './failure.ts'
import { calling, type ToolCall, type ToolHost } from './tool-call.ts'
import type { SessionTool, ToolAnnotations } from './tool.ts'

/** A tool as its file tells it. */
export interface ToolDefinition<Given extends Arguments> extends Pick<
  SessionTool,
  'name' | 'title' | 'description' | 'concurrency'
> {
  readonly arguments: Given
  /** The time that a call may take, in milliseconds. */
  readonly limitMs?: number
  /** Judges the arguments in its order, asks the corpus, renders. */
  readonly run: (take: Take<Given>, call: ToolCall) => Promise<string>
}

/** What holds for all of our tools. */
export const annotations: ToolAnnotations = Object.freeze({
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
})

/** Makes a tool of its definition; what it throws passes the one boundary. */
export function defineTool<Given extends Arguments>(
  host: ToolHost,
  definition: ToolDefinition<Given>,
): SessionTool {
  const { name, title, description, concurrency, arguments: given, limitMs, run } = definition
  return {
    name,
    title,
    description,
    inputSchema: inputSchemaOf(given),
    annotations,
    concurrency,
    execute: (args, options) =>
      guarded(name, options?.signal, host.logger, async () => {
        const take = argumentsOf(given, args)
        return calling(host, options?.signal, limitMs, (call) => run(take, call))
      }),
  }
}
