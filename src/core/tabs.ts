import type { CorpusChange } from './corpus.ts'
import type { ResolvedOptions } from './options.ts'

/*
 * How the tabs of one origin share a corpus. Each has a worker; one of these holds the corpus' Web Lock and has the
 * databases open: the owner. The others reach it through a BroadcastChannel for two, and hear on one for all who the
 * owner is and what has changed. A tab goes by the id of its worker.
 */

/** What is said on the channel for all. */
export type TabMessage =
  /** Asks who the owner is. */
  | { readonly kind: 'who' }
  /** Says so, when asked and on becoming it. */
  | { readonly kind: 'owner'; readonly owner: string; readonly protocol: string }
  /** The owner goes; what it has not answered, it will not. It may have hung over a call. */
  | { readonly kind: 'leaving'; readonly owner: string; readonly hung?: boolean }
  /** Wants to make calls of the owner. */
  | {
      readonly kind: 'join'
      readonly owner: string
      readonly tab: string
      readonly options: ResolvedOptions
    }
  /** The owner listens on the channel for two. */
  | { readonly kind: 'joined'; readonly owner: string; readonly tab: string }
  /** Asks the owner for a sign of life; its page hears it, too. */
  | { readonly kind: 'ping'; readonly owner: string }
  /** A sign of life. */
  | { readonly kind: 'alive'; readonly owner: string }
  /** A tab has opened a session for writing, or let go of one. */
  | { readonly kind: 'moved'; readonly tab: string }
  /** A tab is gone, however it went. */
  | { readonly kind: 'gone'; readonly tab: string }
  /** The files were removed under the owner; what is open has to be stored as a whole. */
  | { readonly kind: 'cleared'; readonly tab: string }
  /** Something has changed, by a call or a session of this tab. */
  | { readonly kind: 'change'; readonly tab: string; readonly change: CorpusChange }

/** The Web Lock of who has the databases of a corpus open; also the name of the channel for all. */
export function corpusLock(name: string): string {
  return `session-query/${name}`
}

/** The channel for two: an owner and a tab that makes calls of it. */
export function pairChannel(name: string, owner: string, tab: string): string {
  return `session-query/${name}/${owner}/${tab}`
}

/** The Web Lock that the worker of a tab holds as long as it lives. */
export function lifeLock(tab: string): string {
  return `session-query/life/${tab}`
}

/** What the names of the Web Locks of open sessions begin with. */
export function sessionLocks(name: string): string {
  return `session-query/${name}/session/`
}
