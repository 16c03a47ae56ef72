import type { CorpusObject } from './worker.ts'

declare global {
  namespace Cloudflare {
    interface Env {
      readonly OBJECTS: DurableObjectNamespace
      readonly CORPORA: DurableObjectNamespace<CorpusObject>
      readonly FIXTURES: Fetcher
    }
  }
}
