import type { ImportProblem, ImportReport, ImportTotals, SourceReport } from 'session-query/ingest'

import { h } from './dom.ts'
import { formatCount } from './format.ts'

export interface ImportOutcome {
  /** `failed` when nothing could be taken, `problems` when there is something to read up. */
  readonly kind: 'done' | 'problems' | 'failed'
  readonly content: HTMLElement
}

/** Problems of one source that are listed at once. */
const listedAtOnce = 20

/** What an import did, in a sentence, with what went wrong in a list below. */
export function importSummary({ sources, totals }: ImportReport): ImportOutcome {
  const { created, appended, unchanged, problems, sessions } = totals
  const nothing = created + appended + unchanged === 0 && (problems > 0 || sessions === 0)
  const empty = sources.filter((source) => source.sessions.length === 0 && source.problems.length === 0)
  const sentences = [sentenceOf(sources, totals, nothing), ...empty.map(emptyText)]
  const content = h('div', {}, h('p', {}, sentences.filter((text) => text !== '').join(' ')))
  if (problems > 0) {
    content.append(
      h(
        'details',
        { open: nothing && problems <= listedAtOnce },
        h('summary', {}, formatCount(problems, 'problem')),
        ...sources.flatMap(problemLists),
      ),
    )
  }
  const kind = nothing ? 'failed' : problems > 0 || empty.length > 0 ? 'problems' : 'done'
  return { kind, content }
}

function sentenceOf(
  sources: readonly SourceReport[],
  { created, appended, unchanged, leftOut, problems }: ImportTotals,
  nothing: boolean,
): string {
  if (nothing) return problems === 0 ? '' : `Nothing could be imported from ${namesOf(sources)}.`
  if (created === 0 && appended === 0 && leftOut === 0)
    return `Nothing new: ${formatCount(unchanged, 'event')} already there.`
  const parts = [
    `${formatCount(created, 'session')} added`,
    formatCount(appended, 'new event'),
    unchanged > 0 ? `${formatCount(unchanged, 'event')} already there` : '',
    leftOut > 0 ? `${formatCount(leftOut, 'event')} left out` : '',
  ]
  return `${parts.filter((text) => text !== '').join(', ')}.`
}

function emptyText({ name, bytesRead }: SourceReport): string {
  return bytesRead === 0 ? `${name} is empty.` : `${name} holds no session.`
}

function namesOf(sources: readonly SourceReport[]): string {
  const [first, ...rest] = sources.map(({ name }) => name)
  return rest.length === 0 ? (first ?? '') : `${first} and ${formatCount(rest.length, 'other file')}`
}

function problemLists({ name, problems, problemsOmitted }: SourceReport): HTMLElement[] {
  if (problems.length === 0) return []
  const list = h(
    'ul',
    { class: 'problems' },
    ...problems.map((problem) => problemItem(name, problem)),
    problemsOmitted > 0 &&
      h('li', {}, `and ${formatCount(problemsOmitted, 'more problem')} in ${name}`),
  )
  if (problems.length <= listedAtOnce) return [list]
  const count = formatCount(problems.length + problemsOmitted, 'problem')
  return [h('details', {}, h('summary', {}, `Show ${count} of ${name}`), list)]
}

function problemItem(source: string, { line, message, kind }: ImportProblem): HTMLLIElement {
  return h('li', {}, h('code', {}, `${source}:${line}`), ` ${message} `, h('small', {}, kind))
}
