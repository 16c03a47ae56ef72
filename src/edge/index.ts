export type * from '../core/corpus.ts'
export {
  isSessionQueryError,
  SessionQueryError,
  type PersistenceReason,
  type SessionQueryErrorCode,
} from '../core/errors.ts'
export type { CorpusOptions } from '../core/options.ts'
export { corpusFor, type CorpusNamespace } from './corpus-for.ts'
export type { ObjectContext } from './durable-object.ts'
export type { AlarmStorage, DurableCursor, DurableSql, DurableStorage } from './durable-storage.ts'
export {
  openDurableCorpus,
  type DurableCorpus,
  type DurableCorpusOptions,
} from './open-durable-corpus.ts'
export { SessionCorpusObject } from './session-corpus-object.ts'
