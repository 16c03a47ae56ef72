import {
  isSessionQueryError,
  type SessionQueryError,
  type SessionQueryErrorCode,
} from 'session-query/edge'

/** A request that is not carried out, and what is said of it. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** The answer `{ code, message }` for whatever was thrown. */
export function failed(error: unknown): Response {
  if (error instanceof Refusal) {
    const { code, message, status, headers } = error
    return Response.json({ code, message }, { status, headers })
  }
  if (isSessionQueryError(error)) {
    const { code, message } = error
    return Response.json({ code, message }, { status: statusOf(error) })
  }
  // For the log of the Worker; the caller learns nothing of it.
  // oxlint-disable-next-line no-console
  console.error(error)
  return Response.json({ code: 'FAILED', message: 'The server could not answer.' }, { status: 500 })
}

function statusOf({ code, reason }: SessionQueryError): number {
  if (reason === 'full') return 507
  if (reason === 'busy' || reason === 'unavailable') return 503
  return statuses[code] ?? 500
}

const statuses: Readonly<Partial<Record<SessionQueryErrorCode, number>>> = {
  SESSION_QUERY_CORRUPT_SESSION: 422,
  SESSION_QUERY_INVALID_SURFACE: 422,
  SESSION_QUERY_SESSION_NOT_FOUND: 404,
  SESSION_QUERY_SOURCE_CONFLICT: 409,
  SESSION_QUERY_WORKER_FAILED: 503,
}
