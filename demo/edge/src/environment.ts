import type { WorkspaceCorpus } from './worker.ts'

/** What wrangler.jsonc binds, and the secret. */
export interface Environment {
  readonly CORPORA: DurableObjectNamespace<WorkspaceCorpus>
  /** What tokens are signed with, of 32 bytes or more; undefined until it is put. */
  readonly TOKEN_SECRET?: string
}
