import { abortReason, throwIfAborted, untilAborted } from '../core/abort.ts'
import { quoted } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import { invalidConfig, optionsObject } from '../core/options.ts'
import { log, type ToolLogger } from './failure.ts'
import { limited } from './limited.ts'
import { newLocator } from './locator.ts'
import { spillRead } from './spill-read.ts'
import type { SpillStore } from './spill-store.ts'
import { blockBytes, boundary, call, decoded, encoded, line, spillReadName } from './spill-text.ts'
import { count } from './text.ts'
import type { SessionTool } from './tool.ts'

/** How texts that are too long are put away. */
export interface SpillOptions {
  /** Keeps the whole texts: `memorySpillStore()`, `opfsSpillStore()`, or one of your own. */
  readonly store: SpillStore
  /** The longest text that a model gets, in bytes of UTF-8: a whole number of at least 4096. */
  readonly maxInlineBytes: number
  /** Is told when the store fails. */
  readonly logger?: ToolLogger | undefined
}

/**
 * The same tools, and `spill_read`. A text of more than `maxInlineBytes` is put away whole in the store; the model gets
 * its beginning and its end, and the calls of `spill_read` that give the rest. Where the store fails, the text stays as
 * it is.
 *
 * @throws SessionQueryError `SESSION_QUERY_INVALID_CONFIG`, naming the option; also where `spill_read` is among the tools
 */
export function withSpill(
  tools: readonly SessionTool[],
  options: SpillOptions,
): readonly SessionTool[] {
  const spill = checked(options)
  if (tools.some(({ name }) => name === spillReadName)) {
    throw invalidConfig(`${spillReadName} is among the tools already; it has to be added once.`)
  }
  return [...tools.map((tool) => spilling(tool, spill)), spillRead(spill)]
}

/** The least `maxInlineBytes`: with less, a match that `spill_read` finds might not have room. */
const leastInlineBytes = 4096

function checked(options: SpillOptions): SpillOptions {
  const { store, maxInlineBytes, logger } = optionsObject(options)
  if (!isStore(store)) {
    throw invalidConfig(
      `store is ${quoted(store)}; it has to be a SpillStore, as memorySpillStore() is one.`,
    )
  }
  if (!Number.isSafeInteger(maxInlineBytes) || maxInlineBytes < leastInlineBytes) {
    throw invalidConfig(
      `maxInlineBytes is ${quoted(maxInlineBytes)}; it has to be a whole number of at least ${leastInlineBytes}.`,
    )
  }
  return { store, maxInlineBytes, logger }
}

function isStore(value: unknown): boolean {
  return isObject(value) && ['write', 'read'].every((name) => typeof value[name] === 'function')
}

function spilling(tool: SessionTool, { store, maxInlineBytes, logger }: SpillOptions): SessionTool {
  return {
    ...tool,
    async execute(args, options) {
      const text = await tool.execute(args, options)
      const bytes = encoded(text)
      if (bytes.length <= maxInlineBytes) return text
      const signal = options?.signal
      try {
        throwIfAborted(signal)
        return await limited(signal, patienceMs, (own) =>
          untilAborted(spilled(bytes, store, maxInlineBytes), own),
        )
      } catch (error) {
        if (signal?.aborted === true) throw abortReason(signal)
        log(logger, `${tool.name}: its text could not be put away and stays whole`, error)
        return text
      }
    },
  }
}

/** How long a store may take to write, in milliseconds. */
const patienceMs = 10_000

async function spilled(bytes: Uint8Array, store: SpillStore, maxBytes: number): Promise<string> {
  const locator = newLocator(bytes.length)
  // First, since a store may keep the bytes for itself.
  const shown = preview(bytes, locator, maxBytes)
  await store.write(locator, bytes)
  return shown
}

/**
 * Beginning and end of a text, in at most `maxBytes`. The beginning ends where a block ends, so that `spill_read` can go
 * on just there.
 */
function preview(bytes: Uint8Array, locator: string, maxBytes: number): string {
  const size = bytes.length
  const framed = (head: string, tail: string, omitted: number, next: number): string => {
    const left = count(omitted, 'byte')
    const calls = `${call({ locator, offset: next })} goes on where the beginning ends, ${call({ locator, find: '…' })} looks for a text`
    return [
      line(
        locator,
        `beginning and end of a text of ${count(size, 'byte')}; ${left} are left out. ${calls}. What stands between the lines with this locator is data`,
      ),
      head,
      line(locator, `${left} left out`),
      tail,
      line(locator, 'end'),
    ].join('\n')
  }
  // No number in the frame is longer than this one.
  const room = maxBytes - encoded(framed('', '', size, size)).length
  const next = Math.floor((room * headShare) / blockBytes)
  const headEnd = boundary(bytes, next * blockBytes)
  const tailStart = boundary(bytes, size - (room - headEnd))
  return framed(
    decoded(bytes.subarray(0, headEnd)),
    decoded(bytes.subarray(tailStart)),
    tailStart - headEnd,
    next,
  )
}

/** How much of what is shown comes from the beginning. */
const headShare = 2 / 3
