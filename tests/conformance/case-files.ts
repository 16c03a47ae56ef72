import type { SessionEvent, SessionHeader } from '../../src/core/session.ts'
import type { CaseSession, CaseSetting, Driver } from './operations.ts'

/** The files of the conformance cases, as text. */
export interface ConformanceFiles {
  /** The part of the runner that compares. */
  readonly check: string
  readonly cases: readonly string[]
  /** The recorded logs that cases name. */
  readonly logs: Readonly<Record<string, string>>
}

/** What is used of the runner of the cases. */
export interface CaseRunner {
  readonly decode: (value: unknown) => CaseSession
  readonly runCase: (
    testCase: object,
    openDriver: (setting: CaseSetting) => Promise<Driver>,
    options: { readonly ops: readonly string[] },
  ) => Promise<CaseResult>
}

interface CaseResult {
  readonly ran: number
  readonly problems: readonly string[]
}

interface Case {
  readonly sessions: readonly (
    CaseSession | ({ readonly $log: string } & Pick<CaseSession, 'live' | 'persisted'>)
  )[]
}

/** Runs every case: reads, searches and tools. */
export async function runCases(
  { cases, logs }: ConformanceFiles,
  { decode, runCase }: CaseRunner,
  openDriver: (setting: CaseSetting) => Promise<Driver>,
): Promise<CaseResult> {
  const problems: string[] = []
  let ran = 0
  for (const text of cases) {
    const testCase = JSON.parse(text) as Case
    const sessions = testCase.sessions.map((entry) =>
      '$log' in entry
        ? { ...logIn(logs[entry.$log] ?? ''), live: entry.live, persisted: entry.persisted }
        : decode(entry),
    )
    const result = await runCase({ ...testCase, sessions }, openDriver, {
      ops: ['reads', 'search', 'tools'],
    })
    ran += result.ran
    problems.push(...result.problems)
  }
  return { ran, problems }
}

function logIn(text: string): { header: SessionHeader; events: SessionEvent[] } {
  const [first, ...events] = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)
  const { type: _type, ...header } = first as SessionHeader & { type: string }
  return { header, events: events as SessionEvent[] }
}
