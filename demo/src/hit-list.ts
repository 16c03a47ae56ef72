import { fill, h, part } from './dom.ts'
import { formatCount } from './format.ts'
import { hitRow, type HitRow } from './hit-row.ts'
import { errorNote } from './notices.ts'
import { createWindowedList } from './windowed-list.ts'

interface Parts {
  readonly list: HTMLUListElement
  readonly count: HTMLElement
  readonly note: HTMLElement
}

interface HitKind {
  /** What one hit is. */
  readonly one: string
  readonly limit: number
  readonly open: (row: HitRow) => void
}

/** What a search found in one place, or why it shows nothing. */
export interface HitList {
  /** While there is no answer yet, and nothing of an earlier one. */
  wait(): void
  show(rows: readonly HitRow[], about: About): void
  fail(error: unknown): void
  hide(): void
  select(key: string | undefined): void
  focus(): void
}

interface About {
  /** The answer to what was answered before: it keeps its place. */
  readonly again: boolean
  /** Whether the query holds a word. */
  readonly searchable: boolean
  readonly phrase: boolean
}

export function createHitList({ list, count, note }: Parts, { one, limit, open }: HitKind): HitList {
  const rows = createWindowedList<HitRow>(list, {
    keyOf: ({ key }) => key,
    rowOf: (row) =>
      hitRow(row, () => {
        open(row)
      }),
    leave: () => {
      part('query', HTMLInputElement).focus()
    },
  })

  function showInstead(said: string, why: HTMLElement | false): void {
    list.hidden = true
    count.textContent = said
    note.hidden = false
    fill(note, why)
  }

  return {
    wait() {
      showInstead('Searching…', false)
    },
    show(found, { again, searchable, phrase }) {
      if (found.length === 0) return showInstead('', emptyNote(searchable, phrase, one))
      list.hidden = false
      if (again) rows.update(found)
      else rows.show(found)
      const most = found.length === limit
      count.textContent = `${most ? 'best ' : ''}${formatCount(found.length, one)}`
      note.hidden = !most
      fill(
        note,
        most &&
          h('p', { class: 'hint' }, `These are the best ${limit}; narrow the search to see others.`),
      )
    },
    fail(error) {
      showInstead('', errorNote('The search failed.', error))
    },
    hide() {
      list.hidden = true
      note.hidden = true
      fill(note)
    },
    select: (key) => {
      rows.select(key)
    },
    focus: () => {
      rows.focus()
    },
  }
}

function emptyNote(searchable: boolean, phrase: boolean, one: string): HTMLElement {
  const why = searchable
    ? `No ${one === 'session' ? 'event' : 'event of this session'} holds ${phrase ? 'exactly this phrase' : 'any of these words'}.`
    : 'There is no word to look for yet: type a letter, a digit or an emoji.'
  return h('p', { class: 'hint' }, why)
}
