declare namespace Cloudflare {
  interface Env {
    readonly OBJECTS: DurableObjectNamespace
    readonly CORPORA: DurableObjectNamespace
    readonly FIXTURES: Fetcher
  }
}
