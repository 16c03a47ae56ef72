import type { Catalog, Entry } from './catalog.ts'
import { fill, h, part } from './dom.ts'
import { formatCount } from './format.ts'

/** The session on whose behalf the tools are called. */
export interface AgentCaller {
  id(): string | undefined
  /** Offers the sessions that there are, and takes this one, else the one it had, else the newest. */
  offer(wanted: string | undefined): void
}

/** @param changed called when the person takes another session */
export function createAgentCaller(catalog: Catalog, changed: () => void): AgentCaller {
  const select = part('agent-session', HTMLSelectElement)
  const sight = part('agent-sight', HTMLParagraphElement)

  function id(): string | undefined {
    return select.value === '' ? undefined : select.value
  }

  /** What the tools can show on its behalf. */
  function showSight(): void {
    const cwd = catalog.find(select.value)?.record.header.cwd
    if (cwd === undefined) {
      sight.textContent = 'It has no workspace. The tools show that session; nothing else.'
      return
    }
    const others = catalog.entries().filter(({ record }) => record.header.cwd === cwd).length - 1
    fill(
      sight,
      others === 0
        ? 'The tools show that session, the only one of its workspace, '
        : `The tools show that session, and ${formatCount(others, 'other')} of the same workspace, `,
      h('bdi', {}, cwd),
      '; nothing else.',
    )
  }

  select.addEventListener('change', () => {
    showSight()
    changed()
  })
  return {
    id,
    offer(wanted) {
      const entries = catalog.entries()
      const before = id()
      fill(select, ...groupsOf(entries))
      const here = [wanted, before].find((one) => one !== undefined && catalog.find(one) !== undefined)
      select.value = here ?? entries[0]?.record.header.id ?? ''
      showSight()
    },
  }
}

/** One group for each workspace, in the order of their newest sessions. */
function groupsOf(entries: readonly Entry[]): HTMLElement[] {
  const groups = new Map<string | undefined, HTMLOptionElement[]>()
  for (const { record, title, ambiguous } of entries) {
    const { id, cwd } = record.header
    const option = h('option', { value: id }, ambiguous && title !== id ? `${title} (${id})` : title)
    const group = groups.get(cwd)
    if (group === undefined) groups.set(cwd, [option])
    else group.push(option)
  }
  return Array.from(groups, ([cwd, options]) =>
    h('optgroup', { label: cwd ?? 'no workspace' }, ...options),
  )
}
