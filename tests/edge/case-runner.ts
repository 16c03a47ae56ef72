import type { CaseSession, CaseSetting, Driver } from '../conformance/operations.ts'

/**
 * Stands in for the runner of the recorded cases, which is beside them: where there are cases, it is imported in the
 * place of this module.
 */
export function decode(value: unknown): CaseSession {
  throw new Error(`There is nothing to decode ${String(value)} with.`)
}

export async function runCase(
  testCase: object,
  _openDriver: (setting: CaseSetting) => Promise<Driver>,
  _options: { readonly ops: readonly string[] },
): Promise<{ readonly ran: number; readonly problems: readonly string[] }> {
  throw new Error(`There is nothing to run ${JSON.stringify(testCase)} with.`)
}
