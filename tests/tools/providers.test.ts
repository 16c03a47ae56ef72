import { describe, expect, it } from 'vitest'
import { toAnthropicTools } from '../../src/tools/dialects/anthropic.ts'
import { toOpenAiTools } from '../../src/tools/dialects/openai.ts'
import type { SessionTool } from '../../src/tools/tool.ts'
import { sessionTools } from '../fixtures/tools.ts'

/** Small enough to write down what it becomes. */
const small: SessionTool = {
  name: 'session_small',
  title: 'Small',
  description: 'Does little.',
  inputSchema: {
    type: 'object',
    properties: {
      seq: { type: 'integer', description: 'A seq.' },
      kind: { type: 'string', description: 'A kind.', enum: ['a', 'b'] },
      ids: { type: 'array', description: 'Ids.', items: { type: 'string', enum: ['x'] } },
    },
    required: ['seq'],
    additionalProperties: false,
  },
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  concurrency: 'parallel',
  execute: () => Promise.resolve(''),
}

const strictParameters = {
  type: 'object',
  properties: {
    seq: { type: 'integer', description: 'A seq.' },
    kind: { type: ['string', 'null'], description: 'A kind.', enum: ['a', 'b', null] },
    ids: { type: ['array', 'null'], description: 'Ids.', items: { type: 'string', enum: ['x'] } },
  },
  required: ['seq', 'kind', 'ids'],
  additionalProperties: false,
}

describe('tools for OpenAI', () => {
  const plain = { name: small.name, description: small.description }

  it('are those of the Responses API where nothing is said', () => {
    expect(toOpenAiTools([small])).toEqual([
      { type: 'function', ...plain, parameters: small.inputSchema, strict: false },
    ])
  })

  it('hold a function for Chat Completions', () => {
    expect(toOpenAiTools([small], { api: 'chat' })).toEqual([
      { type: 'function', function: { ...plain, parameters: small.inputSchema, strict: false } },
    ])
  })

  it('require everything when strict, and take null for what is left out', () => {
    const strict = { ...plain, parameters: strictParameters, strict: true }
    expect(toOpenAiTools([small], { strict: true })).toEqual([{ type: 'function', ...strict }])
    expect(toOpenAiTools([small], { strict: true, api: 'chat' })).toEqual([
      { type: 'function', function: strict },
    ])
  })

  it('say null for every argument that a strict call leaves out, which the tools take', async () => {
    const tools = await sessionTools()
    const strict = toOpenAiTools(tools, { strict: true })
    for (const [at, tool] of tools.entries()) {
      const names = Object.keys(tool.inputSchema.properties)
      expect(strict[at]?.parameters).toMatchObject({ required: names })
      const given = new Map<string, unknown>([
        ['query', 'hello'],
        ['seq', 0],
      ])
      const full = Object.fromEntries(names.map((name) => [name, given.get(name) ?? null]))
      const answer = await tool.execute(Object.fromEntries(given))
      expect(await tool.execute(JSON.stringify(full))).toBe(answer)
    }
  })
})

describe('tools for Claude', () => {
  it('keep their schema, strict or not', () => {
    const plain = {
      name: small.name,
      description: small.description,
      input_schema: small.inputSchema,
    }
    expect(toAnthropicTools([small])).toEqual([plain])
    expect(toAnthropicTools([small], { strict: true })).toEqual([{ ...plain, strict: true }])
  })
})

describe('what a provider gets', () => {
  it.each<[string, (tools: readonly SessionTool[]) => object[]]>([
    ['OpenAI', (tools) => toOpenAiTools(tools)],
    ['OpenAI, strict', (tools) => toOpenAiTools(tools, { strict: true })],
    ['OpenAI Chat, strict', (tools) => toOpenAiTools(tools, { strict: true, api: 'chat' })],
    ['Claude', (tools) => toAnthropicTools(tools)],
  ])('is the caller’s own: %s', (_name, dialect) => {
    const before = structuredClone(dialect([small]))
    spoil(dialect([small]))
    expect(dialect([small])).toEqual(before)
  })
})

/** Empties everything in a value. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const inner of Object.values(value)) spoil(inner)
  if (Array.isArray(value)) value.length = 0
  for (const key of Object.keys(value)) Reflect.deleteProperty(value, key)
}
