import { DurableObject } from 'cloudflare:workers'

/** An object that the tests open corpora in. */
export class TestObject extends DurableObject {}

export default {
  fetch: () => new Response(null, { status: 404 }),
}
