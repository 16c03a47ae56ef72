import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import type { WebKit } from '../../scripts/other-browsers.ts'
import { ready, type Driver, type Tab } from './driver.ts'

/**
 * WebKitGTK's MiniBrowser by WebDriver. Driven so it keeps no profile: a new browser knows nothing of the last one.
 *
 * @param folder for what it leaves behind
 */
export async function webKitDriver({ driver, browser, xvfb }: WebKit, folder: string): Promise<Driver> {
  const started: ChildProcess[] = []
  try {
    const display = await startDisplay(xvfb, started)
    const port = await freePort()
    const env = {
      ...process.env,
      DISPLAY: `:${display}`,
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
      // As root it has no sandbox to start in.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      XDG_RUNTIME_DIR: folder,
    }
    started.push(spawn(driver, [`--port=${port}`, '--host=127.0.0.1'], { env, stdio: 'ignore' }))
    let session = await Session.begin(port, browser)
    return {
      open: async (url) => ready(await session.open(url)),
      async restart() {
        await session.end()
        session = await Session.begin(port, browser)
      },
      async close() {
        await session.end().catch(() => undefined)
        end(started)
      },
    }
  } catch (error) {
    end(started)
    throw error
  }
}

/** One run of the browser. Its first window stays empty: the browser ends with its last one. */
class Session {
  readonly #port: number
  readonly #path: string
  #first = ''
  /** Commands go to the window that was chosen last, so choosing and commanding must not be torn apart. */
  #last: Promise<unknown> = Promise.resolve()

  private constructor(port: number, id: string) {
    this.#port = port
    this.#path = `/session/${id}`
  }

  static async begin(port: number, binary: string): Promise<Session> {
    const { sessionId } = await answered<{ sessionId: string }>(port, '/session', {
      capabilities: {
        alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } },
      },
    })
    const session = new Session(port, sessionId)
    await session.#call('POST', '/timeouts', { script: 30_000, pageLoad: 30_000 })
    session.#first = await session.#call<string>('GET', '/window')
    return session
  }

  async open(url: string): Promise<Tab> {
    const { handle } = await this.#callIn<{ handle: string }>(this.#first, 'POST', '/window/new', {
      type: 'tab',
    })
    await this.#callIn(handle, 'POST', '/url', { url })
    const tab: Tab = {
      evaluate: (code) => this.#evaluate(handle, code),
      reload: async () => {
        await this.#callIn(handle, 'POST', '/refresh', {})
        await ready(tab)
      },
      close: () => this.#callIn(handle, 'DELETE', '/window'),
    }
    return tab
  }

  end(): Promise<void> {
    return this.#call('DELETE', '')
  }

  async #evaluate<Result>(handle: string, code: string): Promise<Result> {
    const script = `const done = arguments[arguments.length - 1]
      ;(async () => ${code})().then((value) => done({ value }), (error) => done({ failed: String(error) }))`
    const { value, failed } = await this.#callIn<{ value?: Result; failed?: string }>(
      handle,
      'POST',
      '/execute/async',
      { script, args: [] },
    )
    if (failed !== undefined) throw new Error(failed)
    return value as Result
  }

  #callIn<Value>(handle: string, method: string, path: string, body?: unknown): Promise<Value> {
    const called = this.#last.then(async () => {
      await this.#call('POST', '/window', { handle })
      return this.#call<Value>(method, path, body)
    })
    this.#last = called.catch(() => undefined)
    return called
  }

  #call<Value>(method: string, path: string, body?: unknown): Promise<Value> {
    return call<Value>(this.#port, method, this.#path + path, body)
  }
}

/** @returns the number of a display that nobody has */
function startDisplay(xvfb: string, started: ChildProcess[]): Promise<string> {
  const args = ['-displayfd', '3', '-screen', '0', '1024x768x24', '-nolisten', 'tcp']
  const display = spawn(xvfb, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  started.push(display)
  return new Promise((resolve, reject) => {
    display.once('error', reject)
    display.once('exit', () => reject(new Error(`${xvfb} ended before it had a display.`)))
    display.stdio[3]?.once('data', (told: Buffer) => resolve(told.toString().trim()))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
}

/** Posts once the driver listens. */
async function answered<Value>(port: number, path: string, body: unknown): Promise<Value> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call<Value>(port, 'POST', path, body)
    } catch (error) {
      if (attempt === 50 || !(error instanceof TypeError)) throw error
      await new Promise((resume) => setTimeout(resume, 100))
    }
  }
}

async function call<Value>(port: number, method: string, path: string, body?: unknown): Promise<Value> {
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
