import { checkPayload, visibleTarget } from './access.ts'
import { required, text, whole } from './arguments.ts'
import { defineTool } from './define-tool.ts'
import { eventLine } from './lines.ts'
import { name } from './text.ts'
import type { ToolHost } from './tool-call.ts'
import type { SessionTool } from './tool.ts'

/** Shows how an event is tied to others of its session. */
export function sessionEventTrace(host: ToolHost): SessionTool {
  return defineTool(host, {
    name: 'session_event_trace',
    title: 'Trace an event',
    description:
      'Shows how one event of a session is tied to others of it: which event replaced it in what the model sees (as when history is compacted), and which replaced that one, to the last; which events it replaced itself; which it was made from; which later ones name it as their source. Gives seqs, direct ties alone. Use it when a hit is shadowed, or a summary and you want what it stands for. Yours when session_id is left out. Next: session_event_read with one of the seqs.',
    arguments: {
      seq: required(whole('Which event: its seq, from a search, a trace or a read.')),
      session_id: text('The session it is in. Your own when left out.'),
    },
    concurrency: 'parallel',
    async run(take, call) {
      const seq = take('seq')
      const asked = take('session_id')
      const viewer = await call.viewer()
      const sessionId = await visibleTarget(call, viewer, asked)
      const trace = await call.ask((corpus, options) => corpus.traceEvent({ sessionId, seq }, options))
      checkPayload(viewer, sessionId, trace.session)
      return [
        `Session ${name(sessionId)}, ${eventLine(trace.target)}`,
        `replaced by: ${seqs(trace.replacedBy === undefined ? [] : [trace.replacedBy])}`,
        `replacement chain: ${seqs(trace.replacementChain)}`,
        `replaced: ${seqs(trace.replacedEventSeqs)}`,
        `made from: ${seqs(trace.sourceEventSeqs)}`,
        `source of: ${seqs(trace.derivedEventSeqs)}`,
      ].join('\n')
    },
  })
}

function seqs(list: readonly number[]): string {
  return list.length === 0 ? 'none' : `seq ${list.join(', ')}`
}
