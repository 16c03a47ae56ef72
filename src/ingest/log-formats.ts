/** A format that `importLogs` reads. Which one a source has is told from its content, not its name. */
export interface LogFormat {
  readonly id: string
  /** For people. */
  readonly label: string
  /** Usual endings of file names, with the dot; of use for the `accept` of a file input. */
  readonly extensions: readonly string[]
}

/** The formats that `importLogs` reads. */
export const logFormats: readonly LogFormat[] = [
  { id: 'deepseek-harness', label: 'DeepSeek Harness session log', extensions: ['.jsonl'] },
  {
    id: 'deepseek-harness-zstd',
    label: 'DeepSeek Harness session log, Zstandard-compressed',
    extensions: ['.jsonl.zstd', '.jsonl.zst'],
  },
]
