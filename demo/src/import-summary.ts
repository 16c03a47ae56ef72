import type { ImportProblem, ImportReport, ImportTotals } from 'session-query/ingest'

import { h } from './dom.ts'
import { formatCount } from './format.ts'

/** What an import did, in a sentence, with what went wrong in a list below. */
export function importSummary({ sources, totals }: ImportReport): HTMLElement {
  const summary = h('div', {}, h('p', {}, sentenceOf(totals)))
  if (totals.problems === 0) return summary
  const items = sources.flatMap(({ name, problems, problemsOmitted }) => [
    ...problems.map((problem) => problemItem(name, problem)),
    ...(problemsOmitted > 0
      ? [h('li', {}, `and ${formatCount(problemsOmitted, 'more problem')} in ${name}`)]
      : []),
  ])
  summary.append(
    h(
      'details',
      {},
      h('summary', {}, formatCount(totals.problems, 'problem')),
      h('ul', { class: 'problems' }, ...items),
    ),
  )
  return summary
}

function problemItem(source: string, { line, message, kind }: ImportProblem): HTMLLIElement {
  return h('li', {}, h('code', {}, `${source}:${line}`), ` ${message} `, h('small', {}, kind))
}

function sentenceOf({ created, appended, unchanged, leftOut }: ImportTotals): string {
  if (created === 0 && appended === 0 && leftOut === 0) {
    return unchanged === 0
      ? 'Nothing was found to import.'
      : `Nothing new: ${formatCount(unchanged, 'event')} already there.`
  }
  const parts = [
    `${formatCount(created, 'session')} added`,
    formatCount(appended, 'new event'),
    unchanged > 0 ? `${formatCount(unchanged, 'event')} already there` : '',
    leftOut > 0 ? `${formatCount(leftOut, 'event')} left out` : '',
  ]
  return `${parts.filter((text) => text !== '').join(', ')}.`
}
