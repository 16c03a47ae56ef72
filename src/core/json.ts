/** JSON as it comes from `JSON.parse`, read-only. */
export type JsonValue = null | boolean | number | string | JsonArray | JsonObject

export interface JsonArray extends ReadonlyArray<JsonValue> {}

export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** Whether `value` is an object with named members: not null, not an array. */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value, or a copy without the members that are undefined. */
export function withoutUndefined(value: { readonly [key: string]: unknown }): {
  readonly [key: string]: unknown
} {
  if (Object.values(value).every((member) => member !== undefined)) return value
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}

/** Whether `value` can be a sequence number, a count or a time stamp: an integer from 0 to 2^53 - 1. */
export function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && !Object.is(value, -0)
}

/**
 * The most levels of nesting. Past some thousands `JSON.stringify` overflows the stack, sooner in a worker
 * than in a page; the limit is the same everywhere.
 */
export const maxDepth = 1000

/**
 * Says where and why `value` would not come back from JSON as it is: `undefined`, functions,
 * symbols, bigints, `NaN`, infinities, `-0`, holes, cycles, `toJSON`, accessors, symbol keys and
 * prototypes other than those of plain objects and arrays; also nesting past {@link maxDepth}.
 *
 * @returns a sentence that starts with the path, or undefined when `value` is lossless JSON
 */
export function lossOf(value: unknown, path = ''): string | undefined {
  const open = new Set<object>()
  const stack: Step[] = [{ value, path, depth: 0 }]
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if ('leave' in step) {
      open.delete(step.leave)
      continue
    }
    const node = step.value
    if (node === null || typeof node === 'boolean' || typeof node === 'string') continue
    const here = step.path === '' ? 'the value' : step.path
    if (typeof node === 'number') {
      if (!Number.isFinite(node)) return `${here} is ${node}, which JSON cannot hold`
      if (Object.is(node, -0)) return `${here} is -0, which JSON turns into 0`
      continue
    }
    if (typeof node !== 'object') {
      return `${here} is ${node === undefined ? 'undefined' : `a ${typeof node}`}, which JSON cannot hold`
    }
    if (open.has(node)) return `${here} contains itself`
    if (step.depth === maxDepth) return `it nests more than ${maxDepth} levels deep`
    const problem = shapeProblem(node)
    if (problem !== undefined) return `${here} ${problem}`
    open.add(node)
    stack.push({ leave: node })
    for (const key of Object.keys(node)) {
      const inner = Array.isArray(node) ? `${step.path}[${key}]` : dotted(step.path, key)
      stack.push({ value: (node as Record<string, unknown>)[key], path: inner, depth: step.depth + 1 })
    }
  }
  return undefined
}

/** A deep copy of lossless JSON, frozen all through, and its length as JSON text. */
export function frozenCopy<Value>(value: Value): { readonly kept: Value; readonly size: number } {
  const json = JSON.stringify(value)
  const copy: unknown = JSON.parse(json)
  const open = [copy]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue
    Object.freeze(node)
    for (const inner of Object.values(node)) open.push(inner)
  }
  return { kept: copy as Value, size: json.length }
}

/** A deep copy of lossless JSON that its receiver may change. */
export function detached<Value>(value: Value): Value {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as Value)
}

/** Whether two JSON values say the same; the order of keys does not count. */
export function sameJson(left: unknown, right: unknown): boolean {
  const pairs: [unknown, unknown][] = [[left, right]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair
    if (Object.is(a, b)) continue
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
    if (Array.isArray(a) !== Array.isArray(b)) return false
    const keys = Object.keys(a)
    if (keys.length !== Object.keys(b).length) return false
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false
      pairs.push([(a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]])
    }
  }
  return true
}

type Step =
  | { readonly value: unknown; readonly path: string; readonly depth: number }
  | { readonly leave: object }

function shapeProblem(node: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(node)
  const descriptors = Object.getOwnPropertyDescriptors(node) as Record<string, PropertyDescriptor>
  if (Object.getOwnPropertySymbols(node).length > 0) return 'has a symbol for a key'
  if (Array.isArray(node)) {
    if (prototype !== Array.prototype) return 'is not a plain array'
    const names = Object.keys(node)
    if (names.length !== node.length || names.some((name, at) => name !== String(at))) {
      return 'is an array with holes or with named members'
    }
  } else if (prototype !== Object.prototype && prototype !== null) {
    return `is ${constructorName(prototype)}, not a plain object`
  }
  for (const [name, descriptor] of Object.entries(descriptors)) {
    if (descriptor.get !== undefined || descriptor.set !== undefined) return `has an accessor, ${name}`
    if (descriptor.enumerable === false && !(Array.isArray(node) && name === 'length')) {
      return `has a hidden member, ${name}`
    }
    if (name === 'toJSON' && typeof descriptor.value === 'function') return 'has a toJSON method'
  }
  return undefined
}

function constructorName(prototype: unknown): string {
  const constructor: unknown = (prototype as { constructor?: unknown }).constructor
  return typeof constructor === 'function' && constructor.name !== ''
    ? `an instance of ${constructor.name}`
    : 'an object with a prototype of its own'
}

function dotted(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}
