import * as z from 'zod/mini'
import { quoted } from '../core/errors.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { eventProblem, headerProblem, type SessionEvent, type SessionHeader } from '../core/session.ts'

/** What one JSON value of a log says. */
export type LogRecord =
  | { readonly kind: 'header'; readonly header: SessionHeader }
  | EventsRecord
  | { readonly kind: 'bad-header'; readonly reason: string }
  | {
      readonly kind: 'not-an-event' | 'bad-packed-row'
      readonly reason: string
      readonly seq?: number
    }

/** One event, or the run that a packed row stands for. */
export interface EventsRecord {
  readonly kind: 'events'
  readonly firstSeq: number
  readonly count: number
  /** Made one by one as they are asked for: a row may stand for a million. */
  readonly events: Iterable<SessionEvent>
}

/**
 * Reads a value as a record of DeepSeek Harness: a header tagged `session`, an event, or a packed
 * row, which stands for a run of streamed chunks. Events come out as they went in, key order
 * included; nothing is renumbered.
 */
export function readRecord(value: unknown): LogRecord {
  if (isObject(value)) {
    if (value['type'] === 'session') return readHeader(value)
    if (isPacked(value)) return unpack(value)
  }
  const problem = eventProblem(value)
  if (problem === undefined) {
    const event = value as SessionEvent
    return { kind: 'events', firstSeq: event.seq, count: 1, events: [event] }
  }
  const seq = isObject(value) ? value['seq'] : undefined
  return { kind: 'not-an-event', reason: problem, ...(typeof seq === 'number' ? { seq } : {}) }
}

function readHeader(value: { readonly [key: string]: unknown }): LogRecord {
  const { type: _, ...header } = value
  const problem = headerProblem(header)
  if (problem !== undefined) return { kind: 'bad-header', reason: problem }
  return { kind: 'header', header: header as SessionHeader }
}

const whole = z.int().check(z.nonnegative())
const base = { turn: whole, step: whole, index: whole, dt: list(isNumber) }

function textRow<Type extends string>(type: Type) {
  return z.strictObject({
    type: z.literal(type),
    seq0: whole,
    time0: z.number(),
    data: z.strictObject({ ...base, texts: list(isString) }),
  })
}

const packedRow = z.discriminatedUnion('type', [
  textRow('text-chunks'),
  textRow('reasoning-chunks'),
  z.strictObject({
    type: z.literal('tool-call-chunks'),
    seq0: whole,
    time0: z.number(),
    data: z.strictObject({
      ...base,
      id: z.string(),
      name: z.optional(z.string()),
      args: list(isString),
    }),
  }),
])

/**
 * A list of such members, however long: `z.array` takes a hundred times as long for each, and copies it.
 */
function list<Item>(is: (value: unknown) => value is Item) {
  return z.custom<readonly Item[]>().check((context) => {
    const { value, issues } = context
    const items: unknown = value
    if (!Array.isArray(items)) {
      issues.push({ code: 'invalid_type', expected: 'array', input: items, path: [] })
      return
    }
    const bad = items.findIndex((item) => !is(item))
    if (bad === -1) return
    const expected = is === isNumber ? 'number' : 'string'
    issues.push({ code: 'invalid_type', expected, input: items[bad], path: [bad] })
  })
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

type PackedRow = z.infer<typeof packedRow>

const packedTypes: ReadonlySet<unknown> = new Set<PackedRow['type']>([
  'text-chunks',
  'reasoning-chunks',
  'tool-call-chunks',
])

/** Event types are an open vocabulary, so a whole event of such a name is an event. */
function isPacked(value: { readonly [key: string]: unknown }): boolean {
  return packedTypes.has(value['type']) && !('seq' in value)
}

function unpack(value: { readonly [key: string]: unknown }): LogRecord {
  const parsed = packedRow.safeParse(value)
  if (!parsed.success) return badRow(value, schemaProblem(value, parsed.error.issues[0]))
  const row = parsed.data
  const { dt } = row.data
  const count = membersOf(row).length
  if (count === 0) return badRow(value, 'the packed row has no members')
  if (dt.length !== count - 1) {
    return badRow(
      value,
      `the packed row has ${count} members and ${dt.length} time gaps; there has to be one gap less than members`,
    )
  }
  // The last one has the highest seq; and a time that is too large stays so.
  const lastTime = dt.reduce((time, gap) => time + gap, row.time0)
  const problem = eventProblem(memberEvent(row, count - 1, lastTime))
  if (problem !== undefined) return badRow(value, `member ${count - 1} of the packed row: ${problem}`)
  return {
    kind: 'events',
    firstSeq: row.seq0,
    count,
    events: { [Symbol.iterator]: () => members(row) },
  }
}

function* members(row: PackedRow): Generator<SessionEvent, void, undefined> {
  let time = row.time0
  yield memberEvent(row, 0, time)
  for (const [at, gap] of row.data.dt.entries()) {
    time += gap
    yield memberEvent(row, at + 1, time)
  }
}

function memberEvent(row: PackedRow, at: number, time: number): SessionEvent {
  const { turn, step, index } = row.data
  const data = { turn, step, chunk: chunkOf(row, index, membersOf(row)[at] ?? '') }
  return { type: 'assistant/chunk', seq: row.seq0 + at, time, data }
}

function membersOf({ data }: PackedRow): readonly string[] {
  return 'texts' in data ? data.texts : data.args
}

function chunkOf(row: PackedRow, index: number, member: string): JsonObject {
  switch (row.type) {
    case 'text-chunks':
      return { type: 'text-delta', index, text: member }
    case 'reasoning-chunks':
      return { type: 'reasoning-delta', index, text: member }
    case 'tool-call-chunks': {
      const { id, name } = row.data
      const call = { type: 'tool-call-delta', index, id, ...(name === undefined ? {} : { name }) }
      return { ...call, argumentsDelta: member }
    }
    default:
      return row satisfies never
  }
}

function badRow(value: { readonly [key: string]: unknown }, reason: string): LogRecord {
  const seq = value['seq0']
  return { kind: 'bad-packed-row', reason, ...(typeof seq === 'number' ? { seq } : {}) }
}

/** Zod's own words depend on its locale, which the page may not have loaded. */
function schemaProblem(value: unknown, issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'the packed row is not one'
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    const where = ['the packed row', ...path].join('.')
    return `${where} has a field that is not known there, ${quoted(issue.keys[0])}`
  }
  let found = value
  for (const key of path) {
    found = typeof found === 'object' && found !== null ? (found as JsonObject)[key] : undefined
  }
  const wanted = { int: 'a whole number', array: 'a list', object: 'an object' } as const
  const type = issue.code === 'invalid_type' ? issue.expected : 'int'
  const allowed = type in wanted ? wanted[type as keyof typeof wanted] : `a ${type}`
  return `the packed row's ${path.join('.')} is ${quoted(found)}; it has to be ${allowed}${allowed === wanted.int ? ' from 0' : ''}`
}
