import type { AppendRequest, SessionCorpus } from 'session-query/edge'
import { Refusal } from './answers.ts'
import { jsonBody } from './json-body.ts'

type PutRequest = Parameters<SessionCorpus['putSession']>[0]

/** `PUT /sessions/:id` with `{ header, events }`; may be repeated. */
export async function putSession(
  request: Request,
  corpus: SessionCorpus,
  sessionId: string,
): Promise<Response> {
  const { header, events } = await jsonBody(request)
  if ((header as { readonly id?: unknown } | null | undefined)?.id !== sessionId) {
    throw new Refusal(400, 'BAD_REQUEST', 'The id of the header has to be the one in the address.')
  }
  // The corpus judges them.
  const result = await corpus.putSession({ header, events } as PutRequest)
  return Response.json(result, { status: result.created ? 201 : 200 })
}

/** `POST /sessions/:id/events` with `{ events }`; may be repeated. */
export async function appendEvents(
  request: Request,
  corpus: SessionCorpus,
  sessionId: string,
): Promise<Response> {
  const { events } = await jsonBody(request)
  return Response.json(await corpus.appendEvents({ sessionId, events } as AppendRequest))
}
