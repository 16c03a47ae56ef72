import type { SessionRecord } from '../core/corpus.ts'
import type { SessionTrace, SessionTree } from '../core/lineage.ts'
import { askAbout, sees, visibleTarget, type Viewer } from './access.ts'
import { text } from './argument-kinds.ts'
import { defineTool } from './define-tool.ts'
import { sessionLine } from './lines.ts'
import { titlesOf } from './titles.ts'
import type { ToolHost } from './tool-call.ts'
import type { SessionTool } from './tool.ts'

/** Shows where a session comes from and what came from it. */
export function sessionTrace(host: ToolHost): SessionTool {
  return defineTool(host, {
    name: 'session_trace',
    title: 'Trace a session',
    description:
      'Shows where a session comes from and what came from it: its ancestors, nearest first, and the tree of sessions forked from it or delegated by it, with title, time and whether each is open now (live) or stored (persisted). Yours when session_id is left out, or another one of your workspace. What is not visible to you is marked, and nothing beyond it is shown. Next: session_event_search with session_id.',
    arguments: { session_id: text('Your own when left out.') },
    concurrency: 'parallel',
    async run(take, call) {
      const asked = take('session_id')
      const viewer = await call.viewer()
      const sessionId = await visibleTarget(call, viewer, asked)
      const trace = await askAbout(
        call,
        viewer,
        sessionId,
        (corpus, options) => corpus.traceSession({ sessionId }, options),
        ({ target }) => target.header,
      )
      const ancestors = visibleAncestors(viewer, trace)
      const descendants = visibleDescendants(viewer, trace.descendants)
      const shown = [trace.target, ...ancestors, ...descendants.map(({ session }) => session)]
      const titles = await titlesOf(
        call,
        viewer,
        shown.flatMap((record) => record?.header ?? []),
      )
      const line = (record: SessionRecord | undefined): string =>
        record === undefined ? hidden : sessionLine(record, titles)
      return [
        `Session ${line(trace.target)}`,
        ...listed(
          'Ancestors, nearest first',
          'none: it is a root session',
          ancestors.map((one) => `- ${line(one)}`),
        ),
        ...listed(
          'Descendants',
          'none',
          descendants.map(({ session, depth }) => `${indent(depth)}- ${line(session)}`),
        ),
      ].join('\n')
    },
  })
}

/** Stands for what may not be shown. A missing ancestor looks like a hidden one; below, it tells that there is one at least. */
const hidden = '(not visible to you)'

/** Up to the first that is hidden, which is undefined. */
function visibleAncestors(viewer: Viewer, trace: SessionTrace): (SessionRecord | undefined)[] {
  const { ancestors, complete } = trace
  const end = ancestors.findIndex(({ header }) => !sees(viewer, header))
  if (end !== -1) return [...ancestors.slice(0, end), undefined]
  return complete ? [...ancestors] : [...ancestors, undefined]
}

interface Descendant {
  /** Undefined for one or more that are hidden. */
  readonly session: SessionRecord | undefined
  readonly depth: number
}

/** In the order of reading, without what lies under a hidden one. Without recursion: lineages can be long. */
function visibleDescendants(viewer: Viewer, trees: readonly SessionTree[]): Descendant[] {
  const found: Descendant[] = []
  const stack: { readonly tree: SessionTree | undefined; readonly depth: number }[] = []
  const put = (children: readonly SessionTree[], depth: number): void => {
    const visible = children.filter(({ session }) => sees(viewer, session.header))
    if (visible.length < children.length) stack.push({ tree: undefined, depth })
    for (const tree of visible.toReversed()) stack.push({ tree, depth })
  }
  put(trees, 0)
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { tree, depth } = next
    found.push({ session: tree?.session, depth })
    if (tree !== undefined) put(tree.descendants, depth + 1)
  }
  return found
}

function listed(head: string, none: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [`${head}: ${none}`] : [`${head}:`, ...lines]
}

/** Very deep levels are numbered: their indents would outweigh all else. */
function indent(depth: number): string {
  return depth <= deepestIndent
    ? '  '.repeat(depth)
    : `${'  '.repeat(deepestIndent)}(level ${depth + 1}) `
}

const deepestIndent = 20
