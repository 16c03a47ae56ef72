import { DurableObject } from 'cloudflare:workers'
import { SessionCorpusObject } from '../../src/edge/index.ts'

/** An object that the tests open corpora in. */
export class TestObject extends DurableObject {}

/** One that is a corpus, and more. */
export class CorpusObject extends SessionCorpusObject<Cloudflare.Env, DurableObjectState> {
  isNamed(name: string): boolean {
    return this.env.CORPORA.idFromName(name).equals(this.ctx.id)
  }
}

// The runtime takes a Worker as the default export of a module.
// oxlint-disable-next-line import/no-default-export
export default {
  fetch: (): Response => new Response(null, { status: 404 }),
}
