/// <reference lib="esnext.disposable" preserve="true" />
import { abortReason, throwIfAborted } from '../../core/abort.ts'
import type { AbortSignalLike } from '../../core/corpus.ts'
import { SessionQueryError } from '../../core/errors.ts'
import { invalidConfig } from '../../core/options.ts'
import type { SessionTool } from '../tool.ts'
import { detached, type DetachedSchema } from './detached.ts'
import { mcpResult, type McpToolResult } from './mcp-result.ts'

export interface WebMcpOptions {
  /** Takes the tools back when it is aborted, at any time. */
  readonly signal?: AbortSignalLike | undefined
}

/** Tools that agents of the browser can call. */
export interface WebMcpRegistration {
  /** Takes back those of the tools that no later registration has replaced. Calls that run go on. Can be repeated. */
  dispose(): void
  [Symbol.dispose](): void
}

/**
 * Registers the tools with the page, by the WebMCP draft of October 2026 (`ModelContext` on `document`) or an older
 * one (on `navigator`). A call gives a result as MCP has it, failures with `isError` too: what a callback rejects
 * with does not reach the agent.
 *
 * Tools of the same name that were registered here before are replaced.
 *
 * @throws SessionQueryError `INVALID_CONFIG` where there is no WebMCP, where the browser refuses, or where a name belongs
 *   to somebody else's tool (nothing is registered then, nothing replaced); the signal's reason when it is aborted
 */
export async function registerWebMcp(
  tools: readonly SessionTool[],
  { signal }: WebMcpOptions = {},
): Promise<WebMcpRegistration> {
  throwIfAborted(signal)
  const page = pageOf(modelContext())
  // One after the other: each has to see what the one before it has left.
  const registration = page.turn.then(() => register(page, tools, signal))
  page.turn = registration.catch(() => undefined)
  return await registration
}

/** A tool of WebMCP, in its words. */
interface WebMcpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: DetachedSchema
  readonly annotations: { readonly readOnlyHint: true; readonly untrustedContentHint: true }
  readonly execute: (input: unknown, options?: WebMcpCallOptions) => Promise<McpToolResult>
}

/** Older drafts hand over something else, without a signal, or nothing. */
interface WebMcpCallOptions {
  readonly signal?: AbortSignalLike | undefined
}

/** What is used of a `ModelContext`. */
interface ModelContextLike {
  /** Gives a promise; in older drafts nothing. */
  registerTool(tool: WebMcpTool, options: { readonly signal: AbortSignal }): unknown
  /** Of drafts that do not know the signal. */
  unregisterTool?(name: string): unknown
}

/** What we have registered with a `ModelContext`. */
interface Page {
  readonly context: ModelContextLike
  /** By the names of the tools: takes one back. */
  readonly held: Map<string, () => void>
  turn: Promise<unknown>
}

const pages = new WeakMap<ModelContextLike, Page>()

function pageOf(context: ModelContextLike): Page {
  const page = pages.get(context) ?? { context, held: new Map(), turn: Promise.resolve() }
  pages.set(context, page)
  return page
}

function modelContext(): ModelContextLike {
  const { document, navigator } = globalThis as {
    document?: { modelContext?: Partial<ModelContextLike> }
    navigator?: { modelContext?: Partial<ModelContextLike> }
  }
  const context = document?.modelContext ?? navigator?.modelContext
  if (typeof context?.registerTool === 'function') return context as ModelContextLike
  throw invalidConfig(
    'There is no document.modelContext here. WebMCP needs a window, in a secure context, of a browser that has it or a polyfill.',
  )
}

async function register(
  page: Page,
  tools: readonly SessionTool[],
  signal: AbortSignalLike | undefined,
): Promise<WebMcpRegistration> {
  throwIfAborted(signal)
  const releases: (() => void)[] = []
  const dispose = (): void => {
    signal?.removeEventListener('abort', dispose)
    for (const release of releases.splice(0)) release()
  }
  signal?.addEventListener('abort', dispose, { once: true })
  // Only a name that is not ours can be refused; those come first, before anything is replaced.
  const inOrder = tools.toSorted(
    (a, b) => Number(page.held.has(a.name)) - Number(page.held.has(b.name)),
  )
  try {
    for (const tool of inOrder) {
      throwIfAborted(signal)
      page.held.get(tool.name)?.()
      await registerOne(page, tool, releases)
    }
    throwIfAborted(signal)
  } catch (error) {
    dispose()
    throw signal?.aborted === true ? abortReason(signal) : error
  }
  return { dispose, [Symbol.dispose]: dispose }
}

async function registerOne(
  { context, held }: Page,
  tool: SessionTool,
  releases: (() => void)[],
): Promise<void> {
  const { name } = tool
  const lifetime = new AbortController()
  const release = (): void => {
    if (held.get(name) !== release) return
    held.delete(name)
    lifetime.abort()
    try {
      context.unregisterTool?.(name)
    } catch {
      // The signal was enough.
    }
  }
  held.set(name, release)
  // Before the wait, so that an abort during it takes this one back too.
  releases.push(release)
  try {
    await context.registerTool(webMcpTool(tool), { signal: lifetime.signal })
  } catch (error) {
    // It is not ours to take back.
    if (held.get(name) === release) held.delete(name)
    throw refused(name, error)
  }
}

function webMcpTool(tool: SessionTool): WebMcpTool {
  const { name, title, description, inputSchema } = tool
  return {
    name,
    title,
    description,
    inputSchema: detached(inputSchema),
    annotations: { readOnlyHint: true, untrustedContentHint: true },
    execute: (input, options) => mcpResult(tool, input, options?.signal),
  }
}

function refused(name: string, cause: unknown): SessionQueryError {
  const why =
    cause instanceof Error && cause.name === 'InvalidStateError'
      ? 'this page has a tool of that name already, which is not ours'
      : 'the browser refused it'
  return new SessionQueryError(
    'SESSION_QUERY_INVALID_CONFIG',
    `The tool ${name} could not be registered: ${why}.`,
    { cause },
  )
}
