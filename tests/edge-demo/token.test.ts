import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { called, clientOf, secret, serveWorker, signed, type ServedWorker } from './served-worker.ts'
import { fill, wordOf } from './two-workspaces.ts'

let worker: ServedWorker

beforeAll(async () => {
  worker = await serveWorker()
  await fill(worker)
})

afterAll(() => worker.close())

const claims = { workspace: 'south', session: 'me' }
const now = (): number => Math.floor(Date.now() / 1000)

/** The token of another workspace, with the claims of the south under its signature. */
async function forged(): Promise<string> {
  const [header, , signature] = (await signed({ ...claims, workspace: 'north' })).split('.')
  const [, payload] = (await signed(claims)).split('.')
  return [header, payload, signature].join('.')
}

function unsecured(): string {
  return new UnsecuredJWT(claims).setExpirationTime('1h').encode()
}

describe('a token that is not valid', () => {
  it.each<[string, () => string | Promise<string>, string]>([
    ['is none', () => 'abc', 'not one that was signed'],
    ['is signed with another secret', () => signed(claims, secret.toUpperCase()), 'not one that was'],
    ['is signed by another method', () => signed(claims, secret, 'HS512'), 'not one that was signed'],
    ['is not signed', unsecured, 'not one that was signed'],
    ['lost its signature', async () => (await signed(claims)).replace(/[^.]+$/, ''), 'not one that'],
    ['is forged', forged, 'not one that was signed'],
    ['has expired', () => signed({ ...claims, exp: now() - 1 }), 'expired'],
    ['never expires', () => signed({ ...claims, exp: undefined as never }), 'claim exp'],
    ['expires at no time', () => signed({ ...claims, exp: 'never' as never }), 'claim exp'],
    ['is not valid yet', () => signed({ ...claims, nbf: now() + 600 }), 'claim nbf'],
    ['names no workspace', () => signed({ session: 'me' }), 'claim workspace'],
    [
      'names a workspace that is no text',
      () => signed({ ...claims, workspace: ['south'] }),
      'workspace',
    ],
    ['names a blank workspace', () => signed({ ...claims, workspace: ' ' }), 'claim workspace'],
    ['names no session', () => signed({ workspace: 'south' }), 'claim session'],
  ])('because it %s is refused', async (_what, token, says) => {
    const authorization = `Bearer ${await token()}`
    for (const [path, method] of [
      ['/mcp', 'POST'],
      ['/export', 'GET'],
      ['/sessions/me', 'PUT'],
    ] as const) {
      const response = await fetch(new URL(path, worker.url), { method, headers: { authorization } })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", /)
      const answer = await response.text()
      expect(JSON.parse(answer)).toEqual({
        code: 'TOKEN_INVALID',
        message: expect.stringContaining(says),
      })
      expect(answer).not.toMatch(/south|secret/)
    }
  })

  it('does not connect a client', async () => {
    await expect(clientOf(worker, await forged())).rejects.toThrow(/TOKEN_INVALID|401/)
  })
})

describe('without a token', () => {
  it.each([undefined, 'Basic bWU6bWU=', 'Bearer'])('%s is answered 401', async (authorization) => {
    const headers = authorization === undefined ? {} : { authorization }
    const response = await fetch(new URL('/mcp', worker.url), { method: 'POST', headers })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await response.json()).toMatchObject({ code: 'TOKEN_MISSING' })
  })

  it('nothing else of a request is one', async () => {
    const token = await signed(claims)
    const url = new URL(`/export?token=${token}&access_token=${token}`, worker.url)
    const response = await fetch(url, { headers: { cookie: `token=${token}`, 'x-token': token } })
    expect(response.status).toBe(401)
  })
})

it('takes the tokens of the script for development', async () => {
  const script = join(import.meta.dirname, '../../demo/edge/make-token.ts')
  const token = execFileSync('npx', ['tsx', script, 'south', 'me', '1'], {
    env: { ...process.env, TOKEN_SECRET: secret },
    encoding: 'utf8',
  }).trim()
  const read = await called(await clientOf(worker, token), 'session_event_read', { seq: 0 })
  expect(read.text).toContain(wordOf.south)
})
