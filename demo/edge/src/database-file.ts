import { isSessionQueryError, type SessionCorpus } from 'session-query/edge'
import { Refusal } from './answers.ts'

/** `GET /export`: every session of the workspace as one SQLite file, made while it is read. */
export async function exportFile(corpus: SessionCorpus): Promise<Response> {
  return new Response(await corpus.exportDatabase(), {
    headers: {
      'Content-Type': 'application/vnd.sqlite3',
      'Content-Disposition': 'attachment; filename="sessions.sqlite3"',
    },
  })
}

/** `POST /import` with such a file, which is read as it comes; may be repeated. */
export async function importFile(request: Request, corpus: SessionCorpus): Promise<Response> {
  try {
    return Response.json(await corpus.importDatabase(request.body ?? new Uint8Array()))
  } catch (error) {
    // Here it is the file that was sent, and not what is stored.
    if (isSessionQueryError(error) && (error.reason === 'corrupt' || error.reason === 'failed')) {
      throw new Refusal(422, error.code, error.message)
    }
    throw error
  }
}
