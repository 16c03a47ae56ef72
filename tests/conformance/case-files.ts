/** The files of the conformance cases, as text. */
export interface ConformanceFiles {
  /** The part of the runner that compares. */
  readonly check: string
  readonly cases: readonly string[]
  /** The recorded logs that cases name. */
  readonly logs: Readonly<Record<string, string>>
}
