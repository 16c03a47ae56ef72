import type { AbortSignalLike } from '../../core/corpus.ts'
import type { SessionTool, ToolInputSchema } from '../tool.ts'
import { detached } from './detached.ts'

/** A tool of Vercel's AI SDK 7 (`Tool`, "Tool Calling" in its documentation). */
export interface AiSdkTool {
  description: string
  inputSchema: AiSdkInputSchema

  /**
   * @param options those of a tool execution of the AI SDK; only `abortSignal` is used
   * @throws SessionQueryError whose message the AI SDK hands on to the model; the signal's reason when it is aborted
   */
  execute(
    input: unknown,
    options?: { readonly abortSignal?: AbortSignalLike | undefined },
  ): Promise<string>
}

/** A schema by Standard Schema 1 and Standard JSON Schema 1 (`@standard-schema/spec` 1.1). */
export interface AiSdkInputSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'session-query'
    /** Lets everything through: what models send is read, and judged, by the tool. */
    readonly validate: (value: unknown) => { readonly value: unknown }
    readonly jsonSchema: {
      /** The same for every `target`. Each call makes a new one. */
      readonly input: () => Record<string, unknown>
      readonly output: () => Record<string, unknown>
    }
  }
}

/** The tools by their names, for `tools` of `generateText`, `streamText` and agents. */
export function toAiSdkTools(tools: readonly SessionTool[]): Record<string, AiSdkTool> {
  return Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      {
        description: tool.description,
        inputSchema: standardSchemaOf(tool.inputSchema),
        execute: (input, options) => tool.execute(input, { signal: options?.abortSignal }),
      } satisfies AiSdkTool,
    ]),
  )
}

function standardSchemaOf(schema: ToolInputSchema): AiSdkInputSchema {
  // The AI SDK changes the object that it gets.
  const copy = (): Record<string, unknown> => detached(schema)
  return {
    '~standard': {
      version: 1,
      vendor: 'session-query',
      validate: (value) => ({ value }),
      jsonSchema: { input: copy, output: copy },
    },
  }
}
