import type { ArgumentSchema, SessionTool } from '../tool.ts'
import { detached, type Detached, type DetachedSchema } from './detached.ts'

/** A function as OpenAI's APIs describe one. */
export interface OpenAiFunction {
  name: string
  description: string
  parameters: Record<string, unknown>
  /** Always said: left out, it means true to the Responses API and false to Chat Completions. */
  strict: boolean
}

/** A tool of the Responses API (OpenAI API reference, "Create a model response", as of November 2026). */
export interface OpenAiResponsesTool extends OpenAiFunction {
  type: 'function'
}

/** A tool of Chat Completions (OpenAI API reference, "Create chat completion", as of November 2026). */
export interface OpenAiChatTool {
  type: 'function'
  function: OpenAiFunction
}

export interface OpenAiToolOptions {
  /**
   * Whether OpenAI has to keep to the schema ("Structured Outputs" in its documentation, "Supported schemas").
   * Every argument is required then, and null stands for one that is left out. False where not said.
   */
  readonly strict?: boolean | undefined
  /** Which API it is for. The Responses API where not said. */
  readonly api?: 'responses' | 'chat' | undefined
}

/**
 * The tools as OpenAI's APIs take them in `tools`. `execute` of a tool takes the `arguments` of a call as they come: a
 * JSON text.
 */
export function toOpenAiTools(
  tools: readonly SessionTool[],
  options?: OpenAiToolOptions & { readonly api?: 'responses' | undefined },
): OpenAiResponsesTool[]
export function toOpenAiTools(
  tools: readonly SessionTool[],
  options: OpenAiToolOptions & { readonly api: 'chat' },
): OpenAiChatTool[]
export function toOpenAiTools(
  tools: readonly SessionTool[],
  { strict = false, api = 'responses' }: OpenAiToolOptions = {},
): OpenAiResponsesTool[] | OpenAiChatTool[] {
  const functions = tools.map(({ name, description, inputSchema }): OpenAiFunction => {
    const parameters: Record<string, unknown> = strict
      ? strictSchema(detached(inputSchema))
      : detached(inputSchema)
    return { name, description, parameters, strict }
  })
  return api === 'chat'
    ? functions.map((one) => ({ type: 'function', function: one }))
    : functions.map((one) => ({ type: 'function', ...one }))
}

function strictSchema({ properties, required, ...rest }: DetachedSchema): Record<string, unknown> {
  const strict = Object.entries(properties).map(([name, schema]) => [
    name,
    required.includes(name) ? schema : nullable(schema),
  ])
  return { ...rest, properties: Object.fromEntries(strict), required: Object.keys(properties) }
}

function nullable(schema: Detached<ArgumentSchema>): object {
  const values = 'enum' in schema ? schema.enum : undefined
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(values === undefined ? {} : { enum: [...values, null] }),
  }
}
