import { onTestFinished } from 'vitest'
import type { SqlDatabase } from '../../src/sql/database.ts'

/** A database that outlives the corpus that uses it, as a file does; it ends with the test. */
export function lasting(db: SqlDatabase): SqlDatabase {
  onTestFinished(() => db.close())
  return new Proxy(db, {
    get(target, name) {
      if (name === 'close') return () => undefined
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
