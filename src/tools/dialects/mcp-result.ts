import type { AbortSignalLike } from '../../core/corpus.ts'
import type { SessionQueryError } from '../../core/errors.ts'
import { codeOf, refusal } from '../failure.ts'
import type { SessionTool } from '../tool.ts'

/** `CallToolResult` of MCP, revision 2025-11-25. A type and not an interface: the SDK's own has an index signature. */
export type McpToolResult = {
  content: { type: 'text'; text: string }[]
  /** A failure: the text says why, for the model. */
  isError?: true
}

/**
 * Runs a tool; that it failed is a result too, since a model does not see a protocol's errors.
 *
 * @throws only the reason of a signal that is aborted
 */
export async function mcpResult(
  tool: SessionTool,
  args: unknown,
  signal: AbortSignalLike | undefined,
): Promise<McpToolResult> {
  try {
    return { content: [{ type: 'text', text: await tool.execute(args, { signal }) }] }
  } catch (error) {
    if (signal?.aborted === true) throw error
    return { content: [{ type: 'text', text: failureText(error) }], isError: true }
  }
}

/** Words that are not ours tell the model nothing that it may know. */
function failureText(error: unknown): string {
  const { code, message } =
    codeOf(error) === undefined ? refusal('SESSION_QUERY_TOOL_FAILED') : (error as SessionQueryError)
  return `${code}: ${message}`
}
