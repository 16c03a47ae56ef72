/** What the runtime gives; here by what is used of it, so that no vendor's types are needed. */
declare module 'cloudflare:workers' {
  export { DurableObjectClass as DurableObject } from './durable-object.ts'
}
