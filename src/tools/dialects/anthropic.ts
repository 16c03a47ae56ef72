import type { SessionTool } from '../tool.ts'
import { detached, type DetachedSchema } from './detached.ts'

/** A client tool of Anthropic's Messages API (Claude API reference, "Create a Message", as of November 2026). */
export interface AnthropicTool {
  name: string
  description: string
  input_schema: DetachedSchema
  strict?: true
}

export interface AnthropicToolOptions {
  /**
   * Whether Claude has to keep to the schema ("Strict tool use" in Claude's documentation). The schema stays the same:
   * arguments may be left out. A request may have at most 24 optional arguments over all of its strict tools. Ours
   * have 24, so a host with strict tools of its own asks it of some of ours alone. False where not said.
   */
  readonly strict?: boolean | undefined
}

/** The tools as the Messages API takes them in `tools`. `execute` of a tool takes the `input` of a `tool_use` block. */
export function toAnthropicTools(
  tools: readonly SessionTool[],
  { strict = false }: AnthropicToolOptions = {},
): AnthropicTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: detached(inputSchema),
    ...(strict ? { strict } : {}),
  }))
}
