import type { SessionCorpus } from 'session-query'
import {
  createSessionTools,
  mcpToolHandlers,
  memorySpillStore,
  withSpill,
  type SessionTool,
} from 'session-query/tools'

/** The tools as an agent of one session has them. */
export interface AgentTools {
  readonly list: readonly SessionTool[]
  /** Never rejects for a failure of the tool, which is an answer as well; only when it is aborted. */
  call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Answer>
}

/** What the model gets. */
export interface Answer {
  readonly text: string
  readonly isError: boolean
}

/** Longer texts are put away, and read piece by piece. */
const maxInlineBytes = 32_768

export function createAgentTools(corpus: SessionCorpus, sessionId: string): AgentTools {
  let length = 0
  const tools = createSessionTools(corpus, {
    async caller() {
      const { session, events } = await corpus.readSession({ sessionId })
      length = events.length
      return { id: session.id, header: session, events }
    },
    // A stored session has no step in progress: the whole of it lies in the past.
    boundarySeq: () => length,
  })
  // A store of its own: what one session put away is not there for another.
  const list = withSpill(tools, { store: memorySpillStore(), maxInlineBytes })
  const { callTool } = mcpToolHandlers(list)
  return {
    list,
    async call(name, args, signal) {
      const { content, isError = false } = await callTool(
        { params: { name, arguments: args } },
        { signal },
      )
      return { text: content.map(({ text }) => text).join('\n'), isError }
    },
  }
}
