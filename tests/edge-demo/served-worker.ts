import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { SignJWT, type JWTPayload } from 'jose'
import { onTestFinished } from 'vitest'
import { unstable_startWorker as startWorker } from 'wrangler'

/** What the Worker of the tests judges tokens by. */
export const secret = 'the secret of the tests, and of nobody else'

/** The example Worker in workerd, as wrangler.jsonc describes it, with an empty storage. */
export interface ServedWorker {
  readonly url: URL
  close(): Promise<void>
}

export async function serveWorker(): Promise<ServedWorker> {
  process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false'
  const worker = await startWorker({
    config: join(import.meta.dirname, '../../demo/edge/wrangler.jsonc'),
    bindings: { TOKEN_SECRET: { type: 'plain_text', value: secret } },
    sendMetrics: false,
    dev: {
      server: { hostname: '127.0.0.1', port: 0 },
      inspector: false,
      persist: false,
      watch: false,
      logLevel: 'none',
    },
  })
  await worker.ready
  return { url: await worker.url, close: () => worker.dispose() }
}

/** A token with these claims, that ends in an hour where they say nothing else. */
export function signed(claims: JWTPayload, key: string = secret, alg = 'HS256'): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 3600
  return new SignJWT({ exp, ...claims }).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key))
}

/** Asks one address of the Worker with a token. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>

export async function asking(
  { url }: ServedWorker,
  workspace: string,
  session: string = 'me',
): Promise<Ask> {
  const token = await signed({ workspace, session })
  return (path, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${token}`)
    return fetch(new URL(path, url), { ...init, headers })
  }
}

/** A client of MCP, until the test ends. */
export async function clientOf(
  { url }: ServedWorker,
  token: string,
  { path = '/mcp', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Client> {
  const client = new Client({ name: 'host', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(path, url), {
    requestInit: { headers: { ...headers, authorization: `Bearer ${token}` } },
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

/** The text of a call's result, and whether it says that the call failed. */
export async function called(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>>,
  meta?: Record<string, unknown>,
): Promise<{ readonly text: string; readonly failed: boolean }> {
  const { content, isError } = (await client.callTool({
    name,
    arguments: args,
    ...(meta === undefined ? {} : { _meta: meta }),
  })) as CallToolResult
  const [block] = content
  if (block?.type !== 'text') throw new Error('The result is no text.')
  return { text: block.text, failed: isError === true }
}
