/**
 * What is used of a Durable Object's storage, `ctx.storage`, by shape alone.
 *
 * @see https://developers.cloudflare.com/durable-objects/api/sqlite-storage-api/
 */
export interface DurableStorage {
  readonly sql: DurableSql
  transactionSync<Result>(body: () => Result): Result
}

/** A storage that wakes its object at a set time. */
export interface AlarmStorage {
  getAlarm(): Promise<number | null>
  setAlarm(time: number): Promise<void>
}

export interface DurableSql {
  exec(sql: string, ...values: readonly DurableValue[]): DurableCursor
  /** Size of the whole database, in bytes. */
  readonly databaseSize: number
}

export interface DurableCursor {
  /** The rows that are left, each read when it is asked for. */
  raw(): Iterable<readonly unknown[]>
}

export type DurableValue = null | number | string | ArrayBuffer
