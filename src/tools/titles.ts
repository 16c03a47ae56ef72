import type { SessionHeader } from '../core/session.ts'
import { sees, type Viewer } from './access.ts'
import { codeOf, refusal } from './failure.ts'
import { quote } from './text.ts'
import type { ToolCall } from './tool-call.ts'

/** What to call each session: its title in quotes, `untitled`, or why the title is unavailable. */
export type Titles = (sessionId: string) => string

/** Reads the titles of sessions, all in one call; one that cannot be read spoils nothing else. */
export async function titlesOf(
  call: ToolCall,
  viewer: Viewer,
  headers: readonly SessionHeader[],
): Promise<Titles> {
  const sessionIds = headers.map(({ id }) => id)
  const titles = new Map<string, string>()
  let otherwise = unavailable(undefined)
  await call.spare(
    'Titles',
    async () => {
      const results = await call.ask((corpus, options) => corpus.readTitles({ sessionIds }, options))
      for (const result of results) {
        titles.set(
          result.sessionId,
          result.status === 'rejected'
            ? unavailable(result.error)
            : titleIn(viewer, result.session, result.title?.title),
        )
      }
    },
    (error) => {
      otherwise = unavailable(error)
    },
  )
  return (sessionId) => titles.get(sessionId) ?? otherwise
}

/** A session that was replaced meanwhile by one that is hidden is as good as gone. */
function titleIn(viewer: Viewer, header: SessionHeader, title: string | undefined): string {
  if (!sees(viewer, header)) return unavailable(refusal('SESSION_QUERY_SESSION_NOT_FOUND'))
  return title === undefined ? 'untitled' : quote(title)
}

function unavailable(error: unknown): string {
  return `title unavailable (${codeOf(error) ?? 'SESSION_QUERY_TOOL_FAILED'})`
}
