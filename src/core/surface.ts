import { quoted, SessionQueryError } from './errors.ts'
import { isIndex, isObject, sameJson, type JsonValue } from './json.ts'
import { surfaceTypes, type SessionEvent } from './session.ts'

/** Where an event stands: on the surface, once there and removed, or never there. */
export type SurfaceState = 'current' | 'shadowed' | 'log-only'

/** An event that took the place of others, and those others in model order. */
export interface Replacement {
  readonly seq: number
  readonly removed: readonly number[]
}

/** What a log folds to. */
export interface Surface {
  /** Seqs on the surface, in the order in which the model sees them. */
  readonly nodes: readonly number[]
  readonly replacements: readonly Replacement[]
}

/**
 * One pass over a log that yields what the model sees at its end.
 *
 * @throws SessionQueryError `SESSION_QUERY_INVALID_SURFACE`, naming the first event that breaks a rule
 */
export function foldSurface(events: readonly SessionEvent[]): Surface {
  const fold = new SurfaceFold((seq) => events[seq])
  for (const event of events) fold.append(event)
  return { nodes: fold.nodes(), replacements: fold.replacements }
}

/**
 * The fold, one event at a time. An event that is refused leaves it as it was. Appending costs the
 * same however long the log is: a replacement walks the nodes that it removes, and each is removed
 * once.
 */
export class SurfaceFold {
  readonly #recall: (seq: number) => SessionEvent | undefined
  readonly #next = new Map<number, number>()
  readonly #previous = new Map<number, number>()
  readonly #replacedBy = new Map<number, number>()
  readonly #removedBy = new Map<number, readonly number[]>()
  readonly #citedBy = new Map<number, number[]>()
  readonly #replacements: Replacement[] = []
  #length = 0

  /** @param recall gives back an event that was appended before, to compare a rewritten tool result with */
  constructor(recall: (seq: number) => SessionEvent | undefined) {
    this.#recall = recall
    this.#link(head, head)
  }

  /** How many events were appended; the seq that the next one must have. */
  get length(): number {
    return this.#length
  }

  /** In the order of their seqs. */
  get replacements(): readonly Replacement[] {
    return this.#replacements
  }

  /**
   * Adds the next event of the log.
   *
   * @returns the nodes that it removed from the surface, in model order
   * @throws SessionQueryError `SESSION_QUERY_INVALID_SURFACE`
   */
  append(event: SessionEvent): readonly number[] {
    if (event.seq !== this.#length) {
      throw refusal(event, `the log continues with seq ${this.#length}; seqs run from 0 without gaps`)
    }
    const onSurface = surfaceTypes.has(event.type)
    if (!onSurface) this.#refuseSurfaceKeys(event)
    const removed = onSurface ? this.#place(event) : []
    this.#length += 1
    return removed
  }

  stateOf(seq: number): SurfaceState {
    if (this.#next.has(seq) && seq !== head) return 'current'
    return this.#replacedBy.has(seq) ? 'shadowed' : 'log-only'
  }

  /** The event that removed this one from the surface. */
  replacerOf(seq: number): number | undefined {
    return this.#replacedBy.get(seq)
  }

  /** What an event removed from the surface, in model order. */
  removedBy(seq: number): readonly number[] {
    return this.#removedBy.get(seq) ?? []
  }

  /** Later events that name this one among their sources, ascending. */
  citedBy(seq: number): readonly number[] {
    return this.#citedBy.get(seq) ?? []
  }

  /** Seqs on the surface, in model order. */
  nodes(): number[] {
    const nodes: number[] = []
    for (let seq = this.#after(head); seq !== head; seq = this.#after(seq)) nodes.push(seq)
    return nodes
  }

  #refuseSurfaceKeys(event: SessionEvent): void {
    for (const key of ['surfaceOp', 'sourceEventSeqs'] as const) {
      if (event[key] !== undefined) {
        throw refusal(event, `it carries ${key}, which only ${[...surfaceTypes].join(', ')} may`)
      }
    }
  }

  #place(event: SessionEvent): readonly number[] {
    const operation = checkedOperation(event)
    const sources = checkedSources(event)
    if (operation === 'append') {
      this.#link(this.#before(head), event.seq)
      this.#link(event.seq, head)
      this.#cite(event.seq, sources)
      return []
    }
    const removed = this.#range(event, operation.start, operation.end)
    const uncited = removed.find((seq) => !sources.has(seq))
    if (uncited !== undefined) {
      throw refusal(event, `it removes ${uncited} without naming it in sourceEventSeqs`)
    }
    if (event.type === 'tool/result') this.#checkRewrite(event, removed)
    this.#replace(event.seq, removed)
    this.#cite(event.seq, sources)
    return removed
  }

  #cite(seq: number, sources: ReadonlySet<number>): void {
    for (const source of sources) {
      const citing = this.#citedBy.get(source)
      if (citing === undefined) this.#citedBy.set(source, [seq])
      else citing.push(seq)
    }
  }

  #range(event: SessionEvent, start: number, end: number): number[] {
    for (const seq of [start, end]) {
      if (this.stateOf(seq) !== 'current') {
        throw refusal(event, `it replaces ${start} to ${end}, and ${seq} is not on the surface`)
      }
    }
    const removed: number[] = []
    for (let seq = start; seq !== head; seq = this.#after(seq)) {
      removed.push(seq)
      if (seq === end) return removed
    }
    throw refusal(event, `it replaces ${start} to ${end}, and ${start} stands after ${end}`)
  }

  #checkRewrite(event: SessionEvent, removed: readonly number[]): void {
    const [only, second] = removed
    const before = only === undefined || second !== undefined ? undefined : this.#recall(only)
    if (before?.type !== 'tool/result') {
      throw refusal(event, 'a tool/result may replace exactly one node, itself a tool/result')
    }
    if (!sameJson(withoutResultContent(before.data), withoutResultContent(event.data))) {
      throw refusal(event, `it may differ from ${before.seq} only in the content of its result block`)
    }
  }

  #replace(seq: number, removed: readonly number[]): void {
    const [first] = removed
    const last = removed.at(-1)
    if (first === undefined || last === undefined) return
    const before = this.#before(first)
    const after = this.#after(last)
    for (const gone of removed) {
      this.#next.delete(gone)
      this.#previous.delete(gone)
      this.#replacedBy.set(gone, seq)
    }
    this.#link(before, seq)
    this.#link(seq, after)
    this.#removedBy.set(seq, removed)
    this.#replacements.push({ seq, removed })
  }

  #link(left: number, right: number): void {
    this.#next.set(left, right)
    this.#previous.set(right, left)
  }

  #after(seq: number): number {
    return this.#next.get(seq) ?? head
  }

  #before(seq: number): number {
    return this.#previous.get(seq) ?? head
  }
}

/** Closes the ring of surface nodes; never a seq. */
const head = -1

type Operation = 'append' | { readonly start: number; readonly end: number }

function checkedOperation(event: SessionEvent): Operation {
  const operation: unknown = event.surfaceOp
  if (operation === 'append') return 'append'
  if (
    isObject(operation) &&
    operation['op'] === 'replace' &&
    isIndex(operation['start']) &&
    isIndex(operation['end']) &&
    Object.keys(operation).length === 3
  ) {
    return { start: operation['start'], end: operation['end'] }
  }
  throw refusal(
    event,
    `its surfaceOp is ${quoted(operation)}; allowed are "append" and {"op":"replace","start":seq,"end":seq}`,
  )
}

function checkedSources(event: SessionEvent): ReadonlySet<number> {
  const sources: unknown = event.sourceEventSeqs
  const seen = new Set<number>()
  if (sources === undefined) return seen
  if (!Array.isArray(sources)) {
    throw refusal(event, `its sourceEventSeqs is ${quoted(sources)}; it has to be a list of seqs`)
  }
  if (sources.length === 0 && event.type !== 'assistant/message') {
    throw refusal(event, 'its sourceEventSeqs is empty, which only an assistant/message may have')
  }
  for (const source of sources as readonly unknown[]) {
    if (!isIndex(source) || source >= event.seq) {
      throw refusal(event, `its sourceEventSeqs has ${quoted(source)}; each has to be an earlier seq`)
    }
    if (seen.has(source)) throw refusal(event, `its sourceEventSeqs has ${source} twice`)
    seen.add(source)
  }
  return seen
}

function withoutResultContent(data: JsonValue): unknown {
  if (!isObject(data) || !isObject(data['message'])) return data
  const content = data['message']['content']
  if (!Array.isArray(content) || content.length !== 1) return data
  const block: unknown = content[0]
  if (!isObject(block) || block['type'] !== 'tool-result') return data
  return { ...data, message: { ...data['message'], content: [{ ...block, content: null }] } }
}

function refusal(event: SessionEvent, why: string): SessionQueryError {
  return new SessionQueryError(
    'SESSION_QUERY_INVALID_SURFACE',
    `The event with seq ${quoted(event.seq)} (${quoted(event.type)}) does not fit the log: ${why}.`,
  )
}
