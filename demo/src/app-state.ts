/** What the page shows. All of it is in the address, so that reload, links and Back work. */
export interface View {
  readonly session?: string | undefined
  readonly seq?: number | undefined
  readonly query: string
  readonly scope: 'all' | 'session'
  /** The words have to stand together, in order. */
  readonly phrase: boolean
  /** What was found goes before what is open, where there is no room for both. */
  readonly found: boolean
}

/** Where the hits of a search are shown. */
export type HitPlace = 'none' | 'sessions' | 'events'

export interface AppState {
  view(): View
  /** `push` makes a step that Back undoes; `replace`, for typing and stepping, does not. */
  go(change: Change, how: 'push' | 'replace'): void
  onChange(listener: (view: View, before: View) => void): void
}

type Change = Partial<Omit<View, 'found'>>

// A longer one is searched all the same, but makes no link that anybody could pass on.
const longestQueryInAddress = 1_000

export function createAppState(): AppState {
  const listeners: ((view: View, before: View) => void)[] = []
  let view = viewOf(location.hash)

  function show(next: View): void {
    const before = view
    view = next
    for (const listener of listeners) listener(view, before)
  }

  window.addEventListener('popstate', () => {
    show(viewOf(location.hash))
  })
  return {
    view: () => view,
    go(change, how) {
      const next = settled({
        ...view,
        ...change,
        found: 'query' in change || 'scope' in change || 'phrase' in change,
      })
      if (JSON.stringify(next) === JSON.stringify(view)) return
      if (how === 'push') history.pushState(null, '', hashOf(next))
      else history.replaceState(null, '', hashOf(next))
      show(next)
    },
    onChange(listener) {
      listeners.push(listener)
    },
  }
}

export function hitPlace({ query, scope }: View): HitPlace {
  if (query.trim() === '') return 'none'
  return scope === 'session' ? 'events' : 'sessions'
}

function viewOf(hash: string): View {
  const values = new URLSearchParams(hash.slice(1))
  const seq = values.get('seq')
  return settled({
    session: values.get('session') ?? undefined,
    // One that no event can have is asked for as well: the answer says so.
    seq: seq !== null && /^-?\d{1,15}$/.test(seq) ? Number(seq) : undefined,
    query: values.get('q') ?? '',
    scope: values.get('in') === 'session' ? 'session' : 'all',
    phrase: values.get('match') === 'phrase',
    found: values.has('found'),
  })
}

function hashOf(view: View): string {
  const values = new URLSearchParams()
  if (view.query !== '' && view.query.length <= longestQueryInAddress) values.set('q', view.query)
  if (view.scope === 'session') values.set('in', 'session')
  if (view.phrase) values.set('match', 'phrase')
  if (view.session !== undefined) values.set('session', view.session)
  if (view.seq !== undefined) values.set('seq', String(view.seq))
  if (view.found && view.session !== undefined) values.set('found', '')
  return `#${values}`
}

/** Without a session there is no event of it and nothing to search within. */
function settled(view: View): View {
  const found = view.found && view.query.trim() !== ''
  if (view.session === undefined || view.session === '')
    return { ...view, found, session: undefined, seq: undefined, scope: 'all' }
  return { ...view, found }
}
