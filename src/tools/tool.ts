import type { CallOptions } from '../core/corpus.ts'

/** A read-only tool for a model: what the model is told of it, and what it does. */
export interface SessionTool {
  /** Lower snake case, as models call it. */
  readonly name: string
  /** For people. */
  readonly title: string
  /** For the model: what it is for, what comes next, its limits. Under 1,000 characters. */
  readonly description: string
  /** JSON Schema of the arguments, within what every provider takes. */
  readonly inputSchema: ToolInputSchema
  /** What MCP and WebMCP say of a tool; the same for all of ours. */
  readonly annotations: ToolAnnotations
  /** Whether a host may run it while another tool of these runs. */
  readonly concurrency: 'exclusive' | 'parallel'

  /**
   * Runs the tool.
   *
   * @param args as the model sent them: an object, the JSON text of one, or nothing
   * @returns one text, always well-formed Unicode
   * @throws SessionQueryError with a message meant for the model, which holds nothing of what lay underneath; the
   *   signal's own reason when the call is aborted
   */
  execute(args: unknown, options?: CallOptions): Promise<string>
}

/** Hints for the host of a tool, in MCP's words. */
export interface ToolAnnotations {
  readonly readOnlyHint: true
  readonly destructiveHint: false
  readonly idempotentHint: true
  /** It looks into the corpus, and nowhere else. */
  readonly openWorldHint: false
}

/** JSON Schema of an object of arguments. Limits stand in the descriptions and are checked by the tool. */
export interface ToolInputSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, ArgumentSchema>>
  readonly required: readonly string[]
  readonly additionalProperties: false
}

/** JSON Schema of one argument. */
export type ArgumentSchema =
  | TextSchema
  | { readonly type: 'integer' | 'boolean'; readonly description: string }
  | { readonly type: 'array'; readonly description: string; readonly items: TextSchema }

interface TextSchema {
  readonly type: 'string'
  readonly description?: string
  /** The values that are allowed, where they are a closed set. */
  readonly enum?: readonly string[]
}
