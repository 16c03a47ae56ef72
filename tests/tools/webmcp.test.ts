import { afterEach, describe, expect, it, vi } from 'vitest'
import { registerWebMcp } from '../../src/tools/dialects/webmcp.ts'
import { sessionTools } from '../fixtures/tools.ts'
import { waitingTool } from '../fixtures/waiting-tool.ts'

// What no polyfill shows: a browser that unregisters by name, calls that can be aborted, older drafts.

interface Registered {
  readonly name: string
  readonly execute: (input: unknown, options?: unknown) => Promise<unknown>
}

const tools = await sessionTools()
const names = tools.map(({ name }) => name)

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A page as the draft of October 2026 has it: what a signal takes back, it takes back by name. */
function stubPage(): Map<string, Registered> {
  const registered = new Map<string, Registered>()
  vi.stubGlobal('document', {
    modelContext: {
      registerTool: (tool: Registered, { signal }: { signal: AbortSignal }): Promise<void> => {
        if (registered.has(tool.name)) return Promise.reject(duplicate())
        return new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => {
            registered.delete(tool.name)
            reject(signal.reason)
          })
          registered.set(tool.name, tool)
          setTimeout(resolve)
        })
      },
    },
  })
  return registered
}

/** A page as drafts before May 2026 had it: on the navigator, no promise, no signal. */
function stubOlderPage(): Map<string, Registered> {
  const registered = new Map<string, Registered>()
  vi.stubGlobal('document', {})
  vi.stubGlobal('navigator', {
    modelContext: {
      registerTool: (tool: Registered): void => {
        if (registered.has(tool.name)) throw duplicate()
        registered.set(tool.name, tool)
      },
      unregisterTool: (name: string): void => {
        if (!registered.delete(name)) throw duplicate()
      },
    },
  })
  return registered
}

function duplicate(): DOMException {
  return new DOMException('', 'InvalidStateError')
}

describe.each([
  ['the draft', stubPage],
  ['an older draft', stubOlderPage],
])('a page by %s', (_name, stub) => {
  it('has the tools until they are taken back', async () => {
    const registered = stub()
    const first = await registerWebMcp(tools)
    const second = await registerWebMcp(tools)
    first.dispose()
    expect([...registered.keys()]).toEqual(names)
    second.dispose()
    second.dispose()
    expect([...registered.keys()]).toEqual([])
  })

  it('keeps a tool of somebody else', async () => {
    const registered = stub()
    const theirs: Registered = { name: 'session_trace', execute: () => Promise.resolve('') }
    registered.set('session_trace', theirs)
    await expect(registerWebMcp(tools)).rejects.toMatchObject({
      code: 'SESSION_QUERY_INVALID_CONFIG',
      message: expect.stringContaining('session_trace'),
      cause: expect.objectContaining({ name: 'InvalidStateError' }),
    })
    expect([...registered]).toEqual([['session_trace', theirs]])
  })

  it('loses them when the signal is aborted in the turn of the call', async () => {
    const registered = stub()
    const controller = new AbortController()
    const registering = registerWebMcp(tools, { signal: controller.signal })
    controller.abort('at once')
    await expect(registering).rejects.toBe('at once')
    expect(registered.size).toBe(0)
  })

  it('lets what runs end when they are taken back', async () => {
    const registered = stub()
    const registration = await registerWebMcp(tools)
    const call = registered.get('session_trace')?.execute({})
    registration.dispose()
    expect(await call).toHaveProperty('content')
  })
})

it('aborts a call whose signal the browser hands over', async () => {
  const registered = stubPage()
  const [first] = tools
  if (first === undefined) throw new Error('no tool')
  const waiting = waitingTool(first)
  using _registration = await registerWebMcp([waiting.tool])
  const controller = new AbortController()
  const call = registered.get(first.name)?.execute({}, { signal: controller.signal })
  const ended = expect(call).rejects.toBe('enough')
  await waiting.called
  controller.abort('enough')
  await ended
})

it('says what the browser refused', async () => {
  const cause = new DOMException('not here', 'NotAllowedError')
  vi.stubGlobal('document', { modelContext: { registerTool: () => Promise.reject(cause) } })
  await expect(registerWebMcp(tools)).rejects.toMatchObject({
    code: 'SESSION_QUERY_INVALID_CONFIG',
    message: expect.stringContaining('the browser refused it'),
    cause,
  })
})

it('is for windows, and says so elsewhere', async () => {
  await expect(registerWebMcp(tools)).rejects.toMatchObject({
    code: 'SESSION_QUERY_INVALID_CONFIG',
    message: expect.stringContaining('needs a window'),
  })
})
