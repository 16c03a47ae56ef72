import { part } from './dom.ts'

/**
 * Keeps the focus on the page: when what holds it goes away, by whomever, the heading of what is in
 * front then gets it. Where the person has taken the focus away, it stays away.
 */
export function keepFocus(): void {
  let last: Element | undefined
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) last = target
  })
  new MutationObserver(() => {
    if (last === undefined || canHold(last)) return
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body || activeElement === last)
      focusFront()
  }).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['hidden', 'open', 'data-stage', 'data-open', 'data-front'],
  })
}

/** Moves the focus to the heading of what is in front. */
function focusFront(): void {
  const content = part('content', HTMLElement)
  const { stage, front } = document.body.dataset
  const heading =
    stage === 'ready'
      ? content.querySelector<HTMLElement>(`[data-pane="${front}"] h2`)
      : content.querySelector<HTMLElement>('#stage h2')
  if (heading === null) return content.focus()
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

function canHold(element: Element): boolean {
  return element.isConnected && element.checkVisibility({ visibilityProperty: true })
}
