/** What the page shows. All of it is in the address, so that reload, links and Back work. */
export interface View {
  readonly session?: string | undefined
  readonly seq?: number | undefined
  readonly query: string
  readonly scope: 'all' | 'session'
  /** The words have to stand together, in order. */
  readonly phrase: boolean
}

export interface AppState {
  view(): View
  /** `push` makes a step that Back undoes; `replace`, for typing and stepping, does not. */
  go(change: Partial<View>, how: 'push' | 'replace'): void
  onChange(listener: (view: View, before: View) => void): void
}

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
      const next = settled({ ...view, ...change })
      const hash = hashOf(next)
      if (hash === hashOf(view)) return
      if (how === 'push') history.pushState(null, '', hash)
      else history.replaceState(null, '', hash)
      show(next)
    },
    onChange(listener) {
      listeners.push(listener)
    },
  }
}

function viewOf(hash: string): View {
  const values = new URLSearchParams(hash.slice(1))
  const seq = values.get('seq')
  return settled({
    session: values.get('session') ?? undefined,
    seq: seq !== null && /^\d{1,15}$/.test(seq) ? Number(seq) : undefined,
    query: values.get('q') ?? '',
    scope: values.get('in') === 'session' ? 'session' : 'all',
    phrase: values.get('match') === 'phrase',
  })
}

function hashOf(view: View): string {
  const values = new URLSearchParams()
  if (view.query !== '') values.set('q', view.query)
  if (view.scope === 'session') values.set('in', 'session')
  if (view.phrase) values.set('match', 'phrase')
  if (view.session !== undefined) values.set('session', view.session)
  if (view.seq !== undefined) values.set('seq', String(view.seq))
  return `#${values}`
}

/** Without a session there is no event of it and nothing to search within. */
function settled(view: View): View {
  return view.session === undefined ? { ...view, seq: undefined, scope: 'all' } : view
}
