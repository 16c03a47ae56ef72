import type { ImportReport } from 'session-query/ingest'

import { h } from './dom.ts'
import { formatCount } from './format.ts'

/** What an import did, in a sentence, with what went wrong in a list below. */
export function importSummary(report: ImportReport): HTMLElement {
  const sessions = report.sources.flatMap((source) => source.sessions)
  const problems = report.sources.flatMap((source) =>
    source.problems.map((problem) => ({ source, problem })),
  )
  return h(
    'div',
    {},
    h('p', {}, sentenceOf(sessions)),
    problems.length > 0 &&
      h(
        'details',
        {},
        h('summary', {}, formatCount(problems.length, 'problem')),
        h(
          'ul',
          { class: 'problems' },
          ...problems.map(({ source, problem }) =>
            h(
              'li',
              {},
              h(
                'code',
                {},
                problem.line === undefined ? source.name : `${source.name}:${problem.line}`,
              ),
              ` ${problem.message} `,
              h('small', {}, problem.kind),
            ),
          ),
        ),
      ),
  )
}

function sentenceOf(sessions: ImportReport['sources'][number]['sessions']): string {
  const created = sessions.filter((session) => session.created).length
  const continued = sessions.filter((session) => !session.created && session.appended > 0).length
  const unchanged = sessions.filter((session) => session.appended === 0 && !session.created).length
  const events = sessions.reduce((sum, session) => sum + session.appended, 0)
  const parts = [
    `${formatCount(created, 'session')} added`,
    continued > 0 ? `${formatCount(continued, 'session')} continued` : '',
    formatCount(events, 'new event'),
    unchanged > 0 ? `${formatCount(unchanged, 'session')} unchanged` : '',
  ]
  return `${parts.filter((text) => text !== '').join(', ')}.`
}
