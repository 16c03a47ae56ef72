import { corpusFor, SessionCorpusObject } from 'session-query/edge'
import { failed, Refusal } from './answers.ts'
import { exportFile, importFile } from './database-file.ts'
import type { Environment } from './environment.ts'
import { answerMcp } from './mcp.ts'
import { appendEvents, putSession } from './sessions.ts'
import { callerOf } from './token.ts'

/** The corpus of one workspace, in an object of its own. */
export class WorkspaceCorpus extends SessionCorpusObject {}

// The runtime takes a Worker as the default export of a module.
// oxlint-disable-next-line import/no-default-export
export default {
  async fetch(request, env): Promise<Response> {
    try {
      return await answer(request, env)
    } catch (error) {
      return failed(error)
    }
  },
} satisfies ExportedHandler<Environment>

/** Who calls and which workspace is theirs is read from the token, before anything else of the request. */
async function answer(request: Request, env: Environment): Promise<Response> {
  if (request.headers.has('origin')) {
    throw new Refusal(
      403,
      'FORBIDDEN',
      'This is not for web pages: requests with an Origin are refused.',
    )
  }
  const { workspace, session } = await callerOf(request, env.TOKEN_SECRET)
  const corpus = corpusFor(env.CORPORA, workspace)
  const { pathname } = new URL(request.url)
  const [, id, events] = /^\/sessions\/([^/]+)(\/events)?$/.exec(pathname) ?? []

  if (pathname === '/mcp') {
    only(request, 'POST')
    return answerMcp(request, corpus, session)
  }
  if (pathname === '/export') {
    only(request, 'GET')
    return exportFile(corpus)
  }
  if (pathname === '/import') {
    only(request, 'POST')
    return importFile(request, corpus)
  }
  if (id !== undefined) {
    const sessionId = decoded(id)
    only(request, events === undefined ? 'PUT' : 'POST')
    return await (events === undefined ? putSession : appendEvents)(request, corpus, sessionId)
  }
  throw new Refusal(404, 'NOT_FOUND', 'There is nothing at this address.')
}

function only(request: Request, method: string): void {
  if (request.method === method) return
  throw new Refusal(405, 'METHOD_NOT_ALLOWED', `This address takes ${method}.`, { Allow: method })
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    throw new Refusal(400, 'BAD_REQUEST', 'The session id in the address is not percent-encoded UTF-8.')
  }
}
