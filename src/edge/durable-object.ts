import type { AlarmStorage, DurableStorage } from './durable-storage.ts'

/** What the runtime gives an object when it makes one. */
export interface ObjectContext {
  readonly storage: DurableStorage & AlarmStorage
}

export type DurableObjectClass = new (ctx: ObjectContext, env: unknown) => BrandedObject

/** By this the runtime's types know the classes that a namespace may be of; no object has it. */
export interface BrandedObject {
  readonly __DURABLE_OBJECT_BRAND: never
}

/**
 * The class whose heirs can be called from other Workers. It is the runtime's own, and cannot be had elsewhere: there,
 * as in Node, one that does nothing stands in, so that the module can be imported and its types used.
 */
export const DurableObject = await durableObject()

async function durableObject(): Promise<DurableObjectClass> {
  try {
    return (await import('cloudflare:workers')).DurableObject
  } catch {
    return Object as unknown as DurableObjectClass
  }
}
