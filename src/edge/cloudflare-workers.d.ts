/** What the runtime gives; here by what is used of it, so that no vendor's types are needed. */
declare module 'cloudflare:workers' {
  export const DurableObject: import('./durable-object.ts').DurableObjectClass
}
