import * as z from 'zod/v4/core'
import { quoted, type SessionQueryErrorCode } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import { refusal } from './failure.ts'
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
) => Given[Name] extends RequiredArgument<infer Value> ? Value : ValueOf<Given[Name]> | undefined

type ValueOf<Given> = Given extends Argument<infer Value> ? Value : never

/** One that cannot be left out. */
export type RequiredArgument<Value> = Argument<Value> & { readonly required: true }

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
  const given = typeof args === 'string' && args.trim() !== '' ? parsed(args) : args || {}
  if (isObject(given)) return given
  throw refusal(
    'SESSION_QUERY_INVALID_FILTER',
    `The arguments are ${quoted(args)}; they have to be an object.`,
  )
}

/** The value of a JSON text; of another text, the text. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
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
