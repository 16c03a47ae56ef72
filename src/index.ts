export { openCorpus, type OpenOptions } from './client/open-corpus.ts'
export type { WorkerSource } from './client/corpus-worker.ts'
export type {
  AbortSignalLike,
  AppendRequest,
  AppendOptions,
  CallOptions,
  CorpusChange,
  CorpusStatus,
  EventHit,
  EventPage,
  EventRecord,
  EventRequest,
  EventSeqRequest,
  EventText,
  EventWindow,
  FilterEventsRequest,
  FilterSessionsRequest,
  IndexStatus,
  LiveOptions,
  LiveSession,
  Match,
  NewSessionHeader,
  Rank,
  SearchEventsRequest,
  SearchSessionsRequest,
  SessionContent,
  SessionCorpus,
  SessionHit,
  SessionPage,
  SessionQuery,
  SessionRecord,
  SessionRequest,
  Sessions,
  SessionSurface,
  StorageKind,
  StoragePlace,
  TabRole,
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
export type { EventTrace } from './core/event-trace.ts'
export type {
  Availability,
  EventFilter,
  EventMetadataFilter,
  Range,
  SessionFilter,
  TextFilter,
} from './core/filter.ts'
export type { SessionTrace, SessionTree } from './core/lineage.ts'
export type {
  ClearRequest,
  CompactRequest,
  CompactResult,
  DatabaseSource,
  ExportContent,
  ExportedDatabase,
  ExportRequest,
  ImportedDatabase,
  ImportRequest,
  SkippedSession,
  WorkProgress,
} from './core/moving.ts'
export type { JsonObject, JsonValue } from './core/json.ts'
export type { CorpusOptions, OpenIndexAt } from './core/options.ts'
export type { StorageChoice } from './core/protocol.ts'
export type {
  Block,
  EventData,
  EventDataOf,
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
export type { Matched } from './core/snippet.ts'
export type { Span } from './core/word-places.ts'
export type { SurfaceState } from './core/surface.ts'
export type { SessionTitle } from './core/title.ts'
