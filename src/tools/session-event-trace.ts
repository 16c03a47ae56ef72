import { askAbout, visibleTarget } from './access.ts'
import { required, text, whole } from './argument-kinds.ts'
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
      'Shows how an event is tied to others of its session: what replaced it in what the model sees (as when history is compacted), what it replaced itself, what it was made from, and later events made from it. Use it when a hit is shadowed, or is a summary. Gives seqs, direct ties only. Next: session_event_read with one of them.',
    arguments: {
      seq: required(whole('The event, as a search, a trace or a read names it.')),
      session_id: text('Your own when left out.'),
    },
    concurrency: 'parallel',
    async run(take, call) {
      const seq = take('seq')
      const asked = take('session_id')
      const viewer = await call.viewer()
      const sessionId = await visibleTarget(call, viewer, asked)
      const trace = await askAbout(
        call,
        viewer,
        sessionId,
        (corpus, options) => corpus.traceEvent({ sessionId, seq }, options),
        ({ session }) => session,
      )
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
  return list.length === 0 ? 'none' : `seq ${list.length > mostNamed ? ranges(list) : list.join(', ')}`
}

/** A message may be made from thousands of streamed pieces; so many are told as ranges. */
const mostNamed = 256

function ranges(list: readonly number[]): string {
  const runs: string[] = []
  let first = 0
  for (const [at, seq] of list.entries()) {
    if (list[at + 1] === seq + 1) continue
    runs.push(first === at ? `${seq}` : `${list[first]} to ${seq}`)
    first = at + 1
  }
  return runs.join(', ')
}
