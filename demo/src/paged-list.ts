import { h } from './dom.ts'

/** A list of any length that renders what is near, and is walked with the arrow keys. */
export interface PagedList<Item> {
  show(items: readonly Item[]): void
  /** Renders up to this item. */
  reveal(index: number): void
  /** Marks the row with this `data-key` as the one that is open. */
  select(key: string | undefined): void
  /** Moves the focus to the open row, else to where it was last, else to the first. */
  focus(): void
}

const pageLength = 200

/**
 * @param rowOf a list item that holds a button of class `row` with a `data-key`
 * @param leave called when the up arrow is pressed on the first row
 */
export function createPagedList<Item>(
  list: HTMLUListElement,
  rowOf: (item: Item) => HTMLLIElement,
  leave?: () => void,
): PagedList<Item> {
  let items: readonly Item[] = []
  let rendered = 0
  let selected: string | undefined
  let stopKey: string | undefined
  const more = h('li', { class: 'more', 'aria-hidden': 'true' })
  new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) renderTo(rendered + pageLength)
  }).observe(more)

  function renderTo(count: number): void {
    const end = Math.min(count, items.length)
    if (end <= rendered) return
    more.before(...items.slice(rendered, end).map(rowOf))
    rendered = end
    if (rendered === items.length) more.remove()
    mark()
  }

  /** Exactly one row is a stop of the Tab key: the open one, else the last that was, else the first. */
  function mark(): void {
    const rows = rowsOf(list)
    for (const row of rows) {
      row.tabIndex = -1
      row.toggleAttribute('aria-current', false)
    }
    const open = rows.find((row) => row.dataset['key'] === selected)
    open?.setAttribute('aria-current', 'true')
    const stop = open ?? rows.find((row) => row.dataset['key'] === stopKey) ?? rows[0]
    if (stop === undefined) return
    stop.tabIndex = 0
    stopKey = stop.dataset['key']
  }

  list.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) stopKey = target.dataset['key'] ?? stopKey
  })
  list.addEventListener('keydown', (event) => {
    walk(event, rowsOf(list), leave)
  })
  return {
    show(next) {
      items = next
      rendered = 0
      list.replaceChildren(more)
      renderTo(pageLength)
      if (items.length === 0) more.remove()
    },
    reveal(index) {
      if (index >= rendered) renderTo(index + pageLength)
    },
    select(key) {
      selected = key
      mark()
      const open = list.querySelector('[aria-current]')
      if (open !== null) bringIntoView(open)
    },
    focus() {
      list.querySelector<HTMLElement>('.row[tabindex="0"]')?.focus()
    },
  }
}

/** A row that can be seen stays where it is; another comes to the middle, with what is around it. */
function bringIntoView(row: Element): void {
  const around = row.closest('.pane-body')?.getBoundingClientRect()
  const { top, bottom } = row.getBoundingClientRect()
  if (around !== undefined && top >= around.top && bottom <= around.bottom) return
  row.scrollIntoView({ block: 'center' })
}

function rowsOf(list: HTMLUListElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('.row')].filter(
    (row) => row.closest('[hidden]') === null,
  )
}

function walk(event: KeyboardEvent, rows: readonly HTMLElement[], leave?: () => void): void {
  const at = rows.findIndex((row) => row === document.activeElement)
  const to = destination(event.key, at, rows.length)
  if (at === -1 || to === undefined) return
  event.preventDefault()
  const row = rows[to]
  if (row === undefined) {
    if (to < 0) leave?.()
    return
  }
  for (const other of rows) other.tabIndex = -1
  row.tabIndex = 0
  row.focus()
}

function destination(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return at + 1
    case 'ArrowUp':
      return at - 1
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
