import type { SessionRecord } from './corpus.ts'
import { quoted, SessionQueryError } from './errors.ts'
import { compareCodePoints } from './order.ts'
import { noSession } from './request.ts'

/** A session with all that came from it. */
export interface SessionTree {
  readonly session: SessionRecord
  readonly descendants: readonly SessionTree[]
}

/** Where a session comes from and what came from it. */
export type SessionTrace = Lineage<SessionTree>

/** The same without nesting, in the order of reading the tree from the top; depth 0 is a child of the target. */
export type FlatSessionTrace = Lineage<{ readonly session: SessionRecord; readonly depth: number }>

type Lineage<Descendant> = {
  readonly target: SessionRecord
  /** Nearest first. */
  readonly ancestors: readonly SessionRecord[]
  /** Siblings by `createdAt`, then by id in code point order. */
  readonly descendants: readonly Descendant[]
} & (
  | { readonly complete: true; readonly root: SessionRecord }
  | { readonly complete: false; readonly unresolvedParentId: string }
)

/**
 * The lineage of a session among all sessions of a corpus.
 *
 * @throws SessionQueryError `SESSION_NOT_FOUND`; `SOURCE_CONFLICT` when the live and the stored session
 *   of this id differ; `INVALID_LINEAGE` when its ancestry loops
 */
export function traceLineage(records: Iterable<SessionRecord>, sessionId: string): FlatSessionTrace {
  const byId = new Map<string, SessionRecord>()
  const children = new Map<string, SessionRecord[]>()
  for (const record of records) {
    const { id, parentSession } = record.header
    byId.set(id, record)
    if (parentSession === undefined) continue
    const siblings = children.get(parentSession)
    if (siblings === undefined) children.set(parentSession, [record])
    else siblings.push(record)
  }
  const target = byId.get(sessionId)
  if (target === undefined) throw noSession(sessionId)
  if (target.conflict === true) throw conflicting(sessionId)
  const ancestors = ancestorsOf(target, byId)
  const top = ancestors.at(-1) ?? target
  const descendants = descendantsOf(target, children)
  const { parentSession } = top.header
  return parentSession === undefined
    ? { target, ancestors, descendants, complete: true, root: top }
    : { target, ancestors, descendants, complete: false, unresolvedParentId: parentSession }
}

/** The trace with its descendants as a tree. */
export function nested(trace: FlatSessionTrace): SessionTrace {
  const top: SessionTree[] = []
  const open: SessionTree[][] = [top]
  for (const { session, depth } of trace.descendants) {
    const descendants: SessionTree[] = []
    open[depth]?.push({ session, descendants })
    open[depth + 1] = descendants
  }
  return { ...trace, descendants: top }
}

/** The error for a session that exists twice, differently. */
export function conflicting(sessionId: string): SessionQueryError {
  return new SessionQueryError(
    'SESSION_QUERY_SOURCE_CONFLICT',
    `Session ${quoted(sessionId)} is open in this page with another header than the one that is stored.`,
  )
}

function ancestorsOf(target: SessionRecord, byId: ReadonlyMap<string, SessionRecord>): SessionRecord[] {
  const ancestors: SessionRecord[] = []
  const seen = new Set([target.header.id])
  let parent = target.header.parentSession
  while (parent !== undefined) {
    if (seen.has(parent)) {
      throw new SessionQueryError(
        'SESSION_QUERY_INVALID_LINEAGE',
        `The ancestry of session ${quoted(target.header.id)} loops: it comes to ${quoted(parent)} twice.`,
      )
    }
    const record = byId.get(parent)
    if (record === undefined) return ancestors
    seen.add(parent)
    ancestors.push(record)
    parent = record.header.parentSession
  }
  return ancestors
}

function descendantsOf(
  target: SessionRecord,
  children: ReadonlyMap<string, readonly SessionRecord[]>,
): FlatSessionTrace['descendants'] {
  const found: { session: SessionRecord; depth: number }[] = []
  const stack = below(target, 0, children)
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    found.push(next)
    for (const child of below(next.session, next.depth + 1, children)) stack.push(child)
  }
  return found
}

/** The children of a session, the first of them last. */
function below(
  { header }: SessionRecord,
  depth: number,
  children: ReadonlyMap<string, readonly SessionRecord[]>,
): { session: SessionRecord; depth: number }[] {
  return (children.get(header.id) ?? [])
    .map((session) => ({ session, depth }))
    .toSorted(
      ({ session: { header: a } }, { session: { header: b } }) =>
        b.createdAt - a.createdAt || compareCodePoints(b.id, a.id),
    )
}
