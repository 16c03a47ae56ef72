import * as z from 'zod/mini'
import { quoted } from '../core/errors.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { eventProblem, headerProblem, type SessionEvent, type SessionHeader } from '../core/session.ts'

/** What one JSON value of a log says. */
export type LogRecord =
  | { readonly kind: 'header'; readonly header: SessionHeader }
  | { readonly kind: 'events'; readonly events: readonly SessionEvent[] }
  | { readonly kind: 'bad-header'; readonly reason: string }
  | {
      readonly kind: 'not-an-event' | 'bad-packed-row'
      readonly reason: string
      readonly seq?: number
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
  if (problem === undefined) return { kind: 'events', events: [value as SessionEvent] }
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
const base = { turn: whole, step: whole, index: whole, dt: z.array(z.number()) }

function textRow<Type extends string>(type: Type) {
  return z.strictObject({
    type: z.literal(type),
    seq0: whole,
    time0: z.number(),
    data: z.strictObject({ ...base, texts: z.array(z.string()) }),
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
      args: z.array(z.string()),
    }),
  }),
])

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
  const { turn, step, dt } = row.data
  const chunks = chunksOf(row)
  if (chunks.length === 0) return badRow(value, 'the packed row has no members')
  if (dt.length !== chunks.length - 1) {
    return badRow(
      value,
      `the packed row has ${chunks.length} members and ${dt.length} time gaps; there has to be one gap less than members`,
    )
  }
  const events: SessionEvent[] = []
  let time = row.time0
  for (const [at, chunk] of chunks.entries()) {
    if (at > 0) time += dt[at - 1] ?? 0
    const event = { type: 'assistant/chunk', seq: row.seq0 + at, time, data: { turn, step, chunk } }
    const problem = eventProblem(event)
    if (problem !== undefined) return badRow(value, `member ${at} of the packed row: ${problem}`)
    events.push(event)
  }
  return { kind: 'events', events }
}

function chunksOf(row: PackedRow): readonly JsonObject[] {
  const { index } = row.data
  switch (row.type) {
    case 'text-chunks':
      return row.data.texts.map((text) => ({ type: 'text-delta', index, text }))
    case 'reasoning-chunks':
      return row.data.texts.map((text) => ({ type: 'reasoning-delta', index, text }))
    case 'tool-call-chunks': {
      const { id, name } = row.data
      const call = { type: 'tool-call-delta', index, id, ...(name === undefined ? {} : { name }) }
      return row.data.args.map((argumentsDelta) => ({ ...call, argumentsDelta }))
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
