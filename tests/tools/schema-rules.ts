import { tool, object, many, nested, range } from './schema-examples.ts'
import {
  nodesOf,
  optionalOf,
  propertiesOf,
  typesOf,
  valuesOf,
  type DescribedTool,
  type Schema,
  type SchemaNode,
} from './schema-nodes.ts'
import {
  eachTool,
  eachNode,
  mostForAll,
  mostForEach,
  names,
  descriptions,
  rootIs,
  propertyNames,
  keywords,
  types,
  closedObjects,
  knownRequired,
  type Rule,
} from './schema-rule-kinds.ts'

/** What every provider takes. */
const common = 'type description properties required additionalProperties items enum'

export type Provider =
  'ours' | 'mcp' | 'openai' | 'openai strict' | 'claude' | 'claude strict' | 'gemini'

/**
 * The sources, as of November 2026:
 *
 * - mcp: Model Context Protocol, revision 2025-11-25, "Server Features: Tools" (Tool Names, Tool), which WebMCP's draft
 *   of October 2026 repeats for names.
 * - openai: OpenAI API reference, "Create a model response", function tools; the length of a description is in Azure's
 *   "How to use function calling".
 * - openai strict: OpenAI's guide "Structured Outputs", "Supported schemas".
 * - claude: Claude's guide "Define tools" and the errors of the Messages API.
 * - claude strict: Claude's guide "Structured outputs", "JSON Schema limitations" and "Schema complexity limits".
 * - gemini: Gemini API reference, `FunctionDeclaration` with `parametersJsonSchema`, whose keywords are those of
 *   `responseJsonSchema`.
 * - ours: what is common to all of these with room to spare, so that a prefix or one more provider changes nothing.
 */
export const rules: Readonly<Record<Provider, readonly Rule[]>> = {
  ours: [
    names(/^[a-z][a-z0-9_]{0,39}$/),
    descriptions(999),
    rootIs('object'),
    keywords(common),
    types(['object', 'string', 'integer', 'boolean', 'array']),
    closedObjects(),
    eachNode('a type is one word', ({ type }) => typeof type === 'string', {
      type: ['string', 'null'],
    }),
    eachNode('a list holds text', listOfText, { type: 'array', items: { type: 'integer' } }),
    eachNode('an enum is of text', textEnum, { type: 'integer', enum: [1, 2] }),
  ],
  mcp: [names(/^[A-Za-z0-9_.-]{1,128}$/), rootIs('object'), knownRequired()],
  openai: [names(/^[a-zA-Z0-9_-]{1,64}$/), descriptions(1024), rootIs('object'), knownRequired()],
  'openai strict': [
    names(/^[a-zA-Z0-9_-]{1,64}$/),
    descriptions(1024),
    rootIs('object'),
    keywords(
      common,
      'anyOf $ref $defs const pattern format minItems maxItems multipleOf minimum maximum exclusiveMinimum exclusiveMaximum',
    ),
    types(['object', 'string', 'number', 'integer', 'boolean', 'array', 'null']),
    closedObjects(),
    eachNode('every property is required', (schema) => optionalOf(schema).length === 0, {
      ...object({ a: { type: 'string' }, b: { type: ['string', 'null'] } }),
      required: ['a'],
    }),
    eachNode('null is among the values that may be null', nullInEnum, {
      type: ['string', 'null'],
      enum: ['a'],
    }),
    mostForEach(
      '5,000 properties',
      5000,
      (node) => Object.keys(propertiesOf(node.schema)).length,
      many(5001),
    ),
    mostForEach('1,000 values of enums', 1000, ({ schema }) => valuesOf(schema).length, {
      type: 'string',
      enum: Array.from({ length: 1001 }, (_, at) => `v${at}`),
    }),
    mostForEach('120,000 characters of names and values', 120_000, characters, {
      type: 'string',
      enum: ['x'.repeat(120_000)],
    }),
    eachTool('ten levels', (one) => nodesOf(one).every(({ depth }) => depth <= 10), [tool(nested(11))]),
  ],
  claude: [
    names(/^[a-zA-Z0-9_-]{1,64}$/),
    rootIs('object'),
    propertyNames(/^[a-zA-Z0-9_.-]{1,64}$/),
    eachTool('no combinator at the root', ({ schema }) => !hasCombinator(schema), [
      tool({ type: 'object', anyOf: [{ type: 'object' }] }),
    ]),
    knownRequired(),
  ],
  'claude strict': [
    names(/^[a-zA-Z0-9_-]{1,64}$/),
    rootIs('object'),
    keywords(common, 'anyOf allOf $ref $defs definitions const default title pattern'),
    types(['object', 'string', 'number', 'integer', 'boolean', 'array', 'null']),
    closedObjects(),
    eachNode('an enum holds no objects and lists', plainEnum, { enum: [['a']] }),
    mostForAll(
      '20 tools',
      20,
      () => 1,
      Array.from({ length: 21 }, () => tool(object({}))),
    ),
    mostForAll('24 arguments that may be left out', 24, optionalIn, [
      tool({ ...many(20), required: [] }),
      tool({ ...many(5), required: [] }),
    ]),
    mostForAll('16 arguments of more than one type', 16, unionsIn, [
      tool(object(Object.fromEntries(range(17).map((at) => [at, { type: ['string', 'null'] }])))),
    ]),
  ],
  gemini: [
    names(/^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/),
    rootIs('object'),
    propertyNames(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/),
    keywords(
      common,
      '$id $defs $ref $anchor format title prefixItems anyOf oneOf minItems maxItems minimum maximum',
    ),
    eachNode('an enum holds texts and numbers', textOrNumberEnum, { enum: ['a', null] }),
    knownRequired(),
  ],
}

/** Everything in which the tools do not keep to what the provider demands. */
export function problemsOf(provider: Provider, tools: readonly DescribedTool[]): string[] {
  return rules[provider].flatMap(({ says, broken }) => broken(tools).map((at) => `${says}: ${at}`))
}

function listOfText(schema: Schema): boolean {
  const { items } = schema
  return schema['type'] !== 'array' || (items as Schema | undefined)?.['type'] === 'string'
}

function textEnum(schema: Schema): boolean {
  return valuesOf(schema).every((value) => typeof value === 'string')
}

function textOrNumberEnum(schema: Schema): boolean {
  return valuesOf(schema).every((value) => typeof value === 'string' || typeof value === 'number')
}

function plainEnum(schema: Schema): boolean {
  return valuesOf(schema).every((value) => typeof value !== 'object' || value === null)
}

function nullInEnum(schema: Schema): boolean {
  const values = valuesOf(schema)
  return values.length === 0 || values.includes(null) === typesOf(schema).includes('null')
}

function hasCombinator(schema: Schema): boolean {
  return ['anyOf', 'oneOf', 'allOf'].some((name) => name in schema)
}

function optionalIn(one: DescribedTool): number {
  return nodesOf(one).reduce((found, { schema }) => found + optionalOf(schema).length, 0)
}

function unionsIn(one: DescribedTool): number {
  return nodesOf(one).filter(({ schema }) => typesOf(schema).length > 1 || 'anyOf' in schema).length
}

function characters({ schema }: SchemaNode): number {
  return [...Object.keys(propertiesOf(schema)), ...valuesOf(schema)].join('').length
}
