import type { SpillStore } from '../../src/tools/spill-store.ts'
import { withSpill, type SpillOptions } from '../../src/tools/spill.ts'
import type { SessionTool } from '../../src/tools/tool.ts'

export type SpillArguments = { locator: string; offset?: number; find?: string }

/** A tool under `withSpill` that says a text, and the tool that reads what was put away. */
export interface Scene {
  readonly say: (text: string, signal?: AbortSignal) => Promise<string>
  readonly read: (args: unknown, signal?: AbortSignal) => Promise<string>
  readonly tools: readonly SessionTool[]
}

export function scene(store: SpillStore, options: Partial<SpillOptions> = {}): Scene {
  const tools = withSpill([sayTool()], { store, maxInlineBytes: 4096, ...options })
  const [say, read] = tools
  if (say === undefined || read === undefined) throw new Error('A tool is missing.')
  return {
    say: (text, signal) => say.execute({ text }, signal && { signal }),
    read: (args, signal) => read.execute(args, signal && { signal }),
    tools,
  }
}

/** Says what it is given; throws where that is no text. */
export function sayTool(name = 'say'): SessionTool {
  return {
    name,
    title: 'Say',
    description: 'Says it.',
    inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    concurrency: 'exclusive',
    async execute(args) {
      const { text } = args as { readonly text: unknown }
      if (typeof text === 'string') return text
      throw text
    },
  }
}

/** The lines of ours in an answer, what stands between them, and the calls that they name. */
export interface Parts {
  readonly locator: string
  readonly frame: readonly string[]
  readonly content: readonly string[]
  readonly calls: readonly SpillArguments[]
}

/** Takes an answer apart, by its locator alone, as a model can. */
export function partsOf(answer: string): Parts {
  const locator = /^\[spill ([0-9a-z]+): /.exec(answer)?.[1]
  if (locator === undefined) throw new Error(`No frame around ${answer.slice(0, 100)}`)
  const ours = new RegExp(`(?:^|\n)(\\[spill ${locator}: [^\n]*\\])(?:\n|$)`, 'g')
  const frame = [...answer.matchAll(ours)].map(([, line = '']) => line)
  const content = answer
    .split(new RegExp(`(?:^|\n)\\[spill ${locator}: [^\n]*\\](?:\n|$)`))
    .slice(1, -1)
  const calls = frame.flatMap((line) =>
    [...line.matchAll(/spill_read (\{"locator":.*?\})(?=[ \]])/g)].map(
      ([, json = '']) => JSON.parse(json) as SpillArguments,
    ),
  )
  return { locator, frame, content, calls }
}

export function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length
}

/** All that is read from a call on, each answer measured. */
export async function readOn(
  { read }: Scene,
  first: SpillArguments,
  judge: (answer: string) => void = () => undefined,
): Promise<string> {
  const slices: string[] = []
  for (let args: SpillArguments | undefined = first; args !== undefined;) {
    const answer = await read(args)
    judge(answer)
    const { content, calls }: Parts = partsOf(answer)
    slices.push(content[0] ?? '')
    args = calls[0]
  }
  return slices.join('')
}
