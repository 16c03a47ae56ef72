import type { SessionCorpus } from 'session-query'

import { hitPlace, type AppState } from './app-state.ts'
import type { Catalog, Entry } from './catalog.ts'
import { button, h, part } from './dom.ts'
import { createFirstWords } from './first-words.ts'
import { formatMinute, formatNumber, formatShortId, formatWorkspace } from './format.ts'
import { lineageOf } from './lineage.ts'
import { createWindowedList } from './windowed-list.ts'

export interface SessionList {
  focus(): void
}

/** All sessions, newest first. */
export function createSessionList(
  corpus: SessionCorpus,
  state: AppState,
  catalog: Catalog,
): SessionList {
  const element = part('sessions', HTMLUListElement)
  const firstWords = createFirstWords(corpus)
  const list = createWindowedList<Entry>(element, {
    keyOf: ({ record }) => record.header.id,
    rowOf,
    leave: () => {
      part('query', HTMLInputElement).focus()
    },
  })

  function rowOf(entry: Entry): HTMLLIElement {
    const { header } = entry.record
    const lineage = lineageOf(header, catalog)
    const open = button(
      { class: 'row' },
      [
        titleOf(entry),
        h(
          'span',
          { class: 'meta' },
          h('bdi', { title: header.cwd }, formatWorkspace(header.cwd)),
          entry.ambiguous && h('bdi', { class: 'id', title: header.id }, formatShortId(header.id)),
          h('span', {}, formatMinute(header.createdAt)),
        ),
        lineage !== undefined && h('span', { class: 'lineage' }, lineage),
      ],
      () => {
        state.go({ session: header.id, seq: undefined }, 'push')
      },
    )
    return h('li', {}, open)
  }

  /** What a session is known by: its title, else how it began, which is looked up when it is seen. */
  function titleOf({ record, title, untitled }: Entry): HTMLElement {
    if (!untitled) return h('span', { class: 'title', dir: 'auto', title }, title)
    const words = h('span', { class: 'title none', dir: 'auto' }, 'untitled')
    firstWords.fillWhenSeen(words, record.header.id)
    return words
  }

  function showHeading(): void {
    const searching = hitPlace(state.view()) === 'sessions'
    element.hidden = searching
    part('list-heading', HTMLHeadingElement).textContent = searching ? 'Matches' : 'Sessions'
    if (searching) return
    part('list-count', HTMLParagraphElement).textContent = formatNumber(catalog.entries().length)
  }

  catalog.onChange(() => {
    list.update(catalog.entries())
    showHeading()
    list.select(state.view().session)
  })
  state.onChange((view, before) => {
    showHeading()
    // A list that comes back shows the session that is open.
    if (view.session !== before.session || hitPlace(view) !== hitPlace(before))
      list.select(view.session)
  })
  return list
}
