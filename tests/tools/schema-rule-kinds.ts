import { object, tool } from './schema-examples.ts'
import {
  nodesOf,
  propertiesOf,
  requiredOf,
  typesOf,
  type DescribedTool,
  type Schema,
  type SchemaNode,
} from './schema-nodes.ts'

/** What a provider demands of tools, and tools that do not keep to it. */
export interface Rule {
  readonly says: string
  /** Where it is broken. */
  readonly broken: (tools: readonly DescribedTool[]) => readonly string[]
  readonly example: readonly DescribedTool[]
}

export function eachTool(
  says: string,
  holds: (one: DescribedTool) => boolean,
  example: readonly DescribedTool[],
): Rule {
  const broken: Rule['broken'] = (tools) => tools.filter((one) => !holds(one)).map(({ name }) => name)
  return { says, broken, example }
}

/** @param example a schema of an argument that does not keep to it */
export function eachNode(says: string, holds: (schema: Schema) => boolean, example: Schema): Rule {
  const broken: Rule['broken'] = (tools) =>
    tools.flatMap((one) =>
      nodesOf(one)
        .filter(({ schema }) => !holds(schema))
        .map(({ path }) => path),
    )
  return { says, broken, example: [tool(object({ argument: example }))] }
}

/** A limit over all the tools of a request. */
export function mostForAll(
  says: string,
  most: number,
  count: (one: DescribedTool) => number,
  example: readonly DescribedTool[],
): Rule {
  const broken: Rule['broken'] = (tools) => {
    const found = tools.reduce((all, one) => all + count(one), 0)
    return found > most ? [`${found}`] : []
  }
  return { says: `at most ${says}`, broken, example }
}

/** A limit for each tool. */
export function mostForEach(
  says: string,
  most: number,
  count: (node: SchemaNode) => number,
  example: Schema,
): Rule {
  const within = (one: DescribedTool): boolean =>
    nodesOf(one).reduce((found, node) => found + count(node), 0) <= most
  return eachTool(`at most ${says}`, within, [tool(object({ argument: example }))])
}

export function names(pattern: RegExp): Rule {
  const example = [{ ...tool(object({})), name: 'a name' }]
  return eachTool(`a name is ${pattern.source}`, ({ name }) => pattern.test(name), example)
}

export function descriptions(most: number): Rule {
  const example = [{ ...tool(object({})), description: 'x'.repeat(most + 1) }]
  const holds = ({ description }: DescribedTool): boolean =>
    description.length > 0 && description.length <= most
  return eachTool(`a description has 1 to ${most} characters`, holds, example)
}

export function rootIs(type: string): Rule {
  const example = [tool({ anyOf: [{ type }] })]
  return eachTool(`the root is of type ${type}`, ({ schema }) => schema['type'] === type, example)
}

export function propertyNames(pattern: RegExp): Rule {
  return eachNode(
    `an argument’s name is ${pattern.source}`,
    (schema) => Object.keys(propertiesOf(schema)).every((name) => pattern.test(name)),
    object({ 'a name': { type: 'string' } }),
  )
}

/** @param known with spaces between them */
export function keywords(...known: readonly string[]): Rule {
  const keys = new Set(known.flatMap((some) => some.split(' ')))
  return eachNode(
    'no other keywords',
    (schema) => Object.keys(schema).every((keyword) => keys.has(keyword)),
    { type: 'string', minLength: 1 },
  )
}

export function types(known: readonly string[]): Rule {
  return eachNode(
    'no other types',
    (schema) => typesOf(schema).every((type) => known.includes(String(type))),
    { type: 'date' },
  )
}

export function closedObjects(): Rule {
  return eachNode(
    'an object says that it takes nothing else',
    (schema) => !typesOf(schema).includes('object') || schema['additionalProperties'] === false,
    { type: 'object', properties: {} },
  )
}

export function knownRequired(): Rule {
  return eachNode(
    'what is required is among the properties',
    (schema) => requiredOf(schema).every((name) => name in propertiesOf(schema)),
    { ...object({}), required: ['a'] },
  )
}
