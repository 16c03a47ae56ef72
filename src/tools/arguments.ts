// The core under zod and zod/mini: what those add, chained methods, would not be used here and would weigh as much again.
import * as z from 'zod/v4/core'
import { quoted, type SessionQueryErrorCode } from '../core/errors.ts'
import { isIndex, isObject } from '../core/json.ts'
import { refusal } from './failure.ts'
import { instantOf, type Instant } from './instant.ts'
import type { ArgumentSchema, ToolInputSchema } from './tool.ts'

/** An argument of a tool: what a model is told of it, and how what it sends is read. */
export interface Argument<Value = unknown> {
  /** What it has to be, or each value of the list, limits aside; the JSON Schema comes from it. */
  readonly schema: z.$ZodType
  readonly list: boolean
  readonly description: string
  readonly required: boolean
  /** Stands among the required ones in the schema although it can be left out. */
  readonly named?: boolean
  /** Says in an error what is allowed: "it has to be …". */
  readonly allowed: string
  /** Of the error for a value that is not allowed. */
  readonly code: SessionQueryErrorCode
  /** Of the error for a number that is not, where that has a code of its own. */
  readonly numberCode?: SessionQueryErrorCode
  /** What a value that a model really sends stands for. */
  readonly meant: (value: unknown) => unknown
  /** What the tool makes of a value that is allowed; undefined where it is not allowed after all. */
  readonly made: (value: unknown) => Value | undefined
}

/** The arguments of a tool, by their names. */
export type Arguments = Readonly<Record<string, Argument>>

/** Gives one argument after the other, each judged when it is taken. */
export type Take<Given extends Arguments> = <Name extends keyof Given & string>(
  name: Name,
) => Given[Name] extends Required<infer Value> ? Value : ValueOf<Given[Name]> | undefined

type ValueOf<Given> = Given extends Argument<infer Value> ? Value : never

/** One that cannot be left out. */
type Required<Value> = Argument<Value> & { readonly required: true }

const isText = new z.$ZodString({ type: 'string' })
const isNumber = new z.$ZodNumber({ type: 'number', checks: [] })

/** Text to look for. */
export function query(description: string): Required<string> {
  return required({
    ...plain<string>(isText, isQuery),
    description,
    allowed: `text of at most ${longestQuery.toLocaleString('en-US')} characters that is not blank and holds no NUL`,
    code: 'SESSION_QUERY_INVALID_QUERY',
  })
}

/** A text that is not empty. */
export function text(description: string): Argument<string> {
  return optional({
    ...plain<string>(isText, isNotEmpty),
    description,
    allowed: 'text that is not empty',
  })
}

/** A whole number from 0. */
export function whole(description: string): Argument<number> {
  return optional({
    ...plain<number>(isNumber, (value) => isIndex(value)),
    meant: numberMeant,
    description,
    allowed: 'a whole number from 0 to 9007199254740991',
  })
}

/** How many neighbours. */
export function neighbours(description: string, max: number): Argument<number> {
  return optional({
    ...plain<number>(isNumber, (value) => isIndex(value) && value <= max),
    meant: numberMeant,
    description,
    allowed: `a whole number from 0 to ${max}`,
    numberCode: 'SESSION_QUERY_INVALID_WINDOW',
  })
}

/** Yes or no. */
export function flag(description: string): Argument<boolean> {
  return optional({
    ...plain<boolean>(new z.$ZodBoolean({ type: 'boolean' })),
    meant: (value) => (value === 'true' ? true : value === 'false' ? false : orOmitted(value)),
    description,
    allowed: 'true or false',
  })
}

/** A list of texts; each counts once. */
export function texts(description: string): Argument<readonly string[]> {
  return optional({
    ...list<string>(isText, isNotEmpty),
    description,
    allowed: `a list of 1 to ${mostValues.toLocaleString('en-US')} texts that are not empty`,
  })
}

/** A list of values of a closed set; each counts once. */
export function choices<Name extends string>(
  names: readonly [Name, ...Name[]],
  description: string,
): Argument<readonly Name[]> {
  return optional({
    ...list<Name>(
      new z.$ZodEnum({
        type: 'enum',
        entries: Object.fromEntries(names.map((one) => [one, one])),
      }),
    ),
    meant: (value) => listMeant(orOmitted(value)),
    description,
    allowed: `a list of one or more of ${names.map((one) => quoted(one)).join(', ')}`,
  })
}

/** A point in time. */
export function moment(description: string): Argument<Instant> {
  return optional({
    ...plain<Instant>(isText),
    meant: orOmitted,
    made: (value) => instantOf(value as string),
    description,
    allowed: `a real date and time as "2026-03-01T10:00:00Z" or "2026-03-01T18:00+08:00"`,
  })
}

/** An argument that cannot be left out. */
export function required<Value>(argument: Omit<Argument<Value>, 'required'>): Required<Value> {
  return { ...argument, required: true }
}

/**
 * Reads what a model sent, all of it at once, so that nothing that happens to it later counts.
 *
 * @param args an object, the JSON text of one, or nothing; members that are no arguments are passed over
 * @returns gives an argument, or refuses it: which comes first is up to the tool
 * @throws SessionQueryError `SESSION_QUERY_INVALID_FILTER` where it is no object
 */
export function argumentsOf<Given extends Arguments>(given: Given, args: unknown): Take<Given> {
  const members = membersOf(args)
  const readings = new Map(
    Object.entries(given).map(([name, argument]) => [
      name,
      reading(name, argument, Object.hasOwn(members, name) ? members[name] : undefined),
    ]),
  )
  const take = (name: string): unknown => {
    const read = readings.get(name)
    if (read?.problem !== undefined) throw refusal(read.problem.code, read.problem.message)
    return read?.value
  }
  return take as Take<Given>
}

/** JSON Schema of arguments, from their zod schemas. */
export function inputSchemaOf(given: Arguments): ToolInputSchema {
  const named = Object.entries(given)
  return {
    type: 'object',
    properties: Object.fromEntries(
      named.map(([name, { schema, description, ...argument }]) => {
        const one = jsonSchemaOf(schema)
        const all = argument.list ? { type: 'array', items: one } : one
        return [name, { ...all, description } as ArgumentSchema]
      }),
    ),
    required: named.flatMap(([name, argument]) =>
      argument.required || argument.named === true ? [name] : [],
    ),
    additionalProperties: false,
  }
}

interface Reading {
  readonly value?: unknown
  readonly problem?: { readonly code: SessionQueryErrorCode; readonly message: string }
}

function reading(name: string, argument: Argument, given: unknown): Reading {
  const { code, allowed } = argument
  const meant = given === null ? undefined : argument.meant(given)
  if (meant === undefined) {
    if (!argument.required) return {}
    return { problem: { code, message: `${name} is missing; it has to be ${allowed}.` } }
  }
  const values: unknown = argument.list ? meant : [meant]
  const read = Array.isArray(values) && values.every((one) => z.safeParse(argument.schema, one).success)
  const value = read ? argument.made(meant) : undefined
  if (value !== undefined) return { value }
  return {
    problem: {
      code: typeof meant === 'number' ? (argument.numberCode ?? code) : code,
      message: `${name} is ${quoted(given)}; it has to be ${allowed}.`,
    },
  }
}

function membersOf(args: unknown): Readonly<Record<string, unknown>> {
  const given = typeof args === 'string' ? parsed(args) : (args ?? {})
  if (isObject(given)) return given
  throw refusal(
    'SESSION_QUERY_INVALID_FILTER',
    `The arguments are ${quoted(args)}; they have to be an object.`,
  )
}

/** The value of a JSON text; of another text, the text. */
function parsed(json: string): unknown {
  if (json.trim() === '') return {}
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

function numberMeant(value: unknown): unknown {
  if (typeof value === 'string' && /^\s*-?\d+(?:\.0+)?\s*$/.test(value)) return Number(value) + 0
  return value === 0 ? 0 : orOmitted(value)
}

/** Models write the name of null, too, for what they leave out; where any text may stand, it is a text. */
function orOmitted(value: unknown): unknown {
  return value === 'null' ? undefined : value
}

/** One text stands for a list of one; the JSON text of a list for that list. */
function listMeant(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const inner = value.trim().startsWith('[') ? parsed(value) : value
  return Array.isArray(inner) ? inner : [value]
}

/** In UTF-16 units, as the search has it. */
const longestQuery = 10_000

function isQuery(value: string): boolean {
  return value.trim() !== '' && !value.includes('\0') && value.length <= longestQuery
}

function isNotEmpty(value: string): boolean {
  return value !== ''
}

/** An argument whose values are what they are, as far as they pass. */
function plain<Value>(
  schema: z.$ZodType,
  passes: (value: Value) => boolean = () => true,
): Pick<Argument<Value>, 'schema' | 'list' | 'meant' | 'made'> {
  return {
    schema,
    list: false,
    meant: (value) => value,
    made: (value) => (passes(value as Value) ? (value as Value) : undefined),
  }
}

/** All lists of a call together stay below what a corpus takes. */
const mostValues = 10_000

/** A list of at least one value, each of which passes; each counts once. */
function list<Item>(
  item: z.$ZodType,
  passes: (value: Item) => boolean = () => true,
): Pick<Argument<readonly Item[]>, 'schema' | 'list' | 'meant' | 'made'> {
  return {
    schema: item,
    list: true,
    meant: listMeant,
    made(value) {
      const values = [...new Set(value as readonly Item[])]
      return values.length > 0 && values.length <= mostValues && values.every(passes)
        ? values
        : undefined
    },
  }
}

function optional<Value>(argument: Omit<Argument<Value>, 'required' | 'code'>): Argument<Value> {
  return { code: 'SESSION_QUERY_INVALID_FILTER', ...argument, required: false }
}

/** The JSON Schema of what arguments are made of; limits are not told in it, since not every provider takes them. */
function jsonSchemaOf(schema: z.$ZodType): object {
  const { def } = (schema as z.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
    case 'boolean':
      return { type: def.type }
    case 'number':
      // No argument is a fraction.
      return { type: 'integer' }
    case 'enum':
      return { type: 'string', enum: Object.values(def.entries) }
    default:
      throw new TypeError(`no argument is of the type ${def.type}`)
  }
}
