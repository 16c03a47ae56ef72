import { button, h, type Child } from './dom.ts'
import { formatBytes } from './format.ts'

/** Laying out more than this takes the page longer than a person wants to wait unasked. */
const shownLength = 50_000

/**
 * A text of any length: all of it, or its beginning with a button that shows the rest.
 *
 * @param element gets the text, and the focus when the rest is shown
 * @param render the children for a piece of the text
 */
export function longText(
  element: HTMLElement,
  text: string,
  render: (text: string) => readonly Child[] = (piece) => [piece],
): HTMLElement[] {
  if (text.length <= shownLength) {
    element.append(...nodes(render(text)))
    return [element]
  }
  element.append(...nodes(render(wholeCharacters(text.slice(0, shownLength)))), '…')
  const size = formatBytes(new Blob([text]).size)
  const more = h(
    'p',
    { class: 'show-all' },
    button({ class: 'button' }, [`Show all (${size})`], () => {
      // Coloured or not: so much of it is only ever looked through.
      element.textContent = text
      element.tabIndex = -1
      element.focus({ preventScroll: true })
      more.remove()
    }),
  )
  return [element, more]
}

function nodes(children: readonly Child[]): (Node | string)[] {
  return children.filter((child) => child !== undefined && child !== false)
}

function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '')
}
