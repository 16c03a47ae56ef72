import type { DescribedTool, Schema } from './schema-nodes.ts'

export function tool(schema: Schema): DescribedTool {
  return { name: 'example', description: 'Stands for tools that are refused.', schema }
}

export function object(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

export function many(count: number): Schema {
  return object(Object.fromEntries(range(count).map((at) => [`a${at}`, { type: 'string' }])))
}

export function nested(levels: number): Schema {
  return range(levels - 1).reduce<Schema>((inner) => object({ inner }), { type: 'string' })
}

export function range(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at)
}
