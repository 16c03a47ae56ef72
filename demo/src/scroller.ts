/** What scrolls a part of a pane: the pane itself, or the page where it scrolls as a whole. */
export function scrollerOf(element: Element): Element {
  const body = element.closest('.pane-body')
  if (body !== null && getComputedStyle(body).overflowY !== 'visible') return body
  return document.scrollingElement ?? document.documentElement
}
