import type { EventPage, SearchEventsRequest } from '../core/corpus.ts'
import { askAbout, type Viewer } from './access.ts'
import { collectHits, type Hits } from './collect-hits.ts'
import type { OwnStep } from './own-session.ts'
import type { ToolCall } from './tool-call.ts'

/**
 * Walks the pages of a search in one session, of which each page has to show that it is still that one. What the caller
 * is doing right now is not among the hits.
 *
 * @throws as `askAbout` and `collectHits`
 */
export function searchedEvents(
  call: ToolCall,
  viewer: Viewer,
  step: OwnStep,
  request: SearchEventsRequest & { readonly sessionId: string },
  most: number,
): Promise<Hits<EventPage['items'][number]>> {
  return collectHits(
    most,
    (asked) =>
      askAbout(
        call,
        viewer,
        request.sessionId,
        (corpus, options, timeoutMs) =>
          corpus.searchEvents({ ...request, ...asked, timeoutMs }, options),
        ({ session }) => session,
      ),
    (hit) => (hit.sessionId === request.sessionId && !step.has(hit.header, hit) ? hit : undefined),
  )
}
