/** The part of the cases' own runner that compares, from beside them. */
declare module 'conformance-check' {
  export type Session = import('../conformance/operations.ts').CaseSession

  export function decode(value: unknown): Session

  export function runCase(
    testCase: object,
    openDriver: (
      setting: import('../conformance/operations.ts').CaseSetting,
    ) => Promise<import('../conformance/operations.ts').Driver>,
    options: { readonly ops: readonly string[] },
  ): Promise<{ readonly ran: number; readonly problems: readonly string[] }>
}
