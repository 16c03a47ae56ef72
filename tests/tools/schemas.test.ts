import { describe, expect, it } from 'vitest'
import { toAiSdkTools } from '../../src/tools/dialects/ai-sdk.ts'
import { toAnthropicTools } from '../../src/tools/dialects/anthropic.ts'
import { toMcpTools } from '../../src/tools/dialects/mcp.ts'
import { toOpenAiTools } from '../../src/tools/dialects/openai.ts'
import { memorySpillStore } from '../../src/tools/spill-store.ts'
import { withSpill } from '../../src/tools/spill.ts'
import type { SessionTool } from '../../src/tools/tool.ts'
import { sessionTools } from '../fixtures/tools.ts'
import { problemsOf, rules, type Provider } from './schema-rules.ts'
import type { DescribedTool, Schema } from './schema-nodes.ts'

type Dialect = (tools: readonly SessionTool[]) => DescribedTool[]

/** Each dialect, and whose rules it keeps to. */
const dialects: readonly [name: string, dialect: Dialect, providers: readonly Provider[]][] = [
  ['the tools', plain, ['ours', 'mcp', 'openai', 'claude', 'claude strict', 'gemini']],
  ['MCP', (tools) => toMcpTools(tools).map(describedBy('inputSchema')), ['mcp']],
  ['OpenAI', (tools) => toOpenAiTools(tools).map(describedBy('parameters')), ['openai']],
  [
    'OpenAI, strict',
    (tools) => toOpenAiTools(tools, { strict: true }).map(describedBy('parameters')),
    ['openai strict'],
  ],
  [
    'OpenAI Chat, strict',
    (tools) =>
      toOpenAiTools(tools, { strict: true, api: 'chat' }).map((one) =>
        describedBy('parameters')(one.function),
      ),
    ['openai strict'],
  ],
  ['Claude', (tools) => toAnthropicTools(tools).map(describedBy('input_schema')), ['claude']],
  [
    'Claude, strict',
    (tools) => toAnthropicTools(tools, { strict: true }).map(describedBy('input_schema')),
    ['claude strict'],
  ],
  [
    'the AI SDK',
    (tools) =>
      Object.entries(toAiSdkTools(tools)).map(([name, { description, inputSchema }]) => ({
        name,
        description,
        schema: inputSchema['~standard'].jsonSchema.input(),
      })),
    ['openai', 'claude', 'gemini'],
  ],
]

/** Those of a corpus, and the one that reads what is too long. */
async function allTools(): Promise<readonly SessionTool[]> {
  return withSpill(await sessionTools(), { store: memorySpillStore(), maxInlineBytes: 32_768 })
}

function plain(tools: readonly SessionTool[]): DescribedTool[] {
  return tools.map(describedBy('inputSchema'))
}

function describedBy<Key extends string>(
  key: Key,
): (
  one: { readonly name: string; readonly description: string } & Readonly<Record<Key, object>>,
) => DescribedTool {
  return (one) => ({
    name: one.name,
    description: one.description,
    schema: one[key] as unknown as Schema,
  })
}

describe('schemas', () => {
  it.each(
    dialects.flatMap(([name, dialect, providers]) =>
      providers.map((provider) => ({ name, dialect, provider })),
    ),
  )('of $name keep to the rules of: $provider', async ({ dialect, provider }) => {
    const tools = await allTools()
    const described = dialect(tools)
    expect(described.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
    expect(problemsOf(provider, described)).toEqual([])
  })

  it('that need not be filled in are no strict ones of OpenAI, nor those of Claude', async () => {
    const tools = await allTools()
    expect(problemsOf('openai strict', plain(tools))).toContain(
      'every property is required: session_search',
    )
    const strict = toOpenAiTools(tools, { strict: true }).map(describedBy('parameters'))
    expect(problemsOf('claude strict', strict)).toEqual([
      expect.stringContaining('at most 16 arguments of more than one type'),
    ])
  })
})

describe('every rule', () => {
  const all = Object.entries(rules).flatMap(([provider, theirs]) =>
    theirs.map((rule) => ({ provider, rule, says: rule.says })),
  )

  it.each(all)('of $provider can be broken: $says', ({ rule }) => {
    expect(rule.broken(rule.example)).not.toEqual([])
  })

  it.each(all)('of $provider is kept where nothing is wrong: $says', ({ rule }) => {
    const good = { type: 'object', properties: {}, required: [], additionalProperties: false }
    expect(rule.broken([{ name: 'good', description: 'Good.', schema: good }])).toEqual([])
  })
})
