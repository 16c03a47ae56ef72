import { env, runInDurableObject } from 'cloudflare:test'
import type { AlarmStorage, DurableStorage } from '../../src/edge/index.ts'

let storage: DurableObjectStorage | undefined

/** Runs something where the storage of an object can be used: in the object of this name. */
export async function inObject<Result>(
  name: string,
  body: (storage: DurableObjectStorage) => Promise<Result>,
): Promise<Result> {
  const stub = env.OBJECTS.get(env.OBJECTS.idFromName(name))
  return runInDurableObject(stub, async (_object, state) => {
    storage = state.storage
    return body(state.storage)
  })
}

/** The storage as an object has it that was put out of memory meanwhile. */
export function anew(of: DurableObjectStorage): DurableStorage & AlarmStorage {
  return {
    sql: of.sql,
    transactionSync: (body) => of.transactionSync(body),
    getAlarm: () => of.getAlarm(),
    setAlarm: (time) => of.setAlarm(time),
  }
}

/** The storage of the object that runs now. */
export function testStorage(): DurableObjectStorage {
  if (storage === undefined) throw new Error('Nothing runs in an object.')
  return storage
}
