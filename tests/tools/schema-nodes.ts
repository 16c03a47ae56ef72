/** A tool as a provider sees it: whatever its dialect calls the schema. */
export interface DescribedTool {
  readonly name: string
  readonly description: string
  readonly schema: Schema
}

export type Schema = Readonly<Record<string, unknown>>

/** A schema within a schema, and where it stands. */
export interface SchemaNode {
  /** As `tool.properties.seq`. */
  readonly path: string
  readonly schema: Schema
  /** How many objects and lists it lies in. */
  readonly depth: number
}

/** A schema and all within it, combinators too, so that what is not allowed is seen as well. */
export function nodesOf({ name, schema }: DescribedTool): SchemaNode[] {
  const nodes: SchemaNode[] = []
  const visit = (path: string, value: unknown, depth: number): void => {
    if (!isSchema(value)) return
    nodes.push({ path, schema: value, depth })
    for (const [at, inner] of Object.entries(propertiesOf(value))) {
      visit(`${path}.properties.${at}`, inner, depth + 1)
    }
    visit(`${path}.items`, value['items'], depth + 1)
    for (const combinator of ['anyOf', 'oneOf', 'allOf']) {
      const parts = value[combinator]
      if (!Array.isArray(parts)) continue
      for (const [at, part] of parts.entries()) visit(`${path}.${combinator}.${at}`, part, depth)
    }
  }
  visit(name, schema, 1)
  return nodes
}

export function propertiesOf(schema: Schema): Readonly<Record<string, unknown>> {
  return isSchema(schema['properties']) ? schema['properties'] : {}
}

/** The types that a schema allows; none where it does not say. */
export function typesOf({ type }: Schema): readonly unknown[] {
  return type === undefined ? [] : [type].flat()
}

/** The properties that may be left out. */
export function optionalOf(schema: Schema): string[] {
  const required = requiredOf(schema)
  return Object.keys(propertiesOf(schema)).filter((name) => !required.includes(name))
}

export function requiredOf(schema: Schema): readonly string[] {
  return Array.isArray(schema['required']) ? schema['required'] : []
}

export function valuesOf(schema: Schema): readonly unknown[] {
  return Array.isArray(schema['enum']) ? schema['enum'] : []
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
