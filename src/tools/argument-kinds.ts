// The core under zod and zod/mini: what those add, chained methods, would not be used here and would weigh as much again.
import * as z from 'zod/v4/core'
import { quoted } from '../core/errors.ts'
import { isIndex } from '../core/json.ts'
import type { SurfaceState } from '../core/surface.ts'
import { parsed, type Argument, type RequiredArgument } from './arguments.ts'
import { instantOf, type Instant } from './instant.ts'

const isText = new z.$ZodString({ type: 'string' })
const isNumber = new z.$ZodNumber({ type: 'number', checks: [] })

/** Text to look for. */
export function query(description: string): RequiredArgument<string> {
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

/** Types of events. */
export function eventTypes(): Argument<readonly string[]> {
  return texts('As user/message, assistant/message, tool/call, tool/result.')
}

/** Where events stand, or stood, in what a model sees. */
export function surfaces(): Argument<readonly SurfaceState[]> {
  return choices(
    ['current', 'shadowed', 'log-only'],
    'What its model saw last (current), what was replaced in that (shadowed), what was never in it (log-only).',
  )
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
export function required<Value>(argument: Omit<Argument<Value>, 'required'>): RequiredArgument<Value> {
  return { ...argument, required: true }
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
