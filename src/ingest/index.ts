export { importLogs, type ImportOptions, type ImportProgress } from './import-logs.ts'
export { logFormats, type LogFormat } from './log-formats.ts'
export type {
  ImportProblem,
  ImportReport,
  ImportTotals,
  ProblemKind,
  SessionReport,
  SourceReport,
} from './report.ts'
export type { LogSource, LogSources } from './sources.ts'
export type { ImportTarget } from './store-batch.ts'
