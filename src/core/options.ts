import { quoted, SessionQueryError } from './errors.ts'
import { isObject } from './json.ts'

/** Settings of a corpus that hold wherever it runs. */
export interface CorpusOptions {
  /** The most neighbours that `readEvent` gives on either side. Default 50. */
  readonly readWindowMax?: number
  /** Hits on a page when a search names no limit. Default 20. */
  readonly defaultLimit?: number
  /** The most hits that a search may ask for. Default 100. */
  readonly maxLimit?: number
  /** The longest snippet, in code points. Default 240. */
  readonly snippetChars?: number
  /** How long an appended event may wait to be stored, in milliseconds. Default 200. */
  readonly writeBatchMs?: number
}

export type ResolvedOptions = Required<CorpusOptions>

const rules: { readonly [Name in keyof ResolvedOptions]: readonly [preset: number, least: number] } = {
  readWindowMax: [50, 0],
  defaultLimit: [20, 1],
  maxLimit: [100, 1],
  snippetChars: [240, 1],
  writeBatchMs: [200, 0],
}

/**
 * Options with their defaults filled in.
 *
 * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG`, naming the option
 */
export function resolveOptions(options: CorpusOptions): ResolvedOptions {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(rules, name))
  if (unknown !== undefined) {
    throw invalidConfig(`${unknown} is not an option; there are ${Object.keys(rules).join(', ')}.`)
  }
  const resolved: ResolvedOptions = {
    readWindowMax: whole('readWindowMax', options.readWindowMax),
    defaultLimit: whole('defaultLimit', options.defaultLimit),
    maxLimit: whole('maxLimit', options.maxLimit),
    snippetChars: whole('snippetChars', options.snippetChars),
    writeBatchMs: whole('writeBatchMs', options.writeBatchMs),
  }
  if (resolved.defaultLimit <= resolved.maxLimit) return resolved
  if (options.defaultLimit === undefined) return { ...resolved, defaultLimit: resolved.maxLimit }
  throw invalidConfig(
    `defaultLimit is ${resolved.defaultLimit}; it has to be at most maxLimit, which is ${resolved.maxLimit}.`,
  )
}

/**
 * The options themselves, known to be an object.
 *
 * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG`
 */
export function optionsObject<Options>(options: Options): Options {
  if (isObject(options)) return options
  throw invalidConfig(`The options are ${quoted(options)}; they have to be an object.`)
}

/** The error for an option that cannot be used. */
export function invalidConfig(message: string): SessionQueryError {
  return new SessionQueryError('SESSION_QUERY_INVALID_CONFIG', message)
}

function whole(name: keyof ResolvedOptions, value: unknown): number {
  const [preset, least] = rules[name]
  if (value === undefined) return preset
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
  throw invalidConfig(`${name} is ${quoted(value)}; it has to be a whole number from ${least}.`)
}
