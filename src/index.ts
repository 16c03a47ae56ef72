export { openCorpus, type OpenOptions } from './client/open-corpus.ts'
export type { WorkerSource } from './client/corpus-worker.ts'
export type {
  AbortSignalLike,
  AppendRequest,
  CallOptions,
  CorpusStatus,
  EventHit,
  EventPage,
  EventRecord,
  EventRequest,
  EventWindow,
  Match,
  SearchEventsRequest,
  SearchSessionsRequest,
  SessionContent,
  SessionCorpus,
  SessionHit,
  SessionPage,
  SessionQuery,
  SessionRecord,
  SessionRequest,
  StorageKind,
  TitleResult,
  TitlesRequest,
  WriteResult,
} from './core/corpus.ts'
export {
  isSessionQueryError,
  SessionQueryError,
  type PersistenceReason,
  type SessionQueryErrorCode,
} from './core/errors.ts'
export type { JsonObject, JsonValue } from './core/json.ts'
export type { CorpusOptions } from './core/options.ts'
export type { StorageChoice } from './core/protocol.ts'
export type {
  Block,
  EventData,
  ImageBlock,
  ReasoningBlock,
  SessionEvent,
  SessionHeader,
  SessionLog,
  SurfaceOp,
  TextBlock,
  ToolCallBlock,
  ToolResultBlock,
  TurnEndReason,
} from './core/session.ts'
export type { Matched, Span } from './core/snippet.ts'
export type { SurfaceState } from './core/surface.ts'
export type { SessionTitle } from './core/title.ts'
