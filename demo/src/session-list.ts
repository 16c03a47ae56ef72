import type { AppState } from './app-state.ts'
import { untitled, type Catalog, type Entry } from './catalog.ts'
import { button, h, part } from './dom.ts'
import { formatCount, formatDay, formatWorkspace } from './format.ts'
import { lineageOf } from './lineage.ts'
import { createPagedList } from './paged-list.ts'

export interface SessionList {
  focus(): void
}

/** All sessions, newest first. */
export function createSessionList(state: AppState, catalog: Catalog): SessionList {
  const element = part('sessions', HTMLUListElement)
  const list = createPagedList<Entry>(element, rowOf, () => {
    part('query', HTMLInputElement).focus()
  })

  function rowOf(entry: Entry): HTMLLIElement {
    const { header } = entry.record
    const lineage = lineageOf(header, catalog)
    const open = button(
      { class: 'row', 'data-key': header.id },
      [
        h('span', { class: entry.title === untitled ? 'title none' : 'title' }, entry.title),
        h(
          'span',
          { class: 'meta' },
          h('span', { title: header.cwd }, formatWorkspace(header.cwd)),
          h('span', {}, formatDay(header.createdAt)),
        ),
        lineage !== undefined && h('span', { class: 'lineage' }, lineage),
      ],
      () => {
        state.go({ session: header.id, seq: undefined }, 'push')
      },
    )
    return h('li', {}, open)
  }

  function select(): void {
    const { session } = state.view()
    list.reveal(catalog.entries().findIndex(({ record }) => record.header.id === session))
    list.select(session)
  }

  catalog.onChange(() => {
    list.show(catalog.entries())
    select()
    showHeading()
  })
  state.onChange((view, before) => {
    if (view.session !== before.session) select()
    showHeading()
  })

  function showHeading(): void {
    const { query, scope } = state.view()
    const searching = query.trim() !== '' && scope === 'all'
    element.hidden = searching
    part('list-heading', HTMLHeadingElement).textContent = searching ? 'Matches' : 'Sessions'
    if (!searching) {
      part('list-count', HTMLParagraphElement).textContent = formatCount(
        catalog.entries().length,
        'session',
      )
    }
  }

  return list
}
