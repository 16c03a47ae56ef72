import { errors, jwtVerify, type JWTPayload } from 'jose'
import { Refusal } from './answers.ts'

/** Who calls, as the token says; nothing else of a request does. */
export interface Caller {
  readonly workspace: string
  /** Id of the session on whose behalf the tools are called. */
  readonly session: string
}

/**
 * The caller, from `Authorization: Bearer <JWT>`, HS256.
 *
 * @throws Refusal 401 without a valid token, 500 without a secret to judge it by
 */
export async function callerOf(request: Request, secret: string | undefined): Promise<Caller> {
  const key = new TextEncoder().encode(secret)
  if (key.length < 32) {
    throw new Refusal(500, 'NOT_CONFIGURED', 'TOKEN_SECRET is not set, or has fewer than 32 bytes.')
  }
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (token === undefined) {
    throw new Refusal(401, 'TOKEN_MISSING', 'Authorization: Bearer with a token is needed.', {
      'WWW-Authenticate': 'Bearer',
    })
  }
  const claims = await verified(token, key)
  return { workspace: nameIn(claims, 'workspace'), session: nameIn(claims, 'session') }
}

async function verified(token: string, key: Uint8Array): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], requiredClaims: ['exp'] })
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw invalid('The token has expired.')
    // Claims are looked at when the signature has been found right.
    if (error instanceof errors.JWTClaimValidationFailed) throw invalidClaim(error.claim)
    throw invalid('The token is not one that was signed for this server.')
  }
}

function nameIn(claims: JWTPayload, claim: string): string {
  const value = claims[claim]
  if (typeof value === 'string' && value.trim() !== '') return value
  throw invalidClaim(claim)
}

function invalidClaim(claim: string): Refusal {
  return invalid(`The claim ${claim} of the token is missing or not valid.`)
}

function invalid(message: string): Refusal {
  return new Refusal(401, 'TOKEN_INVALID', message, {
    'WWW-Authenticate': `Bearer error="invalid_token", error_description="${message}"`,
  })
}
