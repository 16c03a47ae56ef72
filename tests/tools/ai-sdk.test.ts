import { generateText, isStepCount, type ToolSet } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { toAiSdkTools } from '../../src/tools/dialects/ai-sdk.ts'
import { badCall, calls, sessionTools } from '../fixtures/tools.ts'
import { waitingTool } from '../fixtures/waiting-tool.ts'

type Turn = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>

/** A turn of a model: it calls a tool, with the text of its arguments, or says that it is done. */
function turn(call?: readonly [toolName: string, input: string]): Turn {
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 }
  return {
    content:
      call === undefined
        ? [{ type: 'text', text: 'done' }]
        : [{ type: 'tool-call', toolCallId: 'call', toolName: call[0], input: call[1] }],
    finishReason: { unified: call === undefined ? 'stop' : 'tool-calls', raw: undefined },
    usage: { inputTokens: tokens, outputTokens: tokens },
    warnings: [],
  }
}

/** What a model that makes these calls, one a step, is told in answer to each. */
async function answersTo(
  tools: ToolSet,
  made: readonly (readonly [toolName: string, input: string])[],
): Promise<unknown[]> {
  const model = new MockLanguageModelV4({ doGenerate: [...made.map(turn), turn()] })
  const { text, steps } = await generateText({
    model,
    tools,
    prompt: 'Go on.',
    stopWhen: isStepCount(made.length + 1),
  })
  expect(text).toBe('done')
  expect(steps).toHaveLength(made.length + 1)
  const prompt = model.doGenerateCalls.at(-1)?.prompt ?? []
  return prompt.flatMap(({ role, content }) =>
    role === 'tool' ? content.map((part) => part.type === 'tool-result' && part.output) : [],
  )
}

describe('the AI SDK with the tools', () => {
  it('runs them in a loop, with arguments as models write them', async () => {
    const tools = await sessionTools()
    const made = calls.map(([name, args]) => [name, JSON.stringify(args)] as const)
    const expected = calls.map(async ([name, args]) => ({
      type: 'text',
      value: await tools.find((tool) => tool.name === name)?.execute(args),
    }))
    expect(await answersTo(toAiSdkTools(tools), made)).toEqual(await Promise.all(expected))
  })

  it('runs them with no arguments at all, and with a text of them', async () => {
    const tools = toAiSdkTools(await sessionTools())
    const plain = await answersTo(tools, [
      ['session_trace', '{}'],
      ['session_event_trace', '{"seq":0}'],
    ])
    const odd = await answersTo(tools, [
      ['session_trace', ''],
      ['session_event_trace', JSON.stringify('{"seq":"0"}')],
    ])
    expect(odd).toEqual(plain)
  })

  it('hands the message of a failure to the model, which can go on', async () => {
    const tools = toAiSdkTools(await sessionTools())
    const [failure, success] = await answersTo(tools, [
      [badCall.name, JSON.stringify(badCall.args)],
      ['session_event_read', '{"seq":"0"}'],
    ])
    expect(failure).toMatchObject({
      type: 'error-text',
      value: expect.stringContaining(badCall.message),
    })
    expect(success).toMatchObject({ type: 'text' })
  })

  it('shows a model their schemas as they are, time and again', async () => {
    const tools = await sessionTools()
    const before = structuredClone(tools.map(({ inputSchema }) => inputSchema))
    const made = toAiSdkTools(tools)
    for (const _time of [1, 2]) {
      const model = new MockLanguageModelV4({ doGenerate: turn() })
      await generateText({ model, tools: made, prompt: 'Go on.' })
      expect(model.doGenerateCalls[0]?.tools).toEqual(
        tools.map(({ name, description }, at) =>
          expect.objectContaining({
            type: 'function',
            name,
            description,
            inputSchema: before[at],
          }),
        ),
      )
    }
    expect(tools.map(({ inputSchema }) => inputSchema)).toEqual(before)
  })

  it('aborts a call that runs', async () => {
    const [first] = await sessionTools()
    if (first === undefined) throw new Error('no tool')
    const waiting = waitingTool(first)
    const controller = new AbortController()
    const generated = generateText({
      model: new MockLanguageModelV4({ doGenerate: [turn([first.name, '{}']), turn()] }),
      tools: toAiSdkTools([waiting.tool]),
      prompt: 'Go on.',
      abortSignal: controller.signal,
      stopWhen: isStepCount(2),
    })
    const ended = expect(generated).rejects.toThrow('enough')
    await waiting.called
    controller.abort(new Error('enough'))
    expect(await waiting.aborted).toBe(controller.signal.reason)
    await ended
  })
})

describe('a schema for the AI SDK', () => {
  it('is a Standard Schema that lets everything through, and a new object each time', async () => {
    const tools = toAiSdkTools(await sessionTools())
    const standard = tools['session_event_read']?.inputSchema['~standard']
    expect(standard).toMatchObject({ version: 1, vendor: 'session-query' })
    const odd = { seq: '12', surplus: null }
    expect(standard?.validate(odd)).toEqual({ value: odd })
    expect(standard?.jsonSchema.input()).toEqual(standard?.jsonSchema.output())
    expect(standard?.jsonSchema.input()).not.toBe(standard?.jsonSchema.input())
  })
})
