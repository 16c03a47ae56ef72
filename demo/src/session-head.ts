import type { SessionHeader } from 'session-query'

import type { AppState } from './app-state.ts'
import type { Catalog } from './catalog.ts'
import { button, fill, h, part } from './dom.ts'
import { formatMinute } from './format.ts'
import { relationOf } from './lineage.ts'

/** The head of the session that is open. Returns what shows it. */
export function createSessionHead(
  state: AppState,
  catalog: Catalog,
  remove: (sessionId: string) => void,
): (sessionId: string) => void {
  const heading = part('session-title', HTMLHeadingElement)
  const deletion = part('delete-session', HTMLButtonElement)
  let facts = ''

  function show(sessionId: string): void {
    const entry = catalog.find(sessionId)
    const title = entry === undefined ? 'This session is not here' : entry.title
    const now = JSON.stringify([sessionId, title, entry?.record.header])
    // Said again, it would only take the focus from its link.
    if (now === facts) return
    facts = now
    heading.textContent = title
    heading.title = title
    fill(
      part('session-facts', HTMLDivElement),
      ...(entry === undefined ? [] : factsOf(entry.record.header)),
      title !== sessionId && h('code', { class: 'id', title: sessionId }, h('bdi', {}, sessionId)),
    )
    deletion.hidden = entry === undefined
  }

  function factsOf(header: SessionHeader): HTMLElement[] {
    const origin = header.parentSession
    return [
      h('bdi', { title: header.cwd }, header.cwd ?? 'no workspace'),
      h('span', {}, formatMinute(header.createdAt)),
      ...(origin === undefined ? [] : [h('span', {}, `${relationOf(header)} `, parentLink(origin))]),
    ]
  }

  function parentLink(parent: string): HTMLElement {
    const title = catalog.find(parent)?.title
    if (title === undefined) return h('bdi', { title: parent }, `${parent}, which is not here`)
    return button({ class: 'text-button', title }, [h('bdi', {}, title)], () => {
      state.go({ session: parent, seq: undefined }, 'push')
    })
  }

  deletion.addEventListener('click', () => {
    const { session } = state.view()
    if (session !== undefined) remove(session)
  })
  return show
}
