import type { SessionCorpus } from 'session-query'

/** Says how sessions begin: one look at a time, and only for those that come into view. */
export interface FirstWords {
  fillWhenSeen(element: HTMLElement, sessionId: string): void
}

/** Who begins with more events than these before the first message stays without words. */
const beginning = [
  { kind: 'seq', to: 30 },
  { kind: 'type', values: ['user/message'] },
] as const
const longest = 200

export function createFirstWords(corpus: SessionCorpus): FirstWords {
  const known = new Map<string, Promise<string>>()
  const sessionOf = new WeakMap<Element, string>()
  let queue: Promise<unknown> = Promise.resolve()
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      seen.unobserve(target)
      queue = queue.then(() => fill(target))
    }
  })

  async function fill(element: Element): Promise<void> {
    const sessionId = sessionOf.get(element)
    // Scrolled past and gone before its turn came.
    if (sessionId === undefined || !element.isConnected) return
    const words = known.get(sessionId) ?? firstWords(corpus, sessionId)
    known.set(sessionId, words)
    const text = await words
    if (text !== '') element.textContent = text
  }

  return {
    fillWhenSeen(element, sessionId) {
      sessionOf.set(element, sessionId)
      seen.observe(element)
    },
  }
}

async function firstWords(corpus: SessionCorpus, sessionId: string): Promise<string> {
  try {
    const [first] = await corpus.filterEvents({ sessionId, filters: beginning })
    return (first?.text ?? '').slice(0, longest).replaceAll(/\s+/g, ' ').trim()
  } catch {
    // A log that cannot be read says so when it is opened.
    return ''
  }
}
