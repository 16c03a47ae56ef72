import { h } from './dom.ts'
import { scrollerOf } from './scroller.ts'

/** A list of any length that renders what is near, and is walked with the arrow keys. */
export interface WindowedList<Item> {
  /** Shows other items, from the top. */
  show(items: readonly Item[]): void
  /** Shows what became of the same items: what is in view stays there, and the focus where it is. */
  update(items: readonly Item[]): void
  /** Marks the item with this key as the one that is open, and brings it into view. */
  select(key: string | undefined): void
  /** Moves the focus to the open row, else to where it was last, else to the first. */
  focus(): void
}

export interface ListKind<Item> {
  readonly keyOf: (item: Item) => string
  /** A list item that holds one button of class `row`. */
  readonly rowOf: (item: Item) => HTMLLIElement
  /** Called with the items whose rows were just made. */
  readonly rendered?: (items: readonly Item[]) => void
  /** Called when the up arrow is pressed on the first row. */
  readonly leave?: () => void
}

const windowLength = 200
const growth = 100

export function createWindowedList<Item>(
  list: HTMLUListElement,
  kind: ListKind<Item>,
): WindowedList<Item> {
  let items: readonly Item[] = []
  let indexOf = new Map<string, number>()
  let first = 0
  let end = 0
  let openKey: string | undefined
  let stopKey: string | undefined
  const rows = new Map<string, HTMLElement>()
  const earlier = h('li', { class: 'more', 'aria-hidden': 'true' })
  const later = h('li', { class: 'more', 'aria-hidden': 'true' })
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) (target === earlier ? growUp : growDown)()
    }
  })
  near.observe(earlier)
  near.observe(later)

  function take(next: readonly Item[]): void {
    items = next
    indexOf = new Map(next.map((item, index) => [kind.keyOf(item), index]))
  }

  /** Renders the window around this index and nothing else. */
  function renderAround(index: number): void {
    const focused = focusedKey()
    rows.clear()
    first = Math.max(0, Math.min(index - windowLength / 2, items.length - windowLength))
    end = Math.min(items.length, first + windowLength)
    list.replaceChildren(earlier, ...make(first, end), later)
    mark()
    if (focused !== undefined) (rows.get(focused) ?? stop())?.focus({ preventScroll: true })
  }

  function growUp(): void {
    const from = Math.max(0, first - growth)
    if (from === first) return
    const top = list.querySelector('.row')
    const before = top?.getBoundingClientRect().top ?? 0
    earlier.after(...make(from, first))
    first = from
    mark()
    scrollerOf(list).scrollTop += (top?.getBoundingClientRect().top ?? 0) - before
  }

  function growDown(): void {
    const to = Math.min(items.length, end + growth)
    if (to === end) return
    later.before(...make(end, to))
    end = to
    mark()
  }

  function make(from: number, to: number): HTMLLIElement[] {
    const made = items.slice(from, to)
    const elements = made.map((item, offset) => {
      const element = kind.rowOf(item)
      element.ariaPosInSet = String(from + offset + 1)
      element.ariaSetSize = String(items.length)
      const row = element.querySelector<HTMLElement>('.row')
      if (row === null) throw new Error('A list item has no row.')
      row.dataset['key'] = kind.keyOf(item)
      row.tabIndex = -1
      rows.set(kind.keyOf(item), row)
      return element
    })
    kind.rendered?.(made)
    return elements
  }

  /** Marks the open row, and makes exactly one row a stop of the Tab key. */
  function mark(): void {
    earlier.hidden = first === 0
    later.hidden = end === items.length
    list.querySelector('[aria-current]')?.removeAttribute('aria-current')
    if (openKey !== undefined) rows.get(openKey)?.setAttribute('aria-current', 'true')
    list.querySelector('.row[tabindex="0"]')?.setAttribute('tabindex', '-1')
    stop()?.setAttribute('tabindex', '0')
  }

  function stop(): HTMLElement | undefined {
    return (stopKey === undefined ? undefined : rows.get(stopKey)) ?? rows.values().next().value
  }

  function focusedKey(): string | undefined {
    const { activeElement } = document
    if (!(activeElement instanceof HTMLElement) || !list.contains(activeElement)) return undefined
    return activeElement.dataset['key']
  }

  /** The row of an index, rendered if need be. */
  function reach(index: number): HTMLElement | undefined {
    const item = items[index]
    if (item === undefined) return undefined
    if (index === end) growDown()
    else if (index === first - 1) growUp()
    if (index < first || index >= end) renderAround(index)
    return rows.get(kind.keyOf(item))
  }

  /** The first row in view that will still be there, and where it stands. */
  function place(
    still: ReadonlySet<string>,
  ): { readonly key: string; readonly top: number } | undefined {
    const scroller = scrollerOf(list)
    if (first === 0 && scroller.scrollTop === 0) return undefined
    const edge = scroller === document.scrollingElement ? 0 : scroller.getBoundingClientRect().top
    for (const [key, row] of inOrder()) {
      const { top, bottom } = row.getBoundingClientRect()
      if (bottom > edge && still.has(key)) return { key, top }
    }
    return undefined
  }

  function inOrder(): [string, HTMLElement][] {
    return [...list.querySelectorAll<HTMLElement>('.row')].map((row) => [row.dataset['key'] ?? '', row])
  }

  list.addEventListener('focusin', () => {
    stopKey = focusedKey() ?? stopKey
    mark()
  })
  list.addEventListener('keydown', (event) => {
    const at = indexOf.get(focusedKey() ?? '')
    const to = at === undefined ? undefined : destination(event.key, at, items.length)
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (to < 0) kind.leave?.()
    else reach(to)?.focus()
  })
  return {
    show(next) {
      take(next)
      renderAround(0)
      if (list.checkVisibility()) scrollerOf(list).scrollTop = 0
    },
    update(next) {
      const kept = place(new Set(next.map(kind.keyOf)))
      take(next)
      renderAround(kept === undefined ? 0 : (indexOf.get(kept.key) ?? 0))
      const row = kept === undefined ? undefined : rows.get(kept.key)
      if (kept === undefined || row === undefined) return
      scrollerOf(list).scrollTop += row.getBoundingClientRect().top - kept.top
    },
    select(key) {
      openKey = key
      stopKey = key ?? stopKey
      const row = key === undefined ? undefined : reach(indexOf.get(key) ?? -1)
      mark()
      if (row?.checkVisibility() === true) bringIntoView(row)
    },
    focus() {
      const index = indexOf.get(stopKey ?? '')
      if (index !== undefined) reach(index)
      stop()?.focus()
    },
  }
}

/** A row that can be seen stays where it is; another comes to the middle, with what is around it. */
function bringIntoView(row: Element): void {
  const around = row.closest('.pane-body')?.getBoundingClientRect()
  const { top, bottom } = row.getBoundingClientRect()
  const end = Math.min(around?.bottom ?? 0, window.innerHeight)
  if (around !== undefined && top >= Math.max(around.top, 0) && bottom <= end) return
  row.scrollIntoView({ block: 'center' })
}

function destination(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, count - 1)
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
