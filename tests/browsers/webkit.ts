import { spawn, type ChildProcess } from 'node:child_process'
import { ready, type Driver, type Tab } from './driver.ts'

/** Where WebKitGTK is on this machine. */
export interface WebKit {
  readonly driver: string
  readonly browser: string
  /** A display without a screen. */
  readonly xvfb: string
}

const [port, display] = [4455, ':97']

/** WebKitGTK's MiniBrowser by WebDriver. */
export async function webKitDriver({ driver, browser, xvfb }: WebKit, folder: string): Promise<Driver> {
  const started = [spawn(xvfb, [display, '-screen', '0', '1024x768x24', '-nolisten', 'tcp'])]
  const env = {
    ...process.env,
    DISPLAY: display,
    LIBGL_ALWAYS_SOFTWARE: '1',
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    WEBKIT_DISABLE_DMABUF_RENDERER: '1',
    // As root it has no sandbox to start in.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    XDG_RUNTIME_DIR: folder,
  }
  started.push(spawn(driver, [`--port=${port}`, '--host=127.0.0.1'], { env }))
  const newSession = async (): Promise<string> => {
    const { sessionId } = await answered<{ sessionId: string }>('POST', '/session', {
      capabilities: {
        alwaysMatch: {
          'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
        },
      },
    })
    await call('POST', `/session/${sessionId}/timeouts`, { script: 30_000, pageLoad: 30_000 })
    return sessionId
  }
  let session: string
  try {
    session = await newSession()
  } catch (error) {
    end(started)
    throw error
  }
  return {
    async open(url) {
      await call('POST', `/session/${session}/url`, { url })
      return ready(tabOf(session))
    },
    async restart() {
      await call('DELETE', `/session/${session}`)
      session = await newSession()
    },
    async close() {
      await call('DELETE', `/session/${session}`).catch(() => undefined)
      end(started)
    },
  }
}

function tabOf(session: string): Tab {
  const tab: Tab = {
    async evaluate<Result>(code: string) {
      const script = `const done = arguments[arguments.length - 1]
        ;(async () => ${code})().then((value) => done({ value }), (error) => done({ failed: String(error) }))`
      const { value, failed } = await call<{ value?: unknown; failed?: string }>(
        'POST',
        `/session/${session}/execute/async`,
        { script, args: [] },
      )
      if (failed !== undefined) throw new Error(failed)
      return value as Result
    },
    async reload() {
      await call('POST', `/session/${session}/refresh`, {})
      await ready(tab)
    },
    close: () => call('DELETE', `/session/${session}/window`),
  }
  return tab
}

/** A call once the driver listens. */
async function answered<Value>(method: string, path: string, body: unknown): Promise<Value> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call<Value>(method, path, body)
    } catch (error) {
      if (attempt === 50 || !(error instanceof TypeError)) throw error
      await new Promise((resume) => setTimeout(resume, 100))
    }
  }
}

async function call<Value>(method: string, path: string, body?: unknown): Promise<Value> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { value } = (await response.json()) as { value: Value & { error?: string; message?: string } }
  if (typeof value?.error === 'string') throw new Error(`${value.error}: ${value.message}`)
  return value
}

function end(started: readonly ChildProcess[]): void {
  for (const process of started.toReversed()) process.kill()
}
